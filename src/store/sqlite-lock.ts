// A lock between processes that ends with its holder, however that ends: an open exclusive transaction on a database
// file of its own, in which nothing is ever written.

import { Database, SQLiteError } from "bun:sqlite";

export type FileLock = { release(): void };

/** A connection that nobody refers to is closed by the garbage collector, and its lock would be gone with it. */
const held = new Set<Database>();

/** Null when another holder, in this process or another one, has it. */
export function takeFileLock(path: string): FileLock | null {
  const database = new Database(path, { create: true, readwrite: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code ?? "")) return null;
    throw error;
  }
  held.add(database);
  return {
    release() {
      held.delete(database);
      database.run("ROLLBACK");
      database.close();
    },
  };
}
