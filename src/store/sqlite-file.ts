// Opening and creating the database file: its tables, its settings, and the guard against files that are not ours.

import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { markerChecksum } from "./sqlite-marker.ts";
import { DamagedRecord } from "./store.ts";

/** "ORRY": in the file's header, it tells our files from those of other applications. */
const APPLICATION_ID = 0x4f525259;
/**
 * Raised when the tables or the records in them change their meaning; a file of another format is refused.
 * 2: the holders of a denom and the send-enabled entries have counts, which files of format 1 lack.
 */
const FORMAT = 2;

// Values up to a quarter of a page lie in the tree itself. Larger ones go to overflow pages, which SQLite follows for
// every key it compares on its way: with 4 KiB pages, a read of 2.4 KB costs twice as much.
const PAGE_SIZE = 16_384;

const SCHEMA = `
  CREATE TABLE latest (key BLOB NOT NULL PRIMARY KEY, since INTEGER NOT NULL, crc INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE history (key BLOB NOT NULL, height INTEGER NOT NULL, since INTEGER NOT NULL, crc INTEGER NOT NULL, value BLOB,
    PRIMARY KEY (key, height)) WITHOUT ROWID;
  CREATE TABLE marker (id INTEGER NOT NULL PRIMARY KEY, head INTEGER, earliest INTEGER, crc INTEGER NOT NULL);
`;

export function openReadConnection(path: string): Database {
  if (isMissing(path)) throw new Error(`there is no store at ${path}`);
  refuseForeignFile(path);
  return opened(path, { readonly: true }, "");
}

/** Creates the file where there is none. */
export function openWriteConnection(path: string): Database {
  if (isMissing(path)) createFile(path);
  refuseForeignFile(path);
  // Checkpoints are run by the writer itself, which sees their errors.
  return opened(path, { readwrite: true }, "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;");
}

/** Runs `action`; what SQLite says about a damaged file becomes DamagedRecord. */
export function naming<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw named(error);
  }
}

/** The error to throw for one that was caught: DamagedRecord for what SQLite says about a damaged file. */
export function named(error: unknown): unknown {
  if (!(error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? ""))) return error;
  return new DamagedRecord(`the database file is damaged: ${error.message}`, { cause: error });
}

function opened(path: string, mode: { readonly: true } | { readwrite: true }, settings: string): Database {
  return naming(() => {
    const database = new Database(path, mode);
    try {
      database.run(
        `PRAGMA busy_timeout = 1000; PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -32768; ${settings}`,
      );
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function isMissing(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0;
}

/** Under another name first, then renamed: a file under `path` is never half made, so its header can be trusted. */
function createFile(path: string): void {
  const draft = `${path}.creating`;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  const database = new Database(draft, { create: true, readwrite: true });
  // A draft needs no flush of SQLite's own: it is flushed as a whole, before it gets its name.
  database.run(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;`);
  database.run(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}; ${SCHEMA}`);
  database.query("INSERT INTO marker VALUES (1, NULL, NULL, ?)").run(markerChecksum(null, null));
  database.run("PRAGMA journal_mode = WAL");
  database.close(true);
  flush(draft);
  renameSync(draft, path);
  flush(dirname(path));
}

function flush(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Reads the header without SQLite, which would leave its traces beside a file that is not ours. */
function refuseForeignFile(path: string): void {
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  readSync(file, header);
  closeSync(file);
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new Error(`${path} is not a store: it is no SQLite database (left as it is)`);
  }
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw new Error(`${path} is not a store: it is the database of another application (left as it is)`);
  }
  const format = header.readUInt32BE(60);
  if (format !== FORMAT) {
    throw new Error(`${path} has store format ${format}, and this version reads format ${FORMAT} (left as it is)`);
  }
}
