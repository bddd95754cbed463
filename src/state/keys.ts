// The key space: one flat order of keys, parted by the first byte. The builders of each noun's keys lie with the noun.

import { type Bytes, concatBytes } from "../codec/bytes.ts";

/**
 * `acc`, `bank` and `identity` are the stores under the app hash: the space byte, then the reference's raw key.
 * All other spaces hold what the node derives or keeps for itself, outside the tree.
 */
export const SPACE = {
  tx: 0x58,
  acc: 0x61,
  bank: 0x62,
  identity: 0x69,
  block: 0x6b,
  meta: 0x6d,
  count: 0x6e,
  tree: 0x74,
  index: 0x78,
} as const;

export type Space = (typeof SPACE)[keyof typeof SPACE];

export function spaceKey(space: Space, ...parts: readonly Bytes[]): Bytes {
  let length = 1;
  for (const part of parts) length += part.length;
  const key = new Uint8Array(length);
  key[0] = space;
  let at = 1;
  for (const part of parts) {
    key.set(part, at);
    at += part.length;
  }
  return key;
}

/** Big-endian, so that keys sort as the numbers do. */
export function be64(n: bigint): Bytes {
  if (n < 0n || n >= 1n << 64n) throw new RangeError(`not an unsigned 64-bit integer: ${n}`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, n);
  return bytes;
}

export function fromBe64(bytes: Bytes): bigint {
  if (bytes.length !== 8) throw new RangeError(`8 bytes wanted, got ${bytes.length}`);
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0);
}

/** One length byte, then the bytes: how the reference makes an address the middle part of a key. */
export function lengthPrefixed(bytes: Bytes): Bytes {
  if (bytes.length > 255) throw new RangeError(`at most 255 bytes wanted, got ${bytes.length}`);
  return concatBytes(Uint8Array.of(bytes.length), bytes);
}
