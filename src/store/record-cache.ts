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

type Seek = { readonly entry: Entry; readonly version: number };

/**
 * The first entries of ranges. A change of any key might be one of a range's first: those that begin with the same byte
 * are all out of date then, which is seldom where readers seek, as keys are parted by that byte.
 */
export class SeekCache {
  readonly #seeks = new Kept<string, Seek>(SHARE_OF.seeks, (bounds, { entry: [key, value] }) => {
    return bounds.length + key.length + value.length + OVERHEAD;
  });
  /** How often keys with a first byte have changed. */
  readonly #versions = new Float64Array(256);

  get({ start, end }: RangeRequest): Entry | undefined {
    const seek = this.#seeks.get(boundsOf(start, end));
    return seek?.version === this.#versions[start[0] as number] ? seek?.entry : undefined;
  }

  set({ start, end }: RangeRequest, entry: Entry): void {
    if (start[0] === undefined || start[0] !== end[0]) return;
    this.#seeks.set(boundsOf(start, end), { entry, version: this.#versions[start[0]] as number });
  }

  forget(changed: Bytes): void {
    if (changed[0] !== undefined) this.#versions[changed[0]] = (this.#versions[changed[0]] as number) + 1;
  }

  clear(): void {
    this.#seeks.clear();
  }
}

function boundsOf(start: Bytes, end: Bytes): string {
  return `${start.length} ${nameOf(start)}${nameOf(end)}`;
}

/** A key as a map takes it: one character for each byte. */
export function nameOf(key: Bytes): string {
  return Buffer.prototype.latin1Slice.call(key, 0, key.length);
}
