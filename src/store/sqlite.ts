// The embedded engine: a store in one SQLite file, on the SQLite that the runtime brings.
//
// `latest` holds the newest value of each key. `history` holds, for each key and height, what the commit at that height
// replaced. A read at a height takes the first history record above it, else the latest one.

import type { Bytes } from "../codec/bytes.ts";
import { checkCommitOrder } from "./commit-order.ts";
import { openWriteConnection } from "./sqlite-file.ts";
import type { Marker } from "./sqlite-marker.ts";
import { FollowingTransaction, ReadTransaction } from "./sqlite-transaction.ts";
import { SqliteView } from "./sqlite-view.ts";
import { SqliteWriter } from "./sqlite-writer.ts";
import type { Change, Entry, RangeRequest, Retention, Snapshot, Store } from "./store.ts";
import { HeightNotKept } from "./store.ts";

export type SqliteOptions = {
  readonly path: string;
  /** Default "all". A store that has kept less does not get lost heights back. */
  readonly keep?: Retention;
  /** Reads beside a writer in another process, and never writes. */
  readonly readonly?: boolean;
};

export function openSqliteStore({ path, keep = "all", readonly = false }: SqliteOptions): Store {
  if (keep !== "all" && !(Number.isSafeInteger(keep) && keep >= 1)) {
    throw new RangeError(`keep must be "all" or a whole number of heights from 1, not ${keep}`);
  }
  const writer = readonly ? null : new SqliteWriter(openWriteConnection(path), keep);
  try {
    const transaction = readonly ? new FollowingTransaction(path) : new ReadTransaction(path);
    return new SqliteStore(transaction, writer, readonly ? "all" : keep);
  } catch (error) {
    writer?.close();
    throw error;
  }
}

class SqliteStore implements Store {
  readonly keep: Retention;
  readonly #transaction: ReadTransaction;
  readonly #view: SqliteView;
  readonly #writer: SqliteWriter | null;
  #heightsOf: Marker | null = null;
  #known: { readonly head: bigint | null; readonly earliest: bigint | null } = { head: null, earliest: null };

  constructor(transaction: ReadTransaction, writer: SqliteWriter | null, keep: Retention) {
    this.keep = keep;
    this.#transaction = transaction;
    this.#view = new SqliteView(transaction);
    this.#writer = writer;
    // A damaged file shall say so when it is opened, not at the first request.
    transaction.marker();
  }

  head(): bigint | null {
    return this.#heights().head;
  }

  earliest(): bigint | null {
    return this.#heights().earliest;
  }

  at(height: bigint): Snapshot {
    const { head, earliest } = this.#transaction.marker();
    if (head === null || earliest === null || height < earliest || height > head) {
      throw new HeightNotKept(height, this.earliest(), this.head());
    }
    return new SqliteSnapshot(this.#transaction, this.#view, height);
  }

  /** Made once for each state of the marker: every request asks several times. */
  #heights(): { readonly head: bigint | null; readonly earliest: bigint | null } {
    const marker = this.#transaction.marker();
    if (marker !== this.#heightsOf) {
      const { head, earliest } = marker;
      this.#heightsOf = marker;
      this.#known = {
        head: head === null ? null : BigInt(head),
        earliest: earliest === null ? null : BigInt(earliest),
      };
    }
    return this.#known;
  }

  async commit(height: bigint, changes: readonly Change[]): Promise<void> {
    const { head } = this.#transaction.marker();
    if (this.#writer === null) throw new Error("the store is open for reading only");
    checkCommitOrder(this.head(), height);
    this.#transaction.release();
    this.#writer.commit(head, Number(height), changes);
    this.#view.committed(head, Number(height), changes);
    this.#writer.checkpoint();
  }

  async close(): Promise<void> {
    // The writer goes last: the last connection to close empties the log, and a reading one cannot.
    this.#transaction.close();
    this.#writer?.close();
  }
}

/** Only a height: when the head has moved on, it reads on through the history. */
class SqliteSnapshot implements Snapshot {
  readonly height: bigint;
  readonly #height: number;
  readonly #transaction: ReadTransaction;
  readonly #view: SqliteView;

  constructor(transaction: ReadTransaction, view: SqliteView, height: bigint) {
    this.height = height;
    this.#height = Number(height);
    this.#transaction = transaction;
    this.#view = view;
  }

  get newest(): boolean {
    return this.#transaction.marker().head === this.#height;
  }

  async get(key: Bytes): Promise<Bytes | null> {
    return this.#view.get(this.#height, key);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | null)[]> {
    return keys.map((key) => this.#view.get(this.#height, key));
  }

  async range(request: RangeRequest): Promise<Entry[]> {
    return this.#view.range(this.#height, request);
  }

  close(): void {}
}
