// The reference engine: everything in maps, written to be plainly right. What it answers is what every engine must.

import { type Bytes, toHex } from "../codec/bytes.ts";
import { checkCommitOrder } from "./commit-order.ts";
import { firstNotBelow, mergeSorted } from "./sorted-keys.ts";
import type { Change, Entry, RangeRequest, Retention, Snapshot, Store } from "./store.ts";
import { HeightNotKept } from "./store.ts";

/** What a key held from `height` on, until its next version: null where it was removed. */
type Version = { readonly height: bigint; readonly value: Bytes | null };

export function openMemoryStore(options: { keep?: Retention } = {}): Store {
  return new MemoryStore(options.keep ?? "all");
}

class MemoryStore implements Store {
  readonly keep: Retention;
  /** Per key, oldest first. */
  readonly #versions = new Map<string, { readonly key: Bytes; readonly list: Version[] }>();
  #sortedKeys: string[] = [];
  /** Keys of `#sortedKeys` that have no version any more: taken out when they have become many, for that takes long. */
  readonly #dropped = new Set<string>();
  /** The keys of each commit above the earliest height, oldest first: what is there to forget when that height moves. */
  readonly #written: { readonly height: bigint; readonly keys: readonly string[] }[] = [];
  #head: bigint | null = null;
  #earliest: bigint | null = null;
  #closed = false;

  constructor(keep: Retention) {
    this.keep = keep;
  }

  head(): bigint | null {
    return this.#head;
  }

  earliest(): bigint | null {
    return this.#earliest;
  }

  at(height: bigint): Snapshot {
    this.requireKept(height);
    return new MemorySnapshot(this, height);
  }

  async commit(height: bigint, changes: readonly Change[]): Promise<void> {
    if (this.#closed) throw new Error("the store is closed");
    checkCommitOrder(this.#head, height);
    // Copied before anything is touched: the caller's list may fail half way, the commit may not.
    const copies = changes.map(([key, value]): Change => [key.slice(), value === null ? null : value.slice()]);
    const last = new Map(copies.map((change) => [toHex(change[0]), change]));
    const newKeys: string[] = [];
    for (const [text, [key, value]] of last) {
      const versions = this.#versions.get(text);
      if (versions !== undefined) versions.list.push({ height, value });
      else if (value !== null) {
        this.#versions.set(text, { key, list: [{ height, value }] });
        if (!this.#dropped.delete(text)) newKeys.push(text);
      }
    }
    if (newKeys.length > 0) this.#sortedKeys = mergeSorted(this.#sortedKeys, newKeys.sort(byCodeUnit));
    this.#head = height;
    this.#earliest ??= height;
    if (this.keep === "all") return;
    this.#written.push({ height, keys: [...last.keys()] });
    this.#forgetBelow(height - BigInt(this.keep) + 1n);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  requireKept(height: bigint): void {
    if (this.#closed) throw new Error("the store is closed");
    if (this.#head === null || height > this.#head || height < this.#earliest!) {
      throw new HeightNotKept(height, this.#earliest, this.#head);
    }
  }

  valueAt(height: bigint, text: string): Bytes | null {
    const version = this.#versions.get(text)?.list.findLast((candidate) => candidate.height <= height);
    return version?.value ?? null;
  }

  rangeAt(height: bigint, { start, end, reverse, limit }: RangeRequest): Entry[] {
    const first = firstNotBelow(this.#sortedKeys, toHex(start));
    const keys = this.#sortedKeys.slice(first, firstNotBelow(this.#sortedKeys, toHex(end)));
    if (reverse) keys.reverse();
    const entries: Entry[] = [];
    for (const key of keys) {
      if (entries.length >= limit) break;
      const value = this.valueAt(height, key);
      if (value !== null) entries.push([this.#versions.get(key)!.key, value]);
    }
    return entries;
  }

  /** Moves the earliest height up to `height`, and drops the versions that only older heights could see. */
  #forgetBelow(height: bigint): void {
    if (height <= this.#earliest!) return;
    this.#earliest = height;
    while (this.#written.length > 0 && this.#written[0]!.height <= height) {
      for (const key of this.#written.shift()!.keys) this.#forgetVersions(key, height);
    }
    if (this.#dropped.size * 2 <= this.#sortedKeys.length) return;
    this.#sortedKeys = this.#sortedKeys.filter((key) => !this.#dropped.has(key));
    this.#dropped.clear();
  }

  #forgetVersions(key: string, height: bigint): void {
    const list = this.#versions.get(key)?.list;
    if (list === undefined) return;
    const visible = list.findLastIndex((version) => version.height <= height);
    if (visible > 0) list.splice(0, visible);
    if (list.length > 1 || list[0]!.value !== null) return;
    this.#versions.delete(key);
    this.#dropped.add(key);
  }
}

class MemorySnapshot implements Snapshot {
  readonly height: bigint;
  readonly #store: MemoryStore;

  constructor(store: MemoryStore, height: bigint) {
    this.#store = store;
    this.height = height;
  }

  get newest(): boolean {
    return this.#store.head() === this.height;
  }

  async get(key: Bytes): Promise<Bytes | null> {
    this.#store.requireKept(this.height);
    return this.#store.valueAt(this.height, toHex(key));
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | null)[]> {
    this.#store.requireKept(this.height);
    return keys.map((key) => this.#store.valueAt(this.height, toHex(key)));
  }

  async range(request: RangeRequest): Promise<Entry[]> {
    this.#store.requireKept(this.height);
    return this.#store.rangeAt(this.height, request);
  }

  close(): void {}
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
