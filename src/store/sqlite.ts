// The embedded engine: a store in one SQLite file, on the SQLite that the runtime brings.
//
// `latest` holds the newest value of each key. `history` holds, for each key and height, what the commit at that height
// replaced. A read at a height takes the first history record above it, else the latest one.

import { checkCommitOrder } from "./commit-order.ts";
import { openReadConnection, openWriteConnection } from "./sqlite-file.ts";
import { SqliteView } from "./sqlite-view.ts";
import { SqliteWriter } from "./sqlite-writer.ts";
import type { Bytes, Change, Entry, RangeRequest, Retention, Snapshot, Store } from "./store.ts";
import { HeightNotKept } from "./store.ts";

export type SqliteOptions = {
  readonly path: string;
  /** Default "all". A store that has kept less does not get lost heights back. */
  readonly keep?: Retention;
  /** Reads beside a writer in another process, and never writes. */
  readonly readonly?: boolean;
};

/** How long a reader beside another process's writer may stay behind, in milliseconds. */
const READ_LIFETIME = 40;

export function openSqliteStore({ path, keep = "all", readonly = false }: SqliteOptions): Store {
  if (keep !== "all" && !(Number.isSafeInteger(keep) && keep >= 1)) {
    throw new RangeError(`keep must be "all" or a whole number of heights from 1, not ${keep}`);
  }
  if (readonly) return openedStore(path, READ_LIFETIME, null);
  return openedStore(path, null, new SqliteWriter(openWriteConnection(path), keep));
}

function openedStore(path: string, lifetime: number | null, writer: SqliteWriter | null): Store {
  try {
    return new SqliteStore(new SqliteView(openReadConnection(path), lifetime), writer);
  } catch (error) {
    writer?.close();
    throw error;
  }
}

class SqliteStore implements Store {
  readonly #view: SqliteView;
  readonly #writer: SqliteWriter | null;

  constructor(view: SqliteView, writer: SqliteWriter | null) {
    this.#view = view;
    this.#writer = writer;
    view.marker();
  }

  head(): bigint | null {
    const { head } = this.#view.marker();
    return head === null ? null : BigInt(head);
  }

  earliest(): bigint | null {
    const { earliest } = this.#view.marker();
    return earliest === null ? null : BigInt(earliest);
  }

  at(height: bigint): Snapshot {
    const { head, earliest } = this.#view.marker();
    if (head === null || earliest === null || height < earliest || height > head) {
      throw new HeightNotKept(height, this.earliest(), this.head());
    }
    return new SqliteSnapshot(this.#view, height);
  }

  async commit(height: bigint, changes: readonly Change[]): Promise<void> {
    const { head } = this.#view.marker();
    if (this.#writer === null) throw new Error("the store is open for reading only");
    checkCommitOrder(this.head(), height);
    this.#view.release();
    this.#writer.commit(head, Number(height), changes);
    this.#writer.checkpoint();
  }

  async close(): Promise<void> {
    // The writer goes last: the last connection to close empties the log, and a reading one cannot.
    this.#view.close();
    this.#writer?.close();
  }
}

/** Only a height: when the head has moved on, it reads on through the history. */
class SqliteSnapshot implements Snapshot {
  readonly height: bigint;
  readonly #height: number;
  readonly #view: SqliteView;

  constructor(view: SqliteView, height: bigint) {
    this.height = height;
    this.#height = Number(height);
    this.#view = view;
  }

  get newest(): boolean {
    return this.#view.marker().head === this.#height;
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
