// The fast verifier of account signatures: libsecp256k1, compiled to WebAssembly.

import { verify } from "tiny-secp256k1";
import type { VerifySecp256k1 } from "../codec/verify-signature.ts";

/** `strict` refuses an s in the upper half, as the reference does: a signature has one form. */
export const verifySecp256k1: VerifySecp256k1 = (key, digest, signature) => {
  try {
    return key.length === 33 && verify(digest, key, signature, true);
  } catch {
    return false;
  }
};
