// Proof that nothing was overlooked. A search in a sorted tree goes astray only at a row whose key is damaged, and it
// then stops beside that very row. So a key is known to be absent, and a range to be complete, when the rows on either
// side of the place where the search stopped are sound: the checksum of a row covers its key.

import type { Database } from "bun:sqlite";
import { type Bytes, compareBytes, equalBytes } from "../codec/bytes.ts";
import { keyAfter } from "./key-range.ts";
import { checkedValue, type RecordRow, STILL } from "./sqlite-record.ts";
import { DamagedRecord } from "./store.ts";

export type KeyedRow = RecordRow & { readonly key: Bytes };

/** What was asked of a table and what was found, in the order of the walk. */
export type Scan = {
  readonly start: Bytes;
  readonly end: Bytes;
  readonly reverse: boolean;
  readonly limit: number;
  readonly rows: readonly KeyedRow[];
};

/** The edges of searches among the newest values. */
export class LatestEdges {
  readonly #below;
  readonly #from;

  constructor(database: Database) {
    const select = "SELECT key, since, crc, value FROM latest";
    this.#below = database.query<KeyedRow, [Bytes]>(`${select} WHERE key < ? ORDER BY key DESC LIMIT 1`);
    this.#from = database.query<KeyedRow, [Bytes]>(`${select} WHERE key >= ? ORDER BY key LIMIT 1`);
  }

  /** Throws DamagedRecord unless `key`, which was not found, is surely not there. */
  requireAbsent(key: Bytes): void {
    this.#requireBelow(key);
    this.#requireFrom(key);
  }

  /** Throws DamagedRecord unless a scan has surely given all that it was asked for. */
  requireComplete({ start, end, reverse, limit, rows }: Scan): void {
    const first = rows[0]?.key;
    const last = rows.at(-1)?.key;
    if (reverse) {
      if (first === undefined || !equalBytes(keyAfter(first), end)) this.#requireFrom(end);
      if (rows.length < limit) this.#requireBelow(last ?? end);
    } else {
      if (first === undefined || !equalBytes(first, start)) this.#requireBelow(start);
      if (rows.length < limit) this.#requireFrom(last === undefined ? start : keyAfter(last));
    }
  }

  #requireBelow(key: Bytes): void {
    const row = this.#below.get(key);
    if (row !== null) requireSound(row, STILL, compareBytes(row.key, key) < 0);
  }

  #requireFrom(key: Bytes): void {
    const row = this.#from.get(key);
    if (row !== null) requireSound(row, STILL, compareBytes(row.key, key) >= 0);
  }
}

export function requireSound(row: KeyedRow, until: number, isInPlace: boolean): void {
  checkedValue(row.key, until, row, Number.MAX_SAFE_INTEGER);
  if (!isInPlace) throw new DamagedRecord("the database file is damaged: keys are out of order");
}
