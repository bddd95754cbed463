// A snapshot that counts what is read from it: what an answer cost the store, in records.

import type { Bytes } from "../codec/bytes.ts";
import type { Entry, RangeRequest, Snapshot } from "../store/store.ts";

export class CountedSnapshot implements Snapshot {
  readonly height: bigint;
  /** Keys that were looked up, found or not, and entries of ranges. */
  rows = 0;
  readonly #view: Snapshot;

  constructor(view: Snapshot) {
    this.#view = view;
    this.height = view.height;
  }

  get newest(): boolean {
    return this.#view.newest;
  }

  get(key: Bytes): Promise<Bytes | null> {
    this.rows += 1;
    return this.#view.get(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | null)[]> {
    this.rows += keys.length;
    return this.#view.getMany(keys);
  }

  async range(request: RangeRequest): Promise<Entry[]> {
    const entries = await this.#view.range(request);
    this.rows += entries.length;
    return entries;
  }

  close(): void {
    this.#view.close();
  }
}
