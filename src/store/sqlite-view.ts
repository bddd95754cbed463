// The reading side of a SQLite store: answers for any kept height, out of the transaction that is open.
// Everything here returns at once; nothing waits.

import type { Database } from "bun:sqlite";
import { compareBytes, keyAfter } from "./bytes.ts";
import { naming } from "./sqlite-file.ts";
import type { Marker } from "./sqlite-marker.ts";
import { checkedValue, type RecordRow, STILL } from "./sqlite-record.ts";
import type { ReadTransaction } from "./sqlite-transaction.ts";
import type { Bytes, Entry, RangeRequest } from "./store.ts";
import { DamagedRecord, HeightNotKept } from "./store.ts";

type KeyedRow = RecordRow & { readonly key: Bytes };
type HistoryRow = RecordRow & { readonly height: number };
type KeyedHistoryRow = HistoryRow & { readonly key: Bytes };

/** How many rows a range at an old height takes from each table at a time. */
const FIRST_PAGE = 64;
const LARGEST_PAGE = 1024;
const LARGEST_LIMIT = 0x7fff_ffff;

export class SqliteView {
  readonly #transaction: ReadTransaction;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(transaction: ReadTransaction) {
    this.#transaction = transaction;
    this.#statements = naming(() => prepare(transaction.database));
  }

  get(height: number, key: Bytes): Bytes | null {
    return naming(() => {
      if (this.#requireKept(height).head !== height) {
        const replaced = this.#statements.replaced.get(key, height);
        if (replaced !== null) return checkedValue(key, replaced.height, replaced, height);
      }
      const row = this.#statements.latest.get(key);
      return row === null ? null : checkedValue(key, STILL, row, height);
    });
  }

  range(height: number, request: RangeRequest): Entry[] {
    const limit = Math.min(request.limit, LARGEST_LIMIT);
    if (!(limit > 0)) return [];
    return naming(() =>
      this.#requireKept(height).head === height
        ? this.#newestRange(height, request, limit)
        : this.#olderRange(height, request, limit),
    );
  }

  #requireKept(height: number): Marker {
    const marker = this.#transaction.marker();
    const { head, earliest } = marker;
    if (head === null || earliest === null || height < earliest || height > head) {
      throw new HeightNotKept(BigInt(height), bigOrNull(earliest), bigOrNull(head));
    }
    return marker;
  }

  #newestRange(height: number, { start, end, reverse }: RangeRequest, limit: number): Entry[] {
    const rows = this.#scanLatest(start, end, reverse === true, limit);
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
      const latest = this.#scanLatest(start, end, reverse, page);
      // The history is read as far as this page of latest values reaches, and no further than a page of its own.
      const reached = latest.length === page ? latest.at(-1)!.key : null;
      const replaced = this.#scanReplaced(height, ...within(start, end, reached, reverse), reverse, page);
      const covered = replaced.length === page ? replaced.at(-1)!.key : reached;
      overlay(entries, latest, replaced, { height, covered, reverse, limit });
      if (covered === null) break;
      if (reverse) end = covered;
      else start = keyAfter(covered);
    }
    return entries;
  }

  #scanLatest(start: Bytes, end: Bytes, reverse: boolean, limit: number): KeyedRow[] {
    const statement = reverse ? this.#statements.latestDown : this.#statements.latestUp;
    return inOrder(statement.all(start, end, limit), start, end, reverse);
  }

  #scanReplaced(height: number, start: Bytes, end: Bytes, reverse: boolean, limit: number): KeyedHistoryRow[] {
    const statement = reverse ? this.#statements.replacedDown : this.#statements.replacedUp;
    return inOrder(statement.all(start, end, height, limit), start, end, reverse);
  }
}

function prepare(database: Database) {
  const replaced = "SELECT height, since, crc, value FROM history WHERE key = ? AND height > ? ORDER BY height LIMIT 1";
  return {
    latest: database.query<RecordRow, [Bytes]>("SELECT since, crc, value FROM latest WHERE key = ?"),
    latestUp: database.query<KeyedRow, [Bytes, Bytes, number]>(latestScan("ASC")),
    latestDown: database.query<KeyedRow, [Bytes, Bytes, number]>(latestScan("DESC")),
    replaced: database.query<HistoryRow, [Bytes, number]>(replaced),
    replacedUp: database.query<KeyedHistoryRow, [Bytes, Bytes, number, number]>(replacedScan("ASC", ">")),
    replacedDown: database.query<KeyedHistoryRow, [Bytes, Bytes, number, number]>(replacedScan("DESC", "<")),
  };
}

function latestScan(direction: "ASC" | "DESC"): string {
  return `SELECT key, since, crc, value FROM latest WHERE key >= ? AND key < ? ORDER BY key ${direction} LIMIT ?`;
}

/**
 * For each key of a range that a commit above a height has replaced, the first such record. It goes from key to key
 * by seeks, and never through the versions of one key. CROSS JOIN keeps the order of the keys, and stops at the limit.
 */
function replacedScan(direction: "ASC" | "DESC", beyond: ">" | "<"): string {
  return `
    WITH RECURSIVE changed (key) AS (
      SELECT * FROM (SELECT key FROM history WHERE key >= ?1 AND key < ?2 ORDER BY key ${direction} LIMIT 1)
      UNION ALL
      SELECT (SELECT key FROM history WHERE key ${beyond} changed.key AND key >= ?1 AND key < ?2
              ORDER BY key ${direction} LIMIT 1)
      FROM changed WHERE changed.key IS NOT NULL
    )
    SELECT history.key, history.height, history.since, history.crc, history.value
    FROM changed CROSS JOIN history ON history.key = changed.key AND history.height =
      (SELECT height FROM history WHERE key = changed.key AND height > ?3 ORDER BY height LIMIT 1)
    LIMIT ?4`;
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
