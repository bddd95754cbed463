// A process that commits known changes to a SQLite store, as fast as it can, and prints each acknowledged height.
// Tests kill it, starve it of disk, or read beside it: `bun sqlite-committing-child.ts PATH [milliseconds between commits]`.

import { writeSync } from "node:fs";
import type { Bytes } from "../../src/codec/bytes.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import type { Change } from "../../src/store/store.ts";

const KEYS = 60;

/** The same for the same height in every process: the changed keys wander, and some are removed and come back. */
export function changesAt(height: bigint): Change[] {
  const h = Number(height);
  const changes: Change[] = [];
  for (let i = 0; i < 8; i++) {
    const n = (h * 7 + i * 11) % KEYS;
    changes.push([nthKey(n), (h + n) % 5 === 0 ? null : contentOf(n, h)]);
  }
  return changes;
}

function nthKey(n: number): Bytes {
  return Uint8Array.of(1, n % 3, n);
}

/** Between 1 byte and some pages, so that a torn write would show. */
function contentOf(n: number, height: number): Bytes {
  const value = new Uint8Array(1 + ((n * 977 + height * 131) % 6000));
  for (let i = 0; i < value.length; i++) value[i] = (height + n + i) & 0xff;
  return value;
}

async function main(path: string, pause: number): Promise<void> {
  const store = openSqliteStore({ path });
  for (let height = (store.head() ?? 0n) + 1n; ; height++) {
    await store.commit(height, changesAt(height));
    writeSync(1, `${height}\n`);
    if (pause > 0) await Bun.sleep(pause);
  }
}

if (import.meta.main) await main(process.argv[2]!, Number(process.argv[3] ?? 0));
