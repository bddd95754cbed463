// Reads of the history: for each key and height, what the commit at that height replaced.
//
// A walk over many keys goes from key to key by seeks, and never through the versions of one key. Each seek must come
// upon a sound row, and a second one from the other side upon the same key: then no damaged key was passed over.

import type { Database } from "bun:sqlite";
import { type Bytes, compareBytes, equalBytes } from "../codec/bytes.ts";
import { keyAfter } from "./key-range.ts";
import { type KeyedRow, requireSound } from "./sqlite-edges.ts";
import type { RecordRow } from "./sqlite-record.ts";

export type HistoryRow = RecordRow & { readonly height: number };
export type KeyedHistoryRow = KeyedRow & { readonly height: number };

/** `covered` is the key up to which a full page has come; null when it has come to the end of the range. */
export type Replaced = { readonly rows: KeyedHistoryRow[]; readonly covered: Bytes | null };

export class SqliteHistory {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** The first record of `key` above `height`: what it was at `height`. Null when no later commit has replaced it. */
  replaced(key: Bytes, height: number): HistoryRow | null {
    return this.#statements.replaced.get(key, height);
  }

  /** Throws DamagedRecord unless there is surely no record of `key` above `height`, when none was found. */
  requireUnchanged(key: Bytes, height: number): void {
    const { upTo, after } = this.#statements;
    const before = upTo.get(key, height);
    if (before !== null) requireSound(before, before.height, compareBytes(before.key, key) <= 0);
    const next = after.get(key, height);
    if (next !== null) requireSound(next, next.height, compareBytes(next.key, key) > 0);
  }

  /** For each key of the range that a commit above `height` has replaced, its first such record; a page of keys. */
  scan(height: number, start: Bytes, end: Bytes, reverse: boolean, page: number): Replaced {
    const rows: KeyedHistoryRow[] = [];
    let row = reverse ? this.#below(end) : this.#from(start);
    if (reverse) this.#from(end);
    else this.#below(start);
    for (let visited = 1; row !== null; visited++) {
      const { key } = row;
      if (reverse ? compareBytes(key, start) < 0 : compareBytes(key, end) >= 0) break;
      const beside: KeyedHistoryRow | null = reverse ? this.#from(key) : this.#below(keyAfter(key));
      requireSound(row, row.height, beside !== null && equalBytes(beside.key, key));
      const replaced = this.replaced(key, height);
      if (replaced !== null) rows.push({ ...replaced, key });
      if (visited === page) return { rows, covered: key };
      row = reverse ? this.#below(key) : this.#from(keyAfter(key));
    }
    return { rows, covered: null };
  }

  /** The last row before `key`. */
  #below(key: Bytes): KeyedHistoryRow | null {
    const row = this.#statements.below.get(key);
    if (row !== null) requireSound(row, row.height, compareBytes(row.key, key) < 0);
    return row;
  }

  /** The first row of `key` or after it. */
  #from(key: Bytes): KeyedHistoryRow | null {
    const row = this.#statements.from.get(key);
    if (row !== null) requireSound(row, row.height, compareBytes(row.key, key) >= 0);
    return row;
  }
}

function prepare(database: Database) {
  const select = "SELECT key, height, since, crc, value FROM history";
  const up = "ORDER BY key, height LIMIT 1";
  const down = "ORDER BY key DESC, height DESC LIMIT 1";
  return {
    replaced: database.query<HistoryRow, [Bytes, number]>(
      "SELECT height, since, crc, value FROM history WHERE key = ? AND height > ? ORDER BY height LIMIT 1",
    ),
    below: database.query<KeyedHistoryRow, [Bytes]>(`${select} WHERE key < ? ${down}`),
    from: database.query<KeyedHistoryRow, [Bytes]>(`${select} WHERE key >= ? ${up}`),
    upTo: database.query<KeyedHistoryRow, [Bytes, number]>(`${select} WHERE (key, height) <= (?, ?) ${down}`),
    after: database.query<KeyedHistoryRow, [Bytes, number]>(`${select} WHERE (key, height) > (?, ?) ${up}`),
  };
}
