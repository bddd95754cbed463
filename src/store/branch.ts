// Pending writes over a reader: what execution works on. Dropping a branch undoes it; a branch can stand on another.

import { type Bytes, compareBytes, toHex } from "../codec/bytes.ts";
import { firstNotBelow } from "./sorted-keys.ts";
import type { Change, Entry, RangeRequest, Reader } from "./store.ts";

/** Keys and values given to a branch are kept as they are: the caller must not change their bytes afterwards. */
export interface Branch extends Reader {
  has(key: Bytes): Promise<boolean>;
  set(key: Bytes, value: Bytes): void;
  delete(key: Bytes): void;
  /** The last write of each key, in the order of first writes; writes of an equal value are among them. */
  changes(): Change[];
  /** Writes them in their order; those of another branch, as if they had been made here. */
  apply(changes: readonly Change[]): void;
}

export function createBranch(base: Reader): Branch {
  return new PendingWrites(base);
}

class PendingWrites implements Branch {
  readonly #base: Reader;
  readonly #pending = new Map<string, Change>();
  /** The keys of `#pending` in byte order, from the first range on; before that, sorting would be wasted. */
  #sorted: string[] | null = null;

  constructor(base: Reader) {
    this.#base = base;
  }

  set(key: Bytes, value: Bytes): void {
    this.#write(key, value);
  }

  delete(key: Bytes): void {
    this.#write(key, null);
  }

  changes(): Change[] {
    return [...this.#pending.values()];
  }

  apply(changes: readonly Change[]): void {
    for (const [key, value] of changes) this.#write(key, value);
  }

  async has(key: Bytes): Promise<boolean> {
    return (await this.get(key)) !== null;
  }

  get(key: Bytes): Promise<Bytes | null> {
    const change = this.#pending.get(toHex(key));
    return change === undefined ? this.#base.get(key) : Promise.resolve(change[1]);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | null)[]> {
    const changes = keys.map((key) => this.#pending.get(toHex(key)));
    const untouched = keys.filter((_, i) => changes[i] === undefined);
    const fromBase = untouched.length > 0 ? await this.#base.getMany(untouched) : [];
    let next = 0;
    return changes.map((change) => (change === undefined ? fromBase[next++]! : change[1]));
  }

  async range(request: RangeRequest): Promise<Entry[]> {
    const pending = this.#pendingIn(request);
    if (pending.length === 0) return this.#base.range(request);
    // Each pending removal can hide one entry of the base, so that many more are asked for.
    const removals = pending.reduce((count, [, value]) => (value === null ? count + 1 : count), 0);
    const below = await this.#base.range({ ...request, limit: request.limit + removals });
    return merge(below, pending, request.reverse === true, request.limit);
  }

  #write(key: Bytes, value: Bytes | null): void {
    const text = toHex(key);
    if (this.#sorted !== null && !this.#pending.has(text)) {
      this.#sorted.splice(firstNotBelow(this.#sorted, text), 0, text);
    }
    this.#pending.set(text, [key, value]);
  }

  #pendingIn({ start, end, reverse }: RangeRequest): Change[] {
    if (this.#pending.size === 0) return [];
    this.#sorted ??= [...this.#pending.keys()].sort((a, b) => (a < b ? -1 : 1));
    const from = firstNotBelow(this.#sorted, toHex(start));
    const to = firstNotBelow(this.#sorted, toHex(end));
    const changes = this.#sorted.slice(from, to).map((text) => this.#pending.get(text)!);
    return reverse ? changes.reverse() : changes;
  }
}

/** Both lists in the direction of the walk; where a key is in both, the pending change counts. */
function merge(below: readonly Entry[], pending: readonly Change[], reverse: boolean, limit: number): Entry[] {
  const entries: Entry[] = [];
  let b = 0;
  let p = 0;
  while (entries.length < limit && (b < below.length || p < pending.length)) {
    const entry = below[b];
    const change = pending[p];
    const order = orderOf(entry, change, reverse);
    if (order < 0) {
      entries.push(entry!);
      b++;
      continue;
    }
    const [key, value] = change!;
    if (value !== null) entries.push([key, value]);
    if (order === 0) b++;
    p++;
  }
  return entries;
}

/** Negative: the entry comes first; positive: the change does; zero: they are of one key. */
function orderOf(entry: Entry | undefined, change: Change | undefined, reverse: boolean): number {
  if (entry === undefined) return 1;
  if (change === undefined) return -1;
  const order = compareBytes(entry[0], change[0]);
  return reverse ? -order : order;
}
