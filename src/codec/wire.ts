// The protobuf wire format, for encoders and decoders written by hand: consensus bytes must be exact, and generated
// code leaves out the empty messages that the reference always writes.

import type { Bytes } from "./bytes.ts";

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const FIXED32 = 5;

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Fields are written in the order of the calls: the caller keeps them ascending. */
export class WireWriter {
  #buffer: Bytes;
  #length = 0;

  constructor(capacity = 128) {
    this.#buffer = new Uint8Array(capacity);
  }

  /** A bare varint. A negative value takes ten bytes, as 64-bit two's complement. */
  uint(n: bigint | number): this {
    if (typeof n === "number") {
      // Tags and lengths: nearly all that is ever written.
      if (n >= 0 && n < 128 && (n | 0) === n) {
        this.#reserve(1);
        this.#buffer[this.#length++] = n;
        return this;
      }
      if (!Number.isSafeInteger(n)) throw new Error(`not an integer: ${n}`);
      if (n < 0) return this.uint(BigInt(n));
      this.#reserve(8);
      let rest = n;
      while (rest > 0x7fffffff) {
        this.#buffer[this.#length++] = (rest % 128) | 0x80;
        rest = Math.floor(rest / 128);
      }
      while (rest > 127) {
        this.#buffer[this.#length++] = (rest & 127) | 0x80;
        rest >>>= 7;
      }
      this.#buffer[this.#length++] = rest;
      return this;
    }
    if (n >= 0n && n <= 0x1fffffffffffffn) return this.uint(Number(n));
    if (n < -(1n << 63n) || n >= 1n << 64n) throw new Error(`not a 64-bit integer: ${n}`);
    this.#reserve(10);
    let rest = BigInt.asUintN(64, n);
    while (rest > 127n) {
      this.#buffer[this.#length++] = Number(rest & 127n) | 0x80;
      rest >>= 7n;
    }
    this.#buffer[this.#length++] = Number(rest);
    return this;
  }

  /** A bare zigzag varint. */
  zigzag(n: bigint | number): this {
    if (n >= 0 && n <= 0x0fffffffffffff) return this.uint(Number(n) * 2);
    const wide = BigInt(n);
    return this.uint(BigInt.asUintN(64, (wide << 1n) ^ (wide >> 63n)));
  }

  tag(field: number, wireType: number): this {
    return this.uint(field * 8 + wireType);
  }

  /** Bytes as they are, without tag or length. */
  raw(bytes: Bytes): this {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Omits zero and false. */
  varintField(field: number, value: bigint | number | boolean): this {
    const number = typeof value === "boolean" ? Number(value) : value;
    if (number === 0 || number === 0n) return this;
    return this.tag(field, VARINT).uint(number);
  }

  /** Omits zero. */
  sfixed64Field(field: number, value: bigint): this {
    if (value === 0n) return this;
    this.tag(field, FIXED64).#reserve(8);
    let rest = BigInt.asUintN(64, value);
    for (let i = 0; i < 8; i++) {
      this.#buffer[this.#length++] = Number(rest & 255n);
      rest >>= 8n;
    }
    return this;
  }

  /** Omits the empty string of bytes. */
  bytesField(field: number, bytes: Bytes): this {
    return bytes.length === 0 ? this : this.messageField(field, bytes);
  }

  /** Omits the empty string. */
  stringField(field: number, text: string): this {
    return text === "" ? this : this.messageField(field, utf8Encoder.encode(text));
  }

  /** Always written, also when empty: nested messages that are set, and every element of a repeated field. */
  messageField(field: number, bytes: Bytes): this {
    return this.tag(field, LENGTH_DELIMITED).uint(bytes.length).raw(bytes);
  }

  /** As messageField, of a message that `write` writes into this writer. */
  nestedField(field: number, write: () => void): this {
    this.tag(field, LENGTH_DELIMITED);
    const start = this.#length;
    write();
    const length = this.#length - start;
    const moved = start + varintSize(length);
    this.#reserve(8);
    this.#buffer.copyWithin(moved, start, this.#length);
    this.#length = start;
    this.uint(length);
    this.#length = moved + length;
    return this;
  }

  /** What was written so far, until more is written: a view. */
  view(): Bytes {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Begins anew in the same buffer: for those who use up what they write at once. */
  clear(): this {
    this.#length = 0;
    return this;
  }

  /** What was written. Nothing may be written after it. */
  finish(): Bytes {
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** How many bytes `messageField` writes for a field with a number up to 15. */
export function fieldSize(bytes: Bytes): number {
  return 1 + varintSize(bytes.length) + bytes.length;
}

function varintSize(n: number): number {
  let size = 1;
  for (let rest = n; rest > 127; rest >>>= 7) size++;
  return size;
}

/** Walks one message. Every method throws on bytes that end too early or say something impossible. */
export class WireReader {
  readonly bytes: Bytes;
  pos: number;
  readonly end: number;

  constructor(bytes: Bytes, pos = 0, end = bytes.length) {
    this.bytes = bytes;
    this.pos = pos;
    this.end = end;
  }

  get done(): boolean {
    return this.pos >= this.end;
  }

  /** The next tag, as field * 8 + wire type. */
  tag(): number {
    const tag = this.count();
    const wireType = tag & 7;
    if (tag < 8 || tag > 0xffffffff) throw new Error(`wire: field number out of range at byte ${this.pos}`);
    if (wireType === 3 || wireType === 4 || wireType > 5) throw new Error(`wire: unknown wire type ${wireType}`);
    return tag;
  }

  uint64(): bigint {
    const first = this.bytes[this.pos];
    if (first !== undefined && first < 128 && this.pos < this.end) {
      this.pos++;
      return BigInt(first);
    }
    const { value, pos } = readUvarint(this.bytes, this.pos, this.end);
    this.pos = pos;
    return value;
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  /** Takes the low 32 bits, as protobuf does. */
  uint32(): number {
    return Number(BigInt.asUintN(32, this.uint64()));
  }

  /** Takes the low 32 bits, as protobuf does. */
  int32(): number {
    return Number(BigInt.asIntN(32, this.uint64()));
  }

  zigzag(): bigint {
    const value = this.uint64();
    return (value >> 1n) ^ -(value & 1n);
  }

  bool(): boolean {
    return this.uint64() !== 0n;
  }

  /** A varint that must fit a JavaScript number: tags and lengths. */
  count(): number {
    const first = this.bytes[this.pos]!;
    if (first < 128 && this.pos < this.end) {
      this.pos++;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
      scale *= 128;
    }
    throw new Error(`wire: varint too large at byte ${this.pos}`);
  }

  sfixed64(): bigint {
    this.#need(8);
    let value = 0n;
    for (let i = 7; i >= 0; i--) value = (value << 8n) | BigInt(this.bytes[this.pos + i]!);
    this.pos += 8;
    return BigInt.asIntN(64, value);
  }

  /** A length and that many bytes, as a view into the message. */
  view(): Bytes {
    return this.#view(this.count());
  }

  /** A length and that many bytes, copied, so that the value does not hold the whole message in memory. */
  copy(): Bytes {
    return this.view().slice();
  }

  /** So many bytes without a length before them, copied. */
  take(length: number): Bytes {
    return this.#view(length).slice();
  }

  string(): string {
    return utf8Decoder.decode(this.view());
  }

  /** Steps over the value of a field that is of no interest. */
  skip(wireType: number): void {
    if (wireType === VARINT) this.uint64();
    else if (wireType === LENGTH_DELIMITED) {
      const length = this.count();
      this.#need(length);
      this.pos += length;
    } else if (wireType === FIXED64 || wireType === FIXED32) {
      const size = wireType === FIXED64 ? 8 : 4;
      this.#need(size);
      this.pos += size;
    } else throw new Error(`wire: unknown wire type ${wireType}`);
  }

  #view(length: number): Bytes {
    this.#need(length);
    const view = this.bytes.subarray(this.pos, this.pos + length);
    this.pos += length;
    return view;
  }

  #need(length: number): void {
    if (length > this.end - this.pos) throw new Error(`wire: ${length} bytes wanted at byte ${this.pos}, message ends`);
  }

  #byte(): number {
    if (this.pos >= this.end) throw new Error("wire: message ends inside a varint");
    return this.bytes[this.pos++]!;
  }
}

/** An unsigned 64-bit varint at `pos`; returns the position after it. */
export function readUvarint(bytes: Bytes, pos: number, end = bytes.length): { value: bigint; pos: number } {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    if (pos + i >= end) throw new Error("wire: message ends inside a varint");
    const byte = bytes[pos + i]!;
    if (i === 9 && byte > 1) break;
    value |= BigInt(byte & 127) << BigInt(7 * i);
    if (byte < 128) return { value, pos: pos + i + 1 };
  }
  throw new Error(`wire: varint too large at byte ${pos}`);
}

/** The reader's answer to a tag that its message does not have. */
export function unknownField(message: string, tag: number): Error {
  return new Error(`${message}: unexpected field ${Math.floor(tag / 8)} of wire type ${tag & 7}`);
}
