// The reading side of a SQLite store: answers for any kept height, out of the transaction that is open.
// Everything here returns at once; nothing waits.

import type { Database } from "bun:sqlite";
import { type Bytes, compareBytes } from "../codec/bytes.ts";
import { keyAfter } from "./key-range.ts";
import { createRecordCache, nameOf, type RecordCache, SeekCache } from "./record-cache.ts";
import { type KeyedRow, LatestEdges } from "./sqlite-edges.ts";
import { named, naming } from "./sqlite-file.ts";
import { type KeyedHistoryRow, SqliteHistory } from "./sqlite-history.ts";
import type { Marker } from "./sqlite-marker.ts";
import { checkedValue, type RecordRow, STILL } from "./sqlite-record.ts";
import type { ReadTransaction } from "./sqlite-transaction.ts";
import type { Change, Entry, RangeRequest } from "./store.ts";
import { DamagedRecord, HeightNotKept } from "./store.ts";

/** How many rows a range at an old height takes from each table at a time. */
const FIRST_PAGE = 64;
const LARGEST_PAGE = 1024;
const LARGEST_LIMIT = 0x7fff_ffff;

export class SqliteView {
  readonly #transaction: ReadTransaction;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #edges: LatestEdges;
  readonly #history: SqliteHistory;
  readonly #cache: RecordCache;
  readonly #seeks: SeekCache;
  /** The head that the cache belongs to. */
  #cachedHead: number | null = null;

  constructor(transaction: ReadTransaction) {
    this.#transaction = transaction;
    this.#cache = createRecordCache();
    this.#seeks = new SeekCache();
    const { database } = transaction;
    this.#statements = naming(() => prepare(database));
    this.#edges = naming(() => new LatestEdges(database));
    this.#history = naming(() => new SqliteHistory(database));
  }

  get(height: number, key: Bytes): Bytes | null {
    try {
      if (this.#requireKept(height).head !== height) return this.#olderValue(height, key);
      const name = nameOf(key);
      return this.#cache.get(name) ?? this.#newestValue(height, key, name);
    } catch (error) {
      throw named(error);
    }
  }

  /** To be told after each commit of this process; what another one commits is noticed by its head. */
  committed(previous: number | null, head: number, changes: readonly Change[]): void {
    if (this.#cachedHead !== previous) return;
    for (const [key] of changes) {
      this.#cache.delete(nameOf(key));
      this.#seeks.forget(key);
    }
    this.#cachedHead = head;
  }

  range(height: number, request: RangeRequest): Entry[] {
    const limit = Math.min(request.limit, LARGEST_LIMIT);
    if (!(limit > 0)) return [];
    try {
      if (this.#requireKept(height).head !== height) return this.#olderRange(height, request, limit);
      const isSeek = limit === 1 && request.reverse !== true && request.counted !== true;
      return isSeek ? this.#seek(height, request) : this.#newestRange(height, request, limit);
    } catch (error) {
      throw named(error);
    }
  }

  #requireKept(height: number): Marker {
    const marker = this.#transaction.marker();
    const { head, earliest } = marker;
    if (head === null || earliest === null || height < earliest || height > head) {
      throw new HeightNotKept(BigInt(height), bigOrNull(earliest), bigOrNull(head));
    }
    if (head !== this.#cachedHead) {
      this.#cache.clear();
      this.#seeks.clear();
      this.#cachedHead = head;
    }
    return marker;
  }

  #newestValue(height: number, key: Bytes, name: string): Bytes | null {
    const row = this.#statements.latest.get(key);
    if (row === null) {
      this.#edges.requireAbsent(key);
      return null;
    }
    const value = checkedValue(key, STILL, row, height) as Bytes;
    this.#cache.set(name, value);
    return value;
  }

  #olderValue(height: number, key: Bytes): Bytes | null {
    const replaced = this.#history.replaced(key, height);
    if (replaced !== null) return checkedValue(key, replaced.height, replaced, height);
    const row = this.#statements.latest.get(key);
    if (row !== null) return checkedValue(key, STILL, row, height);
    this.#edges.requireAbsent(key);
    this.#history.requireUnchanged(key, height);
    return null;
  }

  /** The first entry of a range; one that is there is kept at hand. */
  #seek(height: number, request: RangeRequest): Entry[] {
    const known = this.#seeks.get(request);
    if (known !== undefined) return [known];
    const found = this.#newestRange(height, request, 1);
    if (found[0] !== undefined) this.#seeks.set(request, found[0]);
    return found;
  }

  #newestRange(height: number, { start, end, reverse, counted }: RangeRequest, limit: number): Entry[] {
    const rows = this.#scanLatest(start, end, reverse === true, limit, counted === true);
    const entries: Entry[] = [];
    for (const row of rows) entries.push([row.key, checkedValue(row.key, STILL, row, height)!]);
    return entries;
  }

  /** Merges what the commits above `height` replaced with the latest values that they left alone. */
  #olderRange(height: number, request: RangeRequest, limit: number): Entry[] {
    const reverse = request.reverse === true;
    let { start, end } = request;
    const entries: Entry[] = [];
    for (let page = FIRST_PAGE; entries.length < limit; page = Math.min(page * 2, LARGEST_PAGE)) {
      const latest = this.#scanLatest(start, end, reverse, page, false);
      // The history is read as far as this page of latest values reaches, and no further than a page of its own.
      const reached = latest.length === page ? latest.at(-1)!.key : null;
      const replaced = this.#history.scan(height, ...within(start, end, reached, reverse), reverse, page);
      const covered = replaced.covered ?? reached;
      overlay(entries, latest, replaced.rows, { height, covered, reverse, limit });
      if (covered === null) break;
      if (reverse) end = covered;
      else start = keyAfter(covered);
    }
    return entries;
  }

  #scanLatest(start: Bytes, end: Bytes, reverse: boolean, limit: number, counted: boolean): KeyedRow[] {
    const rows = inOrder(this.#latestRows(start, end, reverse, limit), start, end, reverse);
    if (!counted) this.#edges.requireComplete({ start, end, reverse, limit, rows });
    return rows;
  }

  /** A statement that is asked for its only row answers in two thirds of the time. */
  #latestRows(start: Bytes, end: Bytes, reverse: boolean, limit: number): KeyedRow[] {
    const { latestUp, latestDown, firstUp, firstDown } = this.#statements;
    if (limit > 1) return (reverse ? latestDown : latestUp).all(start, end, limit);
    const row = (reverse ? firstDown : firstUp).get(start, end);
    return row === null ? [] : [row];
  }
}

function prepare(database: Database) {
  return {
    latest: database.query<RecordRow, [Bytes]>("SELECT since, crc, value FROM latest WHERE key = ?"),
    latestUp: database.query<KeyedRow, [Bytes, Bytes, number]>(latestScan("ASC", "+?")),
    latestDown: database.query<KeyedRow, [Bytes, Bytes, number]>(latestScan("DESC", "+?")),
    firstUp: database.query<KeyedRow, [Bytes, Bytes]>(latestScan("ASC", "1")),
    firstDown: database.query<KeyedRow, [Bytes, Bytes]>(latestScan("DESC", "1")),
  };
}

/** `+?`: SQLite compiles a statement anew, at the cost of a whole read, whenever a bare limit is bound to it. */
function latestScan(direction: "ASC" | "DESC", limit: "+?" | "1"): string {
  const range = "WHERE key >= ? AND key < ?";
  return `SELECT key, since, crc, value FROM latest ${range} ORDER BY key ${direction} LIMIT ${limit}`;
}

/** The part of a range up to the key that was reached, that key included. */
function within(start: Bytes, end: Bytes, reached: Bytes | null, reverse: boolean): [start: Bytes, end: Bytes] {
  if (reached === null) return [start, end];
  return reverse ? [reached, end] : [start, keyAfter(reached)];
}

type Overlay = {
  readonly height: number;
  readonly covered: Bytes | null;
  readonly reverse: boolean;
  readonly limit: number;
};

/** Appends the merge of two pages, up to the key that both cover; where a key is in both, the history counts. */
function overlay(
  entries: Entry[],
  latest: readonly KeyedRow[],
  replaced: readonly KeyedHistoryRow[],
  to: Overlay,
): void {
  const sign = to.reverse ? -1 : 1;
  let l = 0;
  let r = 0;
  while (entries.length < to.limit) {
    const newest = latest[l];
    const older = replaced[r];
    if (newest === undefined && older === undefined) return;
    const order = older === undefined ? -1 : newest === undefined ? 1 : sign * compareBytes(newest.key, older.key);
    const { key } = order < 0 ? newest! : older!;
    if (to.covered !== null && sign * compareBytes(key, to.covered) > 0) return;
    const value =
      order < 0 ? checkedValue(key, STILL, newest!, to.height) : checkedValue(key, older!.height, older!, to.height);
    if (value !== null) entries.push([key, value]);
    if (order <= 0) l++;
    if (order >= 0) r++;
  }
}

/** A damaged tree can lead to rows of another place, each of them sound in itself; they do not fit in here. */
function inOrder<Row extends { readonly key: Bytes }>(rows: Row[], start: Bytes, end: Bytes, reverse: boolean): Row[] {
  const sign = reverse ? -1 : 1;
  let previous: Bytes | null = null;
  for (const { key } of rows) {
    const fits: boolean =
      key instanceof Uint8Array &&
      (previous === null
        ? compareBytes(key, start) >= 0 && compareBytes(key, end) < 0
        : sign * compareBytes(key, previous) > 0);
    if (!fits) throw new DamagedRecord("the database file is damaged: keys are out of order");
    previous = key;
  }
  return rows;
}

function bigOrNull(height: number | null): bigint | null {
  return height === null ? null : BigInt(height);
}
