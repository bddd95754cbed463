// Public keys as text: multibase (base58btc, the leading `z`, is the one base in use for keys) around multicodec.

import { base58 } from "@scure/base";
import type { Bytes } from "./bytes.ts";

export type MultikeyCurve = "Ed25519" | "X25519" | "secp256k1" | "P-256" | "P-384" | "P-521";

export type Multikey = { readonly curve: MultikeyCurve; readonly key: Bytes };

// The code as an unsigned varint, and the length of the key: compressed points where the curve has them.
const CODECS: readonly { curve: MultikeyCurve; code: readonly [number, number]; length: number }[] = [
  { curve: "Ed25519", code: [0xed, 0x01], length: 32 },
  { curve: "X25519", code: [0xec, 0x01], length: 32 },
  { curve: "secp256k1", code: [0xe7, 0x01], length: 33 },
  { curve: "P-256", code: [0x80, 0x24], length: 33 },
  { curve: "P-384", code: [0x81, 0x24], length: 49 },
  { curve: "P-521", code: [0x82, 0x24], length: 67 },
];

// Base58 takes quadratic time; the longest key above has 95 characters.
const MAX_CHARACTERS = 128;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** The bytes behind a `z…` text; null for any other base and for what is not base58. */
export function decodeMultibase(text: string): Bytes | null {
  return text.startsWith("z") ? decodeBase58(text.slice(1)) : null;
}

export function encodeMultibase(bytes: Bytes): string {
  return `z${base58.encode(bytes)}`;
}

export function decodeBase58(text: string): Bytes | null {
  if (text.length > MAX_CHARACTERS || !BASE58.test(text)) return null;
  return base58.decode(text) as Bytes;
}

/** Null unless the bytes are a known code and a key of its length. */
export function parseMultikey(bytes: Bytes): Multikey | null {
  const codec = CODECS.find(({ code }) => bytes[0] === code[0] && bytes[1] === code[1]);
  if (codec === undefined || bytes.length !== 2 + codec.length) return null;
  return { curve: codec.curve, key: bytes.slice(2) };
}

export function formatMultikey({ curve, key }: Multikey): string {
  const { code } = CODECS.find((codec) => codec.curve === curve)!;
  return encodeMultibase(Uint8Array.of(...code, ...key));
}
