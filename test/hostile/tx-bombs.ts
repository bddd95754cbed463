// Transactions that are small on the wire and ask for much: nested keys, bits that are not there, lengths that lie.

import { type Bytes, concatBytes, utf8Encode } from "../../src/codec/bytes.ts";

const MULTISIG = "/cosmos.crypto.multisig.LegacyAminoPubKey";

/** A length of 2^31-1 for the bytes of a body that has three. */
export const LENGTH_BOMB: Bytes = Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07, 1, 2, 3);

/** A public key in which every member is such a key again, eleven deep. */
export function anyBomb(): Bytes {
  const mode = field(1, Uint8Array.of(0x08, 1));
  return transaction(concatBytes(field(1, nestedKey(11)), field(2, mode)));
}

/** Seven bits are said to be in the last byte of an array that has none. */
export function bitArrayBomb(): Bytes {
  const bits = Uint8Array.of(0x08, 7);
  return transaction(concatBytes(field(1, nestedKey(1)), field(2, field(2, field(1, bits)))));
}

function nestedKey(depth: number): Bytes {
  const members = depth === 0 ? [] : [field(2, nestedKey(depth - 1))];
  const key = concatBytes(Uint8Array.of(0x08, 1), ...members);
  return concatBytes(field(1, utf8Encode(MULTISIG)), field(2, key));
}

function transaction(signer: Bytes): Bytes {
  const authInfo = concatBytes(field(1, signer), field(2, Uint8Array.of(0x10, 100)));
  return concatBytes(field(1, new Uint8Array()), field(2, authInfo), field(3, new Uint8Array()));
}

function field(number: number, content: Uint8Array): Bytes {
  return concatBytes(Uint8Array.of(number * 8 + 2, ...varint(content.length)), content);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
