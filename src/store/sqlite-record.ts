// How a value lies in SQLite so that damage is noticed: every record carries the height it was written at and a
// checksum over all that it says, and every read checks both.
//
// A record is the value (null: the key was absent) of one key during an interval of heights: from `since`, where it
// was written, until the height of the commit that replaced it (`until`; 0 for a record that is still the newest).
// The intervals of a key chain: each begins where the one before it ended. So a record lost out of the middle is
// noticed as well: the reader at a height inside the lost interval comes upon the next record, which begins too late.
//
// A damaged key is noticed by the searches that it leads astray (sqlite-edges.ts). What no read can see: a lost record
// with none after it, which is the newest value of a key, or the last value of a key that was removed. Callers that must
// not be fooled hold absence against a list that is counted; verifySqliteStore finds it by the structure of the file.

import type { Bytes } from "../codec/bytes.ts";
import { DamagedRecord } from "./store.ts";

/** The columns of a record beside its key (and, in the history, its height) as they come from the file, unchecked. */
export type RecordRow = { readonly since: number; readonly crc: number; readonly value: Bytes | null };

/** `until` of a record that nothing has replaced. */
export const STILL = 0;

/** `since` of the absence of a key that was never there before. */
export const ALWAYS = 0;

export function checksum(key: Bytes, since: number, until: number, value: Bytes | null): number {
  // The CRC of what follows depends on its seed bit by bit, so a change of key, since or until alone always shows.
  const seed = (Bun.hash.crc32(key) ^ fold(since) ^ Math.imul(fold(until), 0x9e3779b1)) >>> 0;
  return value === null ? ~seed >>> 0 : Bun.hash.crc32(value, seed);
}

/** The value of a record that a read at `height` has come upon. Throws DamagedRecord where it cannot be right. */
export function checkedValue(key: Bytes, until: number, row: RecordRow, height: number): Bytes | null {
  const { since, crc, value } = row;
  const sound =
    key instanceof Uint8Array &&
    (value === null || value instanceof Uint8Array) &&
    typeof since === "number" &&
    crc === checksum(key, since, until, value);
  if (!sound) throw new DamagedRecord(`the record of key ${hex(key)} is damaged: its checksum does not match`);
  if (since > height) {
    throw new DamagedRecord(`the record of key ${hex(key)} at height ${height} is lost: the next one is of ${since}`);
  }
  return value;
}

/** 53 bits onto 32, such that a change of any one bit changes the result. */
function fold(height: number): number {
  return height ^ (height / 0x1_0000_0000);
}

function hex(key: unknown): string {
  return key instanceof Uint8Array ? key.toHex() : String(key);
}
