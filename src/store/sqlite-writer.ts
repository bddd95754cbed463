// The writing side of a SQLite store: one commit is one transaction, made durable before it is acknowledged.

import type { Database } from "bun:sqlite";
import { type Bytes, equalBytes } from "../codec/bytes.ts";
import { inKeyOrder } from "./in-key-order.ts";
import { naming } from "./sqlite-file.ts";
import { type Marker, prepareMarker } from "./sqlite-marker.ts";
import { ALWAYS, checkedValue, checksum, type RecordRow, STILL } from "./sqlite-record.ts";
import type { Change, Entry, Retention } from "./store.ts";

/** From this many pages on, the write-ahead log is copied into the file after a commit, as far as readers let it. */
const CHECKPOINT_PAGES = 256;
/** From this many on, the writer waits for the readers of other processes to let go, and the log begins anew. */
const RESTART_PAGES = 1024;
/** How long it waits, in milliseconds: they renew their read transactions far more often. */
const RESTART_WAIT = 200;

/** Rows of a first commit, which may be millions, go in at half the cost when a statement takes many of them. */
const ROWS_AT_ONCE = 50;

/** History records dropped per commit beyond twice its changes: a store that shall keep less shrinks step by step. */
const PRUNED_PER_COMMIT = 1000;

export class SqliteWriter {
  readonly #database: Database;
  readonly #keep: Retention;
  readonly #statements: ReturnType<typeof prepare>;
  #checkpointAt = CHECKPOINT_PAGES;
  #failure: unknown = null;

  constructor(database: Database, keep: Retention) {
    this.#database = database;
    this.#keep = keep;
    this.#statements = naming(() => {
      // Pruning finds what it drops by height; a store that keeps everything is spared the second tree.
      if (keep === "all") database.run("DROP INDEX IF EXISTS history_by_height");
      else database.run("CREATE INDEX IF NOT EXISTS history_by_height ON history (height)");
      return prepare(database);
    });
  }

  /**
   * Makes `height` follow `head`. Any failure (a full disk, a failed flush) stops the writer for good: what the
   * storage then holds is known only after it has been opened and recovered anew.
   */
  commit(head: number | null, height: number, changes: readonly Change[]): void {
    if (this.#failure !== null) {
      throw new Error(`height ${height} is not committed: the writer stopped at an earlier failure`, {
        cause: this.#failure,
      });
    }
    try {
      naming(() => this.#transaction(head, height, changes));
    } catch (error) {
      this.#failure = error;
      if (this.#database.inTransaction) this.#rollback();
      throw error;
    }
  }

  /**
   * Keeps the write-ahead log short. To be called after a commit, while the readers of this process hold no read
   * transaction: the log can begin anew only when nobody reads from it.
   */
  checkpoint(): void {
    try {
      const pages = this.#pagesInLog();
      if (pages < CHECKPOINT_PAGES) this.#checkpointAt = CHECKPOINT_PAGES;
      if (pages < this.#checkpointAt) return;
      this.#checkpointAt = pages + CHECKPOINT_PAGES;
      if (pages < RESTART_PAGES) this.#database.run("PRAGMA wal_checkpoint(PASSIVE)");
      else this.#restartLog();
    } catch (error) {
      // The commit stands: it is in the log. The next one would build on storage that has just failed.
      this.#failure = error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #transaction(head: number | null, height: number, changes: readonly Change[]): void {
    const { begin, marker, commit } = this.#statements;
    begin.run();
    const before = marker.read();
    if (before.head !== head) throw new Error("another process has written to the store");
    // In key order a large commit fills the tree from left to right.
    const ordered = inKeyOrder(changes);
    if (head === null) this.#writeFirst(height, ordered);
    else for (const change of ordered) this.#write(head, height, change);
    const after: Marker = { head: height, earliest: earliestAfter(before, height, this.#keep) };
    if (this.#keep !== "all") this.#prune(after.earliest!, PRUNED_PER_COMMIT + 2 * changes.length);
    marker.write(after);
    commit.run();
  }

  #writeFirst(height: number, changes: readonly Change[]): void {
    const { addRows } = this.#statements;
    const entries = changes.filter((change): change is Entry => change[1] !== null);
    const whole = entries.length - (entries.length % ROWS_AT_ONCE);
    const values: (Bytes | number)[] = [];
    for (let start = 0; start < whole; start += ROWS_AT_ONCE) {
      for (let row = 0; row < ROWS_AT_ONCE; row++) {
        const [key, value] = entries[start + row]!;
        values[row * 4] = key;
        values[row * 4 + 1] = height;
        values[row * 4 + 2] = checksum(key, height, STILL, value);
        values[row * 4 + 3] = value;
      }
      addRows.run(...values);
    }
    for (const [key, value] of entries.slice(whole)) this.#putLatest(key, height, value);
  }

  #write(head: number, height: number, [key, value]: Change): void {
    const row = this.#statements.latest.get(key);
    const old = row === null ? null : checkedValue(key, STILL, row, head);
    if (old === null ? value === null : value !== null && equalBytes(old, value)) return;
    const since = row === null ? this.#absentSince(key) : row.since;
    this.#statements.addHistory.run(key, height, since, checksum(key, since, height, old), old);
    if (value === null) this.#statements.removeLatest.run(key);
    else this.#putLatest(key, height, value);
  }

  #putLatest(key: Bytes, height: number, value: Bytes): void {
    this.#statements.putLatest.run(key, height, checksum(key, height, STILL, value), value);
  }

  #absentSince(key: Bytes): number {
    return this.#statements.lastReplaced.get(key)?.height ?? ALWAYS;
  }

  /** A record of height h serves the heights below h, so those of the earliest height and below serve nobody. */
  #prune(earliest: number, atMost: number): void {
    this.#statements.prune.run(earliest, atMost);
  }

  #pagesInLog(): number {
    return this.#statements.logState.get()!.log;
  }

  #restartLog(): void {
    this.#database.run(`PRAGMA busy_timeout = ${RESTART_WAIT}`);
    this.#database.run("PRAGMA wal_checkpoint(RESTART)");
    this.#database.run("PRAGMA busy_timeout = 1000");
  }

  #rollback(): void {
    try {
      this.#database.run("ROLLBACK");
    } catch {
      // The transaction is not committed either way, and the failure that led here is the one to tell.
    }
  }
}

function prepare(database: Database) {
  return {
    begin: database.query("BEGIN IMMEDIATE"),
    commit: database.query("COMMIT"),
    marker: prepareMarker(database),
    logState: database.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)"),
    latest: database.query<RecordRow, [Bytes]>("SELECT since, crc, value FROM latest WHERE key = ?"),
    putLatest: database.query("INSERT OR REPLACE INTO latest (key, since, crc, value) VALUES (?, ?, ?, ?)"),
    addRows: database.query<unknown, (Bytes | number)[]>(
      `INSERT INTO latest (key, since, crc, value) VALUES ${Array(ROWS_AT_ONCE).fill("(?, ?, ?, ?)").join(", ")}`,
    ),
    removeLatest: database.query("DELETE FROM latest WHERE key = ?"),
    lastReplaced: database.query<{ height: number }, [Bytes]>(
      "SELECT height FROM history WHERE key = ? ORDER BY height DESC LIMIT 1",
    ),
    addHistory: database.query("INSERT INTO history (key, height, since, crc, value) VALUES (?, ?, ?, ?, ?)"),
    prune: database.query(
      `DELETE FROM history WHERE (key, height) IN
         (SELECT key, height FROM history WHERE height <= ? ORDER BY height LIMIT ?)`,
    ),
  };
}

function earliestAfter(before: Marker, height: number, keep: Retention): number {
  const kept = before.earliest ?? height;
  return keep === "all" ? kept : Math.max(kept, height - keep + 1);
}
