// One writing process per home. The lock itself ends with its process; the file beside it only says who holds it.

import { rmSync } from "node:fs";
import { takeFileLock } from "../store/sqlite-lock.ts";
import { createHome, HomeError, homeFile, readHomeJson, writeHomeJson } from "./home.ts";

export type HomeLock = { release(): void };

type Holder = { readonly pid: number; readonly command: string; readonly since: string };

/** Throws HomeError with a sentence that names the holder when another process has the home. */
export function lockHome(home: string, command: string): HomeLock {
  createHome(home);
  const lock = takeFileLock(homeFile(home, "lock"));
  if (lock === null) throw new HomeError(`${home} is in use ${describeHolder(home)}`);
  const holder: Holder = { pid: process.pid, command, since: new Date().toISOString() };
  writeHomeJson(home, "holder", holder);
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      rmSync(homeFile(home, "holder"), { force: true });
      lock.release();
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
