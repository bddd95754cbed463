// The newest values that were read lately, already checked: a read that finds its record here costs a tenth of one that
// SQLite answers. It belongs to one head; whoever moves the head says which keys changed, or starts it anew.

import type { Bytes } from "../codec/bytes.ts";
import { Kept, SHARE_OF } from "../kept.ts";
import type { Entry, RangeRequest } from "./store.ts";

/** What a record takes beside its bytes, about. */
const OVERHEAD = 160;

export type RecordCache = Kept<string, Bytes>;

/** The names of records are their keys, as nameOf gives them. */
export function createRecordCache(): RecordCache {
  return new Kept(SHARE_OF.records, (name, value) => name.length + value.length + OVERHEAD);
}

/**
 * The first entries of ranges. A change of any key might be one of a range's first: those that begin with the same byte
 * are all forgotten then, which is seldom where readers seek, as keys are parted by that byte.
 */
export class SeekCache {
  readonly #byFirstByte = new Map<number, Kept<string, Entry>>();

  get({ start, end }: RangeRequest): Entry | undefined {
    return this.#byFirstByte.get(start[0] as number)?.get(boundsOf(start, end));
  }

  set({ start, end }: RangeRequest, entry: Entry): void {
    if (start[0] === undefined || start[0] !== end[0]) return;
    let entries = this.#byFirstByte.get(start[0]);
    if (entries === undefined) {
      entries = new Kept(SHARE_OF.seeks, (name, [key, value]) => name.length + key.length + value.length + OVERHEAD);
      this.#byFirstByte.set(start[0], entries);
    }
    entries.set(boundsOf(start, end), entry);
  }

  forget(changed: Bytes): void {
    this.#byFirstByte.delete(changed[0] as number);
  }

  clear(): void {
    this.#byFirstByte.clear();
  }
}

function boundsOf(start: Bytes, end: Bytes): string {
  return `${start.length} ${nameOf(start)}${nameOf(end)}`;
}

/** A key as a map takes it: one character for each byte. */
export function nameOf(key: Bytes): string {
  return Buffer.prototype.latin1Slice.call(key, 0, key.length);
}
