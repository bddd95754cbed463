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
  const words = wordsOf(lower, separator + 1);
  if (checksumState(prefix, words) !== 1) throw wrongChecksum(prefix, words, lower.slice(-CHECKSUM_LENGTH));
  return { prefix, bytes: bytesOf(words, words.length - CHECKSUM_LENGTH) };
}

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const NO_WORD = -1;
const WORDS = new Int8Array(128).fill(NO_WORD);
for (let word = 0; word < 32; word++) WORDS[CHARSET.charCodeAt(word)] = word;
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
const CHECKSUM_LENGTH = 6;
const MIN_TEXT = 8;
const MAX_TEXT = 1023;
const MAX_BYTES = 255;

/** Length, range and case; lengths count bytes, and a bad byte is shown as the Latin-1 character of its value. */
function checkCharacters(text: string): string {
  if (!ASCII.test(text)) throw badCharacters(text);
  if (text.length < MIN_TEXT || text.length > MAX_TEXT) throw failed(`invalid bech32 string length ${text.length}`);
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) throw failed("string not all lowercase or all uppercase");
  return lower;
}

const ASCII = /^[!-~]*$/;

function badCharacters(text: string): AddressError {
  const bytes = utf8Encode(text);
  if (bytes.length < MIN_TEXT || bytes.length > MAX_TEXT) return failed(`invalid bech32 string length ${bytes.length}`);
  const stray = bytes.find((byte) => byte < 33 || byte > 126)!;
  return failed(`invalid character in string: '${String.fromCharCode(stray)}'`);
}

/** The 5-bit words from `start` on, those of the checksum among them. */
function wordsOf(text: string, start: number): Uint8Array {
  const words = new Uint8Array(text.length - start);
  for (let i = 0; i < words.length; i++) {
    const code = text.charCodeAt(start + i);
    const word = WORDS[code]!;
    if (word === NO_WORD) throw failed(`invalid character not part of charset: ${code}`);
    words[i] = word;
  }
  return words;
}

/** The remainder of the BCH code over prefix and words; 1 for a valid text. */
function checksumState(prefix: string, words: Uint8Array): number {
  let state = 1;
  for (let i = 0; i < prefix.length; i++) state = nextState(state, prefix.charCodeAt(i) >> 5);
  state = nextState(state, 0);
  for (let i = 0; i < prefix.length; i++) state = nextState(state, prefix.charCodeAt(i) & 31);
  for (let i = 0; i < words.length; i++) state = nextState(state, words[i]!);
  return state;
}

function nextState(state: number, word: number): number {
  const top = state >>> 25;
  let next = ((state & 0x1ffffff) << 5) ^ word;
  for (let i = 0; i < 5; i++) if ((top >> i) & 1) next ^= GENERATOR[i]!;
  return next;
}

function wrongChecksum(prefix: string, words: Uint8Array, found: string): AddressError {
  const content = Array.from(words.subarray(0, -CHECKSUM_LENGTH));
  const expected = bech32.encode(prefix, content, false).slice(-CHECKSUM_LENGTH);
  return failed(`invalid checksum (expected ${expected} got ${found})`);
}

/** The first `count` words as bytes. The bits that are left over must be fewer than a word, and zero. */
function bytesOf(words: Uint8Array, count: number): Bytes {
  const bytes = new Uint8Array((count * 5) >> 3);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < count; i++) {
    bits = ((bits << 5) | words[i]!) & 0xfff;
    held += 5;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = bits >> held;
    }
  }
  if (held >= 5 || (bits & ((1 << held) - 1)) !== 0) throw failed("invalid incomplete group");
  return bytes;
}

function failed(reason: string): AddressError {
  return new AddressError(`decoding bech32 failed: ${reason}`);
}
