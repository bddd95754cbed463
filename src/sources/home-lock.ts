// One writing process per home. The lock is one of the operating system, so it ends with its process, however that
// ends; the file beside it only says who holds it.

import { Database, SQLiteError } from "bun:sqlite";
import { rmSync } from "node:fs";
import { createHome, HomeError, homeFile, readHomeJson, writeHomeJson } from "./home.ts";

export type HomeLock = { release(): void };

type Holder = { readonly pid: number; readonly command: string; readonly since: string };

/** Throws HomeError with a sentence that names the holder when another process has the home. */
export function lockHome(home: string, command: string): HomeLock {
  createHome(home);
  const database = new Database(homeFile(home, "lock"), { create: true, readwrite: true });
  try {
    // Nothing is ever written: an open exclusive transaction is the lock.
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!(error instanceof SQLiteError) || !/^SQLITE_(BUSY|LOCKED)/.test(error.code ?? "")) throw error;
    throw new HomeError(`${home} is in use ${describeHolder(home)}`);
  }
  const holder: Holder = { pid: process.pid, command, since: new Date().toISOString() };
  writeHomeJson(home, "holder", holder);
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      rmSync(homeFile(home, "holder"), { force: true });
      database.run("ROLLBACK");
      database.close();
    },
  };
}

function describeHolder(home: string): string {
  const unknown = "by another process";
  try {
    const holder = readHomeJson(home, "holder") as Partial<Holder> | null;
    if (typeof holder?.pid !== "number") return unknown;
    return `by process ${holder.pid} (${holder.command}) since ${holder.since}`;
  } catch {
    return unknown;
  }
}
