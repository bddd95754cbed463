// Byte strings as keys: order, equality, and a text form to key maps with. Pure, safe in browsers.

import type { Bytes } from "./store.ts";

/** Byte order, a prefix before what it begins: negative, zero or positive as `a` lies before, at or after `b`. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/**
 * The smallest key above all keys that begin with `prefix`: the `end` of a range over them.
 * Throws for a prefix that has no such key (empty, or 0xff throughout).
 */
export function prefixEnd(prefix: Uint8Array): Bytes {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  if (length === 0) throw new RangeError("no key lies above every key with this prefix");
  const end = prefix.slice(0, length);
  end[length - 1]! += 1;
  return end;
}

/** The next key in byte order: nothing lies between `key` and it. */
export function keyAfter(key: Uint8Array): Bytes {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

/** Two hexadecimal digits per byte: a map key that is equal, and sorts, exactly as the bytes do. */
export function textOfBytes(bytes: Uint8Array): string {
  return bytes.toHex();
}
