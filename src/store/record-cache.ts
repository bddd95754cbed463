// The newest values that were read lately, already checked: a read that finds its record here costs a tenth of one that
// SQLite answers. It belongs to one head; whoever moves the head says which keys changed, or starts it anew.

import type { Bytes } from "../codec/bytes.ts";
import { Generations } from "../generations.ts";

/** What a record takes beside its bytes, about. */
const OVERHEAD = 160;

export type RecordCache = Generations<string, Bytes>;

/** `limit` is in bytes. The names of records are their keys, as nameOf gives them. */
export function createRecordCache(limit: number): RecordCache {
  return new Generations(limit, (name, value) => name.length + value.length + OVERHEAD);
}

/** A key as a map takes it: one character for each byte. */
export function nameOf(key: Bytes): string {
  return Buffer.prototype.latin1Slice.call(key, 0, key.length);
}
