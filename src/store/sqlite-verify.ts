// A look at every record of a SQLite store, for operators: finds what a single read cannot see.

import type { Database } from "bun:sqlite";
import type { Bytes } from "../codec/bytes.ts";
import { naming, openReadConnection } from "./sqlite-file.ts";
import { type Marker, prepareMarker } from "./sqlite-marker.ts";
import { checkedValue, type RecordRow, STILL } from "./sqlite-record.ts";

export type StoreReport = {
  /** How many records were read, of the newest values and of the history. */
  readonly records: number;
  /** One sentence for each fault; empty for a sound store. */
  readonly problems: readonly string[];
};

type ListedRow = RecordRow & { readonly key: Bytes; readonly until: number };

/** Enough to see what has happened; a damaged page brings hundreds. */
const MOST_PROBLEMS = 100;

/** Reads the whole file, beside a running writer if need be. The file is never changed. */
export function verifySqliteStore(path: string): StoreReport {
  const problems: string[] = [];
  let records = 0;
  let database: Database | null = null;
  try {
    database = openReadConnection(path);
    database.run("BEGIN");
    problems.push(...structuralProblems(database));
    const marker = naming(() => prepareMarker(database!).read());
    for (const problem of checkedRecords(database, marker)) {
      records++;
      if (problem !== null) problems.push(problem);
      if (problems.length >= MOST_PROBLEMS) break;
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  } finally {
    database?.close();
  }
  return { records, problems };
}

/** What SQLite finds in its own trees: lost pages, lost rows, broken order. */
function structuralProblems(database: Database): string[] {
  const rows = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
  return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
}

function* checkedRecords(database: Database, { head, earliest }: Marker): Generator<string | null> {
  const tables = [
    `SELECT key, since, crc, value, ${STILL} AS until FROM latest`,
    "SELECT key, since, crc, value, height AS until FROM history",
  ];
  const ending = database.query<{ found: 1 }, [Bytes, number]>(
    "SELECT 1 AS found FROM history WHERE key = ? AND height = ?",
  );
  for (const table of tables) {
    for (const row of database.query<ListedRow, []>(table).iterate()) {
      yield faultOf(row, head ?? -1, earliest ?? 0, (key, height) => ending.get(key, height) !== null);
    }
  }
}

/** A record that begins above the earliest height replaced another, which the history must hold. */
function faultOf(
  row: ListedRow,
  head: number,
  earliest: number,
  ends: (key: Bytes, at: number) => boolean,
): string | null {
  try {
    checkedValue(row.key, row.until, row, head);
  } catch (error) {
    return (error as Error).message;
  }
  if (row.until > head) return `the history of key ${row.key.toHex()} reaches height ${row.until}, above the head`;
  if (row.since <= earliest || ends(row.key, row.since)) return null;
  return `the record of key ${row.key.toHex()} that ended at height ${row.since} is lost`;
}
