// A signature is verified when its transaction comes in, and again when the transaction is executed in its block: the
// same question, whose answer never changes. It is the dearest step of all, so the yes is remembered.

import { concatBytes, toHex } from "../codec/bytes.ts";
import type { VerifySecp256k1 } from "../codec/verify-signature.ts";
import { createSeenCache } from "./seen-cache.ts";

/** As many as a mempool remembers transactions. */
const MOST = 10_000;

/** Answers as `verify` does, for every key, digest and signature. */
export function rememberVerified(verify: VerifySecp256k1, most = MOST): VerifySecp256k1 {
  const verified = createSeenCache(most);
  return (key, digest, signature) => {
    // Of any other lengths, two questions could look the same.
    if (key.length !== 33 || digest.length !== 32 || signature.length !== 64) return verify(key, digest, signature);
    const question = toHex(concatBytes(key, digest, signature));
    if (verified.has(question)) return true;
    if (!verify(key, digest, signature)) return false;
    verified.push(question);
    return true;
  };
}
