// The runtime's own SHA-256 and Ed25519 in the place of the portable ones: the same results, several times faster.

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { type Bytes, concatBytes, fromHex, toHex } from "../codec/bytes.ts";
import { useSha256 } from "../codec/hash.ts";
import { useEd25519 } from "../codec/public-key.ts";

/** Validators sign every block with the same key: parsing it once is enough. Beyond this many, start over. */
const MAX_KEYS = 1000;
const publicKeys = new Map<string, KeyObject>();
const privateKeys = new Map<string, KeyObject>();

/** What stands before the 32 bytes of a key in the DER forms of RFC 8410. */
const PUBLIC_HEAD = fromHex("302a300506032b6570032100");
const PRIVATE_HEAD = fromHex("302e020100300506032b657004220420");

/** Call once at start. */
export function useNativeHashing(): void {
  useSha256(sha256Native);
  useEd25519({ verify: verifyEd25519Native, sign: signEd25519Native });
}

export function sha256Native(bytes: Bytes): Bytes {
  return Bun.SHA256.hash(bytes) as Bytes;
}

export function verifyEd25519Native(key: Bytes, message: Bytes, signature: Bytes): boolean {
  return verify(null, message, publicKeyObject(key), signature);
}

export function signEd25519Native(seed: Bytes, message: Bytes): Bytes {
  return new Uint8Array(sign(null, message, privateKeyObject(seed)));
}

function publicKeyObject(key: Bytes): KeyObject {
  return once(publicKeys, key, () => {
    return createPublicKey({ key: Buffer.from(concatBytes(PUBLIC_HEAD, key)), format: "der", type: "spki" });
  });
}

function privateKeyObject(seed: Bytes): KeyObject {
  return once(privateKeys, seed, () => {
    return createPrivateKey({ key: Buffer.from(concatBytes(PRIVATE_HEAD, seed)), format: "der", type: "pkcs8" });
  });
}

function once(known: Map<string, KeyObject>, key: Bytes, parse: () => KeyObject): KeyObject {
  const name = toHex(key);
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MAX_KEYS) known.clear();
  const parsed = parse();
  known.set(name, parsed);
  return parsed;
}
