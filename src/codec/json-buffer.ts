// A growing buffer of JSON text in UTF-8. Text that needs no escape goes from the input to the output byte by byte,
// without ever becoming a string.

import type { Bytes } from "./bytes.ts";
import { WireError } from "./wire-cursor.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const PADDING = 0x3d;
const BACKSLASH = 0x5c;

const FIRST_CAPACITY = 1 << 16;
/** A few bytes of input can stand for a long object of defaults: what no answer needs is refused before it is built. */
const LARGEST = 1 << 26;
/** Below this, copying in a loop is faster than the call of `set`. */
const SHORT = 20;

const encoder = new TextEncoder();
// Not fatal: bytes that are no UTF-8 become U+FFFD, so that one bad memo does not take its whole block from view.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const base64Digits = encoder.encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

/** 1 for every byte that cannot stand in a JSON string as it is, or is part of a character beyond ASCII. */
const needsCare = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte > 0x7f || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
);

export class JsonBuffer {
  bytes: Bytes = new Uint8Array(FIRST_CAPACITY);
  length = 0;

  /** What was written, until the next text is: a view. */
  finish(): Bytes {
    const text = this.bytes.subarray(0, this.length);
    this.length = 0;
    if (this.bytes.length > FIRST_CAPACITY) this.bytes = new Uint8Array(FIRST_CAPACITY);
    return text;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  comma(): void {
    this.byte(COMMA);
  }

  /** JSON text that is ready as it is. */
  chunk(chunk: Bytes): void {
    const size = chunk.length;
    this.reserve(size);
    const { bytes, length } = this;
    if (size < SHORT) for (let i = 0; i < size; i++) bytes[length + i] = chunk[i]!;
    else bytes.set(chunk, length);
    this.length = length + size;
  }

  text(text: string): void {
    this.chunk(encoder.encode(text));
  }

  /** A JSON string of the UTF-8 text `source[start..end]`. */
  string(source: Bytes, start: number, end: number): void {
    this.reserve(end - start + 2);
    const { bytes } = this;
    bytes[this.length] = QUOTE;
    const shift = this.length + 1 - start;
    // Copies before it knows whether it may: a loop without a way out, in steps of four, takes half the time of a
    // careful one, and text that needs an escape is rare.
    let special = 0;
    let i = start;
    for (; i + 3 < end; i += 4) {
      const a = source[i]!;
      const b = source[i + 1]!;
      const c = source[i + 2]!;
      const d = source[i + 3]!;
      special |= needsCare[a]! | needsCare[b]! | needsCare[c]! | needsCare[d]!;
      bytes[i + shift] = a;
      bytes[i + shift + 1] = b;
      bytes[i + shift + 2] = c;
      bytes[i + shift + 3] = d;
    }
    for (; i < end; i++) {
      special |= needsCare[source[i]!]!;
      bytes[i + shift] = source[i]!;
    }
    if (special === 0) {
      bytes[end + shift] = QUOTE;
      this.length = end + shift + 1;
    } else this.text(JSON.stringify(decoder.decode(source.subarray(start, end))));
  }

  /** A JSON string of the padded standard base64 of `source[start..end]`. */
  base64(source: Bytes, start: number, end: number): void {
    this.reserve(Math.ceil((end - start) / 3) * 4 + 2);
    const { bytes } = this;
    let length = this.length;
    bytes[length++] = QUOTE;
    let i = start;
    for (; i + 2 < end; i += 3) {
      const bits = (source[i]! << 16) | (source[i + 1]! << 8) | source[i + 2]!;
      bytes[length++] = base64Digits[bits >> 18]!;
      bytes[length++] = base64Digits[(bits >> 12) & 63]!;
      bytes[length++] = base64Digits[(bits >> 6) & 63]!;
      bytes[length++] = base64Digits[bits & 63]!;
    }
    if (i < end) {
      const isPair = i + 1 < end;
      const bits = (source[i]! << 16) | (isPair ? source[i + 1]! << 8 : 0);
      bytes[length++] = base64Digits[bits >> 18]!;
      bytes[length++] = base64Digits[(bits >> 12) & 63]!;
      bytes[length++] = isPair ? base64Digits[(bits >> 6) & 63]! : PADDING;
      bytes[length++] = PADDING;
    }
    bytes[length++] = QUOTE;
    this.length = length;
  }

  /** A non-negative integer of at most 32 bits. */
  decimal(n: number): void {
    if (n > 0x7fffffff) {
      this.text(n.toString());
      return;
    }
    let width = 1;
    for (let limit = 10; n >= limit && width < 10; limit *= 10) width++;
    this.padded(n, width);
  }

  /** The last `width` digits of an integer below 2^31. */
  padded(n: number, width: number): void {
    this.reserve(width);
    const { bytes, length } = this;
    let rest = n;
    for (let i = length + width - 1; i >= length; i--) {
      const tenth = (rest / 10) | 0;
      bytes[i] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.length = length + width;
  }

  reserve(more: number): void {
    if (this.length + more > this.bytes.length) this.#grow(this.length + more);
  }

  #grow(needed: number): void {
    if (needed > LARGEST) throw new WireError(`the JSON would be larger than ${LARGEST} bytes`);
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}
