// The runtime's own SHA-256 and Ed25519 in the place of the portable ones: the same results, several times faster.

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { type Bytes, toBase64 } from "../codec/bytes.ts";
import { useSha256 } from "../codec/hash.ts";
import { useEd25519 } from "../codec/public-key.ts";

/** Validators sign every block with the same key: parsing it once is enough. Beyond this many, start over. */
const MAX_KEYS = 1000;
const keys = new Map<string, KeyObject>();

/** Call once at start. */
export function useNativeHashing(): void {
  useSha256(sha256Native);
  useEd25519(verifyEd25519Native);
}

export function sha256Native(bytes: Bytes): Bytes {
  return Bun.SHA256.hash(bytes) as Bytes;
}

export function verifyEd25519Native(key: Bytes, message: Bytes, signature: Bytes): boolean {
  return verify(null, message, keyObject(key), signature);
}

function keyObject(key: Bytes): KeyObject {
  const x = toBase64(key).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const known = keys.get(x);
  if (known !== undefined) return known;
  if (keys.size >= MAX_KEYS) keys.clear();
  const parsed = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  keys.set(x, parsed);
  return parsed;
}
