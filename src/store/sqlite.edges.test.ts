// A key that is damaged where it lies leads searches astray: they must notice, and never take a record for absent.

import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bytes } from "../codec/bytes.ts";
import { openMemoryStore } from "./memory.ts";
import { openSqliteStore } from "./sqlite.ts";
import type { Change, RangeRequest, Snapshot, Store } from "./store.ts";
import { DamagedRecord } from "./store.ts";

const directory = mkdtempSync(join(tmpdir(), "orrery-edges-"));
afterAll(() => rmSync(directory, { recursive: true }));

const PER_LIST = 40;
const LISTS = 12;
const HEIGHTS = [1n, 2n, 3n];

/** Long enough to be found in the file, and to fill more than one page with their values. */
function keyOf(list: number, item: number): Bytes {
  return new Uint8Array(
    Buffer.from(`list ${String.fromCharCode(97 + list)} item ${String(item * 7).padStart(4, "0")}`),
  );
}

/** At height 2 a third of the keys is removed and a third is changed; at height 3 some come back. */
function changesAt(height: bigint): Change[] {
  const changes: Change[] = [];
  for (let list = 0; list < LISTS; list++) {
    for (let item = 0; item < PER_LIST; item++) {
      const turn = (list + item) % 3;
      const value = new Uint8Array(60).fill(Number(height) + item);
      if (height === 1n || (height === 2n && turn === 1) || (height === 3n && turn === 0 && item % 4 === 0)) {
        changes.push([keyOf(list, item), value]);
      } else if (height === 2n && turn === 0) changes.push([keyOf(list, item), null]);
    }
  }
  return changes;
}

const original = join(directory, "original.db");
const reference = openMemoryStore();
const sound = openSqliteStore({ path: original });
for (const height of HEIGHTS) {
  await reference.commit(height, changesAt(height));
  await sound.commit(height, changesAt(height));
}
await sound.close();

test("after a flipped bit in a key, a read is right or says that the store is damaged", async () => {
  const file = readFileSync(original);
  let noticed = 0;
  for (let list = 0; list < LISTS; list += 3) {
    for (const item of [0, 1, 19, 20, PER_LIST - 1]) {
      const key = keyOf(list, item);
      for (let at = file.indexOf(key); at !== -1; at = file.indexOf(key, at + 1)) {
        for (const [byte, bit] of [
          [0, 1],
          [5, 3],
          [5, 0],
          [key.length - 1, 2],
        ] as const) {
          const damaged = Buffer.from(file);
          damaged[at + byte]! ^= 1 << bit;
          const { wrong, errors } = await readAround(damaged, list, item);
          expect({ key: textOf(key), at, byte, bit, wrong }).toEqual({ key: textOf(key), at, byte, bit, wrong: [] });
          if (errors > 0) noticed++;
        }
      }
    }
  }
  expect(noticed).toBeGreaterThan(100);
}, 60_000);

async function readAround(file: Buffer, list: number, item: number): Promise<{ wrong: string[]; errors: number }> {
  const path = join(directory, "copy.db");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  copyFileSync(original, path);
  writeFileSync(path, file);
  const store: Store = openSqliteStore({ path, readonly: true });
  const wrong: string[] = [];
  let errors = 0;
  for (const height of HEIGHTS) {
    const [found, expected] = [store.at(height), reference.at(height)];
    for (const [name, read] of questions(list, item)) {
      try {
        const answer = await read(found);
        if (JSON.stringify(answer) !== JSON.stringify(await read(expected))) wrong.push(`${name} at ${height}`);
      } catch (error) {
        if (!(error instanceof DamagedRecord)) throw error;
        errors++;
      }
    }
  }
  await store.close();
  return { wrong, errors };
}

function* questions(list: number, item: number): Generator<[string, (view: Snapshot) => Promise<unknown>]> {
  for (const beside of [item - 1, item, item + 1]) {
    const key = keyOf(list, beside);
    yield [`get ${textOf(key)}`, async (view) => (await view.get(key))?.toHex() ?? null];
  }
  const ranges: [string, RangeRequest][] = [
    ["whole list", { start: keyOf(list, -1), end: keyOf(list + 1, 0), limit: 1000 }],
    ["first of the list", { start: keyOf(list, -1), end: keyOf(list + 1, 0), limit: 1 }],
    ["from the key", { start: keyOf(list, item), end: keyOf(list, PER_LIST), limit: 5 }],
    ["the key alone", { start: keyOf(list, item), end: keyOf(list, item + 1), limit: 5 }],
    ["up to the key", { start: keyOf(list, item - 3), end: keyOf(list, item), limit: 5 }],
  ];
  for (const [name, request] of ranges) {
    for (const reverse of [false, true]) {
      yield [
        `${name}${reverse ? ", reversed" : ""}`,
        async (view) => (await view.range({ ...request, reverse })).map(([key, value]) => [textOf(key), value.toHex()]),
      ];
    }
  }
}

function textOf(key: Bytes): string {
  return Buffer.from(key).toString("latin1");
}
