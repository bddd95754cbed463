// What the operating system says about this process and about the files of a home.

import { readdirSync, statSync } from "node:fs";
import { homeFile } from "./home.ts";

export type ProcessFigures = {
  readonly startedAt: Date;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Null where the system has no list of them. */
  readonly openFiles: number | null;
};

export function processFigures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    startedAt: new Date(Date.now() - process.uptime() * 1000),
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapBytes: heapUsed,
    openFiles: openFiles(),
  };
}

/** Null for what is not there, as with a chain that is kept in memory. */
export function storeFigures(home: string): { readonly storeBytes: number | null; readonly walBytes: number | null } {
  const store = homeFile(home, "store");
  return { storeBytes: sizeOf(store), walBytes: sizeOf(`${store}-wal`) };
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}
