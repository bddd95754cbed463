// Bech32 addresses. The checks and their sentences are the reference's, in its order: clients match on the text.

import { bech32 } from "@scure/base";
import { type Bytes, utf8Encode } from "./bytes.ts";

/** The message is the reference's sentence, without the `invalid address: ` that some callers put before it. */
export class AddressError extends Error {
  override readonly name = "AddressError";
}

export type Bech32 = { readonly prefix: string; readonly bytes: Bytes };

export function encodeAddress(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), false);
}

/** The bytes of an address that must carry `prefix`; all upper case is read as lower case. Throws AddressError. */
export function parseAddress(text: string, prefix: string): Bytes {
  if (text.trim() === "") throw new AddressError("empty address string is not allowed");
  const decoded = decodeBech32(text);
  if (decoded.prefix !== prefix) {
    throw new AddressError(`invalid Bech32 prefix; expected ${prefix}, got ${decoded.prefix}`);
  }
  const { length } = decoded.bytes;
  if (length === 0) throw new AddressError("addresses cannot be empty: unknown address");
  if (length > MAX_BYTES) throw new AddressError(`address max length is ${MAX_BYTES}, got ${length}: unknown address`);
  return decoded.bytes;
}

/** Bech32 with any prefix (not bech32m). Throws AddressError. */
export function decodeBech32(text: string): Bech32 {
  const lower = checkCharacters(text);
  const separator = lower.lastIndexOf("1");
  if (separator < 1 || separator + CHECKSUM_LENGTH >= lower.length)
    throw failed(`invalid separator index ${separator}`);
  const prefix = lower.slice(0, separator);
  const words = checkedWords(prefix, lower.slice(separator + 1));
  const bytes = bech32.fromWordsUnsafe(words);
  if (bytes === undefined) throw failed("invalid incomplete group");
  return { prefix, bytes: bytes as Bytes };
}

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_LENGTH = 6;
const MIN_TEXT = 8;
const MAX_TEXT = 1023;
const MAX_BYTES = 255;

/** Length, range and case; lengths count bytes, and a bad byte is shown as the Latin-1 character of its value. */
function checkCharacters(text: string): string {
  const bytes = utf8Encode(text);
  if (bytes.length < MIN_TEXT || bytes.length > MAX_TEXT) throw failed(`invalid bech32 string length ${bytes.length}`);
  const stray = bytes.find((byte) => byte < 33 || byte > 126);
  if (stray !== undefined) throw failed(`invalid character in string: '${String.fromCharCode(stray)}'`);
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) throw failed("string not all lowercase or all uppercase");
  return lower;
}

/** The 5-bit words of the data part, without those of the checksum. */
function checkedWords(prefix: string, data: string): number[] {
  const words = Array.from(data, (char) => {
    const word = CHARSET.indexOf(char);
    if (word < 0) throw failed(`invalid character not part of charset: ${char.charCodeAt(0)}`);
    return word;
  }).slice(0, -CHECKSUM_LENGTH);
  const expected = bech32.encode(prefix, words, false).slice(-CHECKSUM_LENGTH);
  const found = data.slice(-CHECKSUM_LENGTH);
  if (found !== expected) throw failed(`invalid checksum (expected ${expected} got ${found})`);
  return words;
}

function failed(reason: string): AddressError {
  return new AddressError(`decoding bech32 failed: ${reason}`);
}
