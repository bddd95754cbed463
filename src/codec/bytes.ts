// Plain byte strings: order, joining, and their text forms.

import { base64, hex } from "@scure/base";

export type Bytes = Uint8Array<ArrayBuffer>;

export const EMPTY: Bytes = new Uint8Array(0);

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let pos = 0;
  for (const part of parts) {
    joined.set(part, pos);
    pos += part.length;
  }
  return joined;
}

/** Byte order: negative when `a` comes first; a prefix comes before what it begins. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return hex.encode(bytes);
}

/** Either case; throws on anything that is not whole bytes of hex. */
export function fromHex(text: string): Bytes {
  if (!HEX_BYTES.test(text)) throw new Error("not hexadecimal");
  return hex.decode(text) as Bytes;
}

/** Standard alphabet, padded. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/** Standard alphabet, padded, nothing else: one text for each byte string. Throws. */
export function fromBase64(text: string): Bytes {
  try {
    return base64.decode(text) as Bytes;
  } catch {
    throw new Error("not base64");
  }
}

/**
 * For base64 that came through a URL: either alphabet, a space where `+` stood, padded as it should be or not at all.
 * Null for anything else.
 */
export function fromBase64Lenient(text: string): Bytes | null {
  const standard = text.replace(/-/g, "+").replace(/_/g, "/").replace(/ /g, "+");
  const padding = standard.includes("=") ? "" : "=".repeat((4 - (standard.length % 4)) % 4);
  try {
    return base64.decode(standard + padding) as Bytes;
  } catch {
    return null;
  }
}

export function utf8Encode(text: string): Bytes {
  return encoder.encode(text);
}

/** Throws on bytes that are not UTF-8. */
export function utf8Decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

const HEX_BYTES = /^(?:[0-9a-fA-F]{2})*$/;
const encoder = new TextEncoder();
// A byte order mark is a character of the text like any other: dropping it would change the value.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
