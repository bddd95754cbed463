// Instants with nanoseconds. A JavaScript Date has milliseconds only, and signatures cover all nine digits.

import { type Codec, int32, int64, message } from "./message.ts";

/** Seconds since 1970 (negative before it) and 0 to 999,999,999 nanoseconds after that second. */
export type Time = { readonly seconds: bigint; readonly nanos: number };

/**
 * minimal: as CometBFT's RPC writes, without trailing zeros. grouped: 0, 3, 6 or 9 digits, as protobuf JSON does.
 * millis: always three digits, cut, never rounded.
 */
export type TimeStyle = "minimal" | "grouped" | "millis";

/** The time that an absent signature carries: Go's zero time, the first instant of year 1. */
export const GO_ZERO_TIME: Time = { seconds: -62135596800n, nanos: 0 };

const LAST_SECOND = 253402300799n;
const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?Z$/;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const timestamp = message<Time>("Timestamp", { seconds: int64(1), nanos: int32(2) });

/** google.protobuf.Timestamp; refuses times outside the years 1 to 9999, as the reference does. */
export const timeCodec: Codec<Time> = {
  encode(time) {
    checkTime(time);
    return timestamp.encode(time);
  },
  decode(bytes) {
    const time = timestamp.decode(bytes);
    checkTime(time);
    return time;
  },
};

/** RFC 3339 in UTC with the letter Z, up to nine fraction digits; throws on anything else. */
export function parseTime(text: string): Time {
  const match = FORM.exec(text);
  if (match === null) throw new Error(`not an RFC 3339 time in UTC: ${JSON.stringify(text)}`);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const exists =
    year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) && hour < 24 && minute < 60;
  if (!exists || second >= 60) throw new Error(`no such time: ${JSON.stringify(text)}`);
  const seconds = daysSinceEpoch(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
  return { seconds: BigInt(seconds), nanos: Number((match[7] ?? "").padEnd(9, "0")) };
}

export function formatTime(time: Time, style: TimeStyle): string {
  checkTime(time);
  // A Date is exact to the second over all of these years; its text always has the form YYYY-MM-DDTHH:MM:SS.000Z.
  const whole = new Date(Number(time.seconds) * 1000).toISOString().slice(0, 19);
  const digits = fraction(time.nanos, style);
  return digits === "" ? `${whole}Z` : `${whole}.${digits}Z`;
}

export function compareTimes(a: Time, b: Time): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return a.nanos - b.nanos;
}

export function addMillis(time: Time, millis: number): Time {
  const nanos = BigInt(time.nanos) + BigInt(millis) * 1_000_000n;
  const rest = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { seconds: time.seconds + (nanos - rest) / 1_000_000_000n, nanos: Number(rest) };
}

/** From a clock's milliseconds since 1970. */
export function timeFromMillis(millis: number): Time {
  return addMillis({ seconds: 0n, nanos: 0 }, Math.floor(millis));
}

/** Throws outside the years 1 to 9999, which are all that RFC 3339 and protobuf can say. */
function checkTime({ seconds, nanos }: Time): void {
  const inRange = seconds >= GO_ZERO_TIME.seconds && seconds <= LAST_SECOND;
  if (!inRange || !Number.isInteger(nanos) || nanos < 0 || nanos > 999_999_999) {
    throw new Error(`time out of range: ${seconds} s, ${nanos} ns`);
  }
}

function fraction(nanos: number, style: TimeStyle): string {
  const digits = String(nanos).padStart(9, "0");
  if (style === "millis") return digits.slice(0, 3);
  if (style === "minimal") return digits.replace(/0+$/, "");
  if (nanos === 0) return "";
  return digits.replace(/(?:000){1,2}$/, "");
}

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : MONTH_LENGTHS[month - 1]!;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysSinceEpoch(year: number, month: number, day: number): number {
  const before = year - 1;
  let days = before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  for (let m = 1; m < month; m++) days += daysInMonth(year, m);
  return days + day - 1 - 719162;
}
