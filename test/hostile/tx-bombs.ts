// Transactions that are small on the wire and ask for much: nested keys, bits that are not there, lengths that lie.

import { encodeAddress } from "../../src/codec/address.ts";
import { type Bytes, concatBytes, utf8Encode } from "../../src/codec/bytes.ts";
import { accountAddressOf } from "../../src/codec/key-address.ts";

const MULTISIG = "/cosmos.crypto.multisig.LegacyAminoPubKey";
const SEND = "/cosmos.bank.v1beta1.MsgSend";
const SECP256K1 = "/cosmos.crypto.secp256k1.PubKey";
/** Gas and nothing else. */
const FEE = Uint8Array.of(0x10, 0xa0, 0x8d, 0x06);

/** A length of 2^31-1 for the bytes of a body that has three. */
export const LENGTH_BOMB: Bytes = Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07, 1, 2, 3);

/** A key of one member, and the account that it owns: a transaction of it is read as far as its signature. */
const KEY = multisigOf(any(SECP256K1, field(1, new Uint8Array(33).fill(2))));
export const BOMBER = encodeAddress("cosmos", accountAddressOf({ typeUrl: MULTISIG, value: KEY }));

/** A public key in which every member is such a key again, eleven deep. */
export function anyBomb(): Bytes {
  let key = KEY;
  for (let depth = 0; depth < 11; depth++) key = multisigOf(any(MULTISIG, key));
  return transaction(key, field(1, Uint8Array.of(0x08, 1)), new Uint8Array());
}

/** Seven bits are said to be in the last byte of an array that has none. */
export function bitArrayBomb(): Bytes {
  return transaction(KEY, field(2, field(1, Uint8Array.of(0x08, 7))), new Uint8Array());
}

/** The same key with one bit, set, and one signature: the bits are all that is wrong with the bomb. */
export function harmlessMultisig(): Bytes {
  const bits = concatBytes(Uint8Array.of(0x08, 1), field(2, Uint8Array.of(0x80)));
  const mode = field(2, concatBytes(field(1, bits), field(2, field(1, Uint8Array.of(0x08, 127)))));
  return transaction(KEY, mode, field(1, new Uint8Array(64)));
}

function multisigOf(member: Bytes): Bytes {
  return concatBytes(Uint8Array.of(0x08, 1), field(2, member));
}

function transaction(key: Bytes, mode: Bytes, signature: Bytes): Bytes {
  const coin = concatBytes(field(1, utf8Encode("uorr")), field(2, utf8Encode("1")));
  const send = concatBytes(field(1, utf8Encode(BOMBER)), field(2, utf8Encode(BOMBER)), field(3, coin));
  const signer = concatBytes(field(1, any(MULTISIG, key)), field(2, mode));
  const authInfo = concatBytes(field(1, signer), field(2, FEE));
  return concatBytes(field(1, field(1, any(SEND, send))), field(2, authInfo), field(3, signature));
}

function any(typeUrl: string, value: Bytes): Bytes {
  return concatBytes(field(1, utf8Encode(typeUrl)), field(2, value));
}

function field(number: number, content: Uint8Array): Bytes {
  return concatBytes(Uint8Array.of(number * 8 + 2, ...varint(content.length)), content);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
