// Validator keys: their addresses, signatures, and the signing of a local validator.

import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Bytes } from "./bytes.ts";
import { hash160, sha256Truncated } from "./hash.ts";
import type { Codec } from "./message.ts";
import { LENGTH_DELIMITED, unknownField, WireReader, WireWriter } from "./wire.ts";

export type PublicKey = { readonly type: "ed25519" | "secp256k1"; readonly key: Bytes };

export type Ed25519 = {
  readonly verify: (key: Bytes, message: Bytes, signature: Bytes) => boolean;
  readonly sign: (seed: Bytes, message: Bytes) => Bytes;
};

const FIELDS = { ed25519: 1, secp256k1: 2 } as const;
const LENGTHS = { ed25519: 32, secp256k1: 33 } as const;

// Plain RFC 8032, as the reference's 0.37 line; keys and points that only laxer rules accept are refused.
let curve: Ed25519 = {
  verify: (key, message, signature) => ed25519.verify(signature, message, key, { zip215: false }),
  sign: (seed, message) => ed25519.sign(message, seed) as Bytes,
};

/** For the outermost room, once at start: the same answers, computed faster. */
export function useEd25519(faster: Ed25519): void {
  curve = faster;
}

/** tendermint.crypto.PublicKey, a choice of one key. */
export const publicKeyCodec: Codec<PublicKey> = {
  encode: ({ type, key }) => new WireWriter(40).messageField(FIELDS[type], key).finish(),
  decode(bytes) {
    const reader = new WireReader(bytes);
    if (reader.done) throw new Error("PublicKey: no key");
    const tag = reader.tag();
    const type = (["ed25519", "secp256k1"] as const).find((name) => FIELDS[name] * 8 + LENGTH_DELIMITED === tag);
    if (type === undefined) throw unknownField("PublicKey", tag);
    const key = reader.copy();
    if (!reader.done) throw new Error("PublicKey: more than one key");
    return publicKey(type, key);
  },
};

export function publicKey(type: PublicKey["type"], key: Bytes): PublicKey {
  if (key.length !== LENGTHS[type]) throw new Error(`${type} key of ${key.length} bytes`);
  return { type, key };
}

/** The 20 bytes that name a validator in blocks. */
export function consensusAddress({ type, key }: PublicKey): Bytes {
  return type === "ed25519" ? sha256Truncated(key) : hash160(key);
}

export function verifySignature({ type, key }: PublicKey, message: Bytes, signature: Bytes): boolean {
  if (signature.length !== 64) return false;
  try {
    return type === "ed25519" ? curve.verify(key, message, signature) : secp256k1.verify(signature, message, key);
  } catch {
    return false;
  }
}

export function ed25519PublicKey(seed: Bytes): PublicKey {
  return publicKey("ed25519", ed25519.getPublicKey(seed) as Bytes);
}

export function signEd25519(seed: Bytes, message: Bytes): Bytes {
  return curve.sign(seed, message);
}
