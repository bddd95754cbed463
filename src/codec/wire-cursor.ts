// Reads the protobuf wire format for the transcoder: positions in and out, no values made on the way. wire.ts is the
// reader for everything that wants values.

import type { Bytes } from "./bytes.ts";
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT } from "./wire.ts";

/** Bytes that are not the protobuf message they should be. */
export class WireError extends Error {
  override readonly name = "WireError";
}

export class WireCursor {
  readonly bytes: Bytes;
  at = 0;
  /** The bits of the last varint, as two 32-bit integers with a sign: that is what the machine counts fastest with. */
  low = 0;
  high = 0;
  /** How many messages enclose the current one. */
  depth: number;
  /** Set inside a message that came out of field order: every message below is put in order before it is printed. */
  readonly careful: boolean;

  constructor(bytes: Bytes, depth = 0, careful = false) {
    this.bytes = bytes;
    this.depth = depth;
    this.careful = careful;
  }

  /** The next tag, as field * 8 + wire type. */
  tag(end: number): number {
    const first = this.bytes[this.at]!;
    if (this.at < end && first < 128 && first >= 8) {
      this.at++;
      return first;
    }
    this.varint(end);
    const tag = this.low >>> 0;
    if (this.high !== 0 || tag < 8) throw new WireError(`field number out of range at byte ${this.at}`);
    return tag;
  }

  /** Reads into `low` and `high`. */
  varint(end: number): void {
    const { bytes } = this;
    let at = this.at;
    const first = bytes[at]!;
    if (at < end && first < 128) {
      this.at = at + 1;
      this.low = first;
      this.high = 0;
      return;
    }
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (at >= end) throw new WireError("the message ends inside a number");
      const byte = bytes[at++]!;
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) {
        if (shift === 63 && byte > 1) break;
        this.at = at;
        this.low = low;
        this.high = high;
        return;
      }
    }
    throw new WireError(`a number of more than 64 bits at byte ${this.at}`);
  }

  /** Reads a length; returns where the value ends. The value begins at the cursor. */
  delimited(end: number): number {
    this.varint(end);
    const stop = this.at + this.low;
    const isLong = this.high !== 0 || this.low < 0;
    if (isLong || stop > end) throw new WireError(`a value longer than its message at byte ${this.at}`);
    return stop;
  }

  /** Steps over the value that follows `tag`. */
  skip(tag: number, end: number): void {
    const wireType = tag & 7;
    if (wireType === VARINT) this.varint(end);
    else if (wireType === LENGTH_DELIMITED) this.at = this.delimited(end);
    else if (wireType === FIXED64 || wireType === FIXED32) this.at += wireType === FIXED64 ? 8 : 4;
    else throw new WireError(`unknown wire type ${wireType} at byte ${this.at}`);
    if (this.at > end) throw new WireError("the message ends inside a value");
  }
}
