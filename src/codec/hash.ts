// The hashes of the ecosystem. The default is portable; a runtime with a native SHA-256 may put it in its place.

import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 as portableSha256 } from "@noble/hashes/sha2.js";
import type { Bytes } from "./bytes.ts";

export type Sha256 = (bytes: Bytes) => Bytes;

let implementation: Sha256 = (bytes) => portableSha256(bytes) as Bytes;

export function sha256(bytes: Bytes): Bytes {
  return implementation(bytes);
}

/** For the outermost room, once at start: the same hash, computed faster. */
export function useSha256(faster: Sha256): void {
  implementation = faster;
}

/** The first 20 bytes of SHA-256: addresses of Ed25519 keys and of modules. */
export function sha256Truncated(bytes: Bytes): Bytes {
  return sha256(bytes).slice(0, 20);
}

/** RIPEMD-160 of SHA-256: addresses of secp256k1 keys. */
export function hash160(bytes: Bytes): Bytes {
  return ripemd160(sha256(bytes)) as Bytes;
}
