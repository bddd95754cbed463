// google.protobuf.Timestamp as RFC 3339 text. A block carries one for every validator's signature, hence digits straight
// into the buffer; time.ts has the forms for values.

import type { JsonBuffer } from "./json-buffer.ts";
import type { Spelling } from "./json-spelling.ts";
import type { Value } from "./transcode-value.ts";
import { LENGTH_DELIMITED, VARINT } from "./wire.ts";
import { type WireCursor, WireError } from "./wire-cursor.ts";

const SECONDS_TAG = 8 + VARINT;
const NANOS_TAG = 16 + VARINT;
const QUOTE = 0x22;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const T = 0x54;
const Z = 0x5a;

const DAY = 86_400;
/** The years 1 to 9999, which are all that RFC 3339 can say. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

export function timestampValue(spelling: Spelling): Value {
  return {
    wireType: LENGTH_DELIMITED,
    print(cursor, out, end) {
      const stop = cursor.delimited(end);
      let seconds = 0;
      let nanos = 0;
      while (cursor.at < stop) {
        const tag = cursor.tag(stop);
        if (tag === SECONDS_TAG) seconds = readSeconds(cursor, stop);
        else if (tag === NANOS_TAG) nanos = readNanos(cursor, stop);
        else cursor.skip(tag, stop);
      }
      printTime(out, seconds, nanos, fractionDigits(nanos, spelling));
    },
  };
}

function readSeconds(cursor: WireCursor, end: number): number {
  cursor.varint(end);
  // The upper half is signed; beyond 2^53 the sum is inexact, but also far out of range.
  const seconds = cursor.high * 0x100000000 + (cursor.low >>> 0);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) throw new WireError(`a time ${seconds} seconds from 1970`);
  return seconds;
}

function readNanos(cursor: WireCursor, end: number): number {
  cursor.varint(end);
  if (cursor.high !== 0 || cursor.low < 0 || cursor.low > 999_999_999)
    throw new WireError("a time with nanoseconds out of range");
  return cursor.low;
}

/** Milliseconds, cut, on the primary paths; under the ecosystem's spelling as few groups of three as hold the value. */
function fractionDigits(nanos: number, spelling: Spelling): number {
  if (spelling === "primary") return 3;
  if (nanos === 0) return 0;
  if (nanos % 1_000_000 === 0) return 3;
  return nanos % 1000 === 0 ? 6 : 9;
}

function printTime(out: JsonBuffer, seconds: number, nanos: number, digits: number): void {
  const day = Math.floor(seconds / DAY);
  const second = seconds - day * DAY;
  out.byte(QUOTE);
  printDate(out, day);
  out.byte(T);
  out.padded(Math.floor(second / 3600), 2);
  out.byte(COLON);
  out.padded(Math.floor(second / 60) % 60, 2);
  out.byte(COLON);
  out.padded(second % 60, 2);
  if (digits > 0) {
    out.byte(DOT);
    out.padded(Math.floor(nanos / 10 ** (9 - digits)), digits);
  }
  out.byte(Z);
  out.byte(QUOTE);
}

/** Years are counted from March, so that the leap day is the last of its year, in eras of 400 years of equal length. */
function printDate(out: JsonBuffer, daysSince1970: number): void {
  const days = daysSince1970 + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const isNextYear = monthFromMarch >= 10;
  out.padded(era * 400 + yearOfEra + (isNextYear ? 1 : 0), 4);
  out.byte(DASH);
  out.padded(isNextYear ? monthFromMarch - 9 : monthFromMarch + 3, 2);
  out.byte(DASH);
  out.padded(dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1, 2);
}
