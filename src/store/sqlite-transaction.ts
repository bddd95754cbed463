// The read transaction that a view keeps open, which saves the lock calls of each statement, and when it is renewed:
// the newest commit is seen by a new transaction alone, and an old one keeps the writer from emptying its log.

import type { Database } from "bun:sqlite";
import { naming, openReadConnection } from "./sqlite-file.ts";
import { type Marker, prepareMarker } from "./sqlite-marker.ts";

export class ReadTransaction {
  readonly database: Database;
  readonly #begin;
  readonly #end;
  readonly #readMarker;
  #marker: Marker | null = null;
  #closed = false;

  constructor(path: string) {
    this.database = openReadConnection(path);
    this.#begin = this.database.query("BEGIN");
    this.#end = this.database.query("COMMIT");
    this.#readMarker = naming(() => prepareMarker(this.database).read);
  }

  /** The heights that the transaction sees; begins one where none is open. */
  marker(): Marker {
    return this.#marker ?? this.#open();
  }

  /** Ends the transaction: the next read sees the newest commit. */
  release(): void {
    if (this.#marker === null) return;
    this.#marker = null;
    this.#finish();
  }

  close(): void {
    if (this.#closed) return;
    this.release();
    this.#closed = true;
    this.database.close();
  }

  #open(): Marker {
    if (this.#closed) throw new Error("the store is closed");
    return naming(() => {
      this.#begin.run();
      try {
        this.#marker = this.#readMarker();
        return this.#marker;
      } catch (error) {
        this.#finish();
        throw error;
      }
    });
  }

  #finish(): void {
    try {
      this.#end.run();
    } catch {
      // A damaged file can refuse even this, and then refuses the next read too, which has somebody to tell.
    }
  }
}

/** After how many milliseconds a reader beside another process's writer takes a new transaction. */
const LIFETIME = 20;

/** Beside a writer in another process: renews itself while it is in use, and lets go when it is not. */
export class FollowingTransaction extends ReadTransaction {
  readonly #step: ReadTransaction;
  #timer: Timer | null = null;
  #used = false;

  constructor(path: string) {
    super(path);
    this.#step = new ReadTransaction(path);
  }

  override marker(): Marker {
    this.#used = true;
    this.#timer ??= setTimeout(() => this.#renew(), LIFETIME).unref();
    return super.marker();
  }

  override close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#step.close();
    super.close();
  }

  /**
   * SQLite has few places for readers in its log, and a writer that would empty the log waits until the places of old
   * readers are free. One that ends and begins at once takes the same place again, too quickly for the writer to see
   * it free. So a second connection takes the next place first, and this one joins it there.
   */
  #renew(): void {
    this.#timer = null;
    const inUse = this.#used;
    this.#used = false;
    if (!inUse) {
      this.release();
      return;
    }
    try {
      this.#step.marker();
      this.release();
      super.marker();
      this.#timer = setTimeout(() => this.#renew(), LIFETIME).unref();
    } catch {
      // The next read meets the same fault, and has somebody to tell.
      this.release();
    }
    this.#step.release();
  }
}
