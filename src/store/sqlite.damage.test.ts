// Damaged storage is an error or an absence that verification finds, never a wrong value.

import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bytes, equalBytes, toHex } from "../codec/bytes.ts";
import { openMemoryStore } from "./memory.ts";
import { openSqliteStore } from "./sqlite.ts";
import { verifySqliteStore } from "./sqlite-verify.ts";
import type { Change, Store } from "./store.ts";
import { DamagedRecord } from "./store.ts";

const directory = mkdtempSync(join(tmpdir(), "orrery-damage-"));
afterAll(() => rmSync(directory, { recursive: true }));

const HEIGHTS = [3n, 4n, 5n, 6n, 7n];
const KEYS = ["a", "ab", "abc", "b", "c", "d", "e"].map((text): Bytes => new Uint8Array(Buffer.from(text)));
const EVERYTHING = { start: new Uint8Array(), end: Uint8Array.of(0xff, 0xff), limit: 1000 };

/** Sets, equal sets, removals, keys that come back, an empty value. */
function changesAt(height: bigint): Change[] {
  const h = Number(height);
  return KEYS.flatMap((key, i): Change[] => {
    if ((h + i) % 3 === 0) return [];
    if ((h * i) % 7 === 4) return [[key, null]];
    return [[key, new Uint8Array((h * 5 + i * 3) % 11).fill(h)]];
  });
}

const original = join(directory, "original.db");
const reference = openMemoryStore();
const store = openSqliteStore({ path: original });
for (const height of HEIGHTS) {
  await reference.commit(height, changesAt(height));
  await store.commit(height, changesAt(height));
}
await store.close();

type Findings = { wrong: string[]; missing: string[]; errors: number; damaged: number };

test("the sound store reads without a fault", async () => {
  expect(await readAll(copyOfOriginal())).toEqual({ wrong: [], missing: [], errors: 0, damaged: 0 });
  expect(verifySqliteStore(original).problems).toEqual([]);
});

describe("a changed column of a record", () => {
  for (const [table, identity] of [
    ["latest", "key"],
    ["history", "key, height"],
    ["marker", "id"],
  ] as const) {
    test(`of ${table} is noticed whenever everything is read`, async () => {
      const changes = changedCells(table, identity);
      expect(changes.length).toBeGreaterThan(20);
      for (const [i, { what, apply }] of changes.entries()) {
        const path = copyOfOriginal();
        if (!apply(path)) continue;
        const findings = await readAll(path);
        expect({ what, wrong: findings.wrong }).toEqual({ what, wrong: [] });
        expect({ what, noticed: findings.damaged > 0 }).toEqual({ what, noticed: true });
        // Verification costs more than all the reads, so it is held against a part of them.
        if (i % 4 === 0)
          expect({ what, verified: verifySqliteStore(path).problems.length > 0 }).toEqual({ what, verified: true });
      }
    }, 30_000);
  }
});

describe("a lost record", () => {
  test("of the history is noticed by the reads that needed it, where a later record of the key is there", async () => {
    const lost = new Database(original, { readonly: true })
      .query<{ key: Bytes; height: number }, []>(
        `SELECT key, height FROM history AS h WHERE EXISTS (SELECT 1 FROM latest WHERE latest.key = h.key)
         OR EXISTS (SELECT 1 FROM history AS later WHERE later.key = h.key AND later.height > h.height)`,
      )
      .all();
    expect(lost.length).toBeGreaterThan(5);
    for (const { key, height } of lost) {
      const path = copyOfOriginal();
      change(path, "DELETE FROM history WHERE key = ? AND height = ?", key, height);
      const opened = openSqliteStore({ path, readonly: true });
      const before = opened.at(BigInt(height) - 1n);
      await expect(before.get(key)).rejects.toThrow(DamagedRecord);
      await expect(before.range(EVERYTHING)).rejects.toThrow(DamagedRecord);
      await opened.close();
      const findings = await readAll(path);
      expect([findings.wrong, findings.missing]).toEqual([[], []]);
      expect(verifySqliteStore(path).problems).not.toEqual([]);
    }
  });

  test("stops a commit that would build on it", async () => {
    const path = copyOfOriginal();
    change(path, "UPDATE latest SET value = x'010203' WHERE key = (SELECT min(key) FROM latest)");
    const opened = openSqliteStore({ path });
    const [key] = (await reference.at(7n).range(EVERYTHING))[0]!;
    await expect(opened.commit(8n, [[key, Uint8Array.of(1)]])).rejects.toThrow(DamagedRecord);
    await expect(opened.commit(8n, [])).rejects.toThrow("the writer stopped at an earlier failure");
    expect(opened.head()).toBe(7n);
    await opened.close();
  });
});

test("a flipped bit anywhere in the file gives no wrong value, and what goes missing is found by verification", async () => {
  const sound = readFileSync(original);
  let errors = 0;
  for (const { offset, bit } of flips(sound)) {
    const flipped = Buffer.from(sound);
    flipped[offset]! ^= 1 << bit;
    const path = copyOfOriginal();
    writeFileSync(path, flipped);
    const what = `bit ${bit} of byte ${offset}`;
    const findings = await readAll(path);
    expect({ what, wrong: findings.wrong }).toEqual({ what, wrong: [] });
    if (findings.errors > 0) errors++;
    else if (findings.missing.length > 0) {
      expect({ what, found: verifySqliteStore(path).problems.length > 0 }).toEqual({ what, found: true });
    }
  }
  expect(errors).toBeGreaterThan(100);
}, 60_000);

/** Under the same name, without what the copy before it has left beside it. */
function copyOfOriginal(): string {
  const path = join(directory, "copy.db");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  copyFileSync(original, path);
  return path;
}

/** Every get and both full ranges at every height, each held against the reference. */
async function readAll(path: string): Promise<Findings> {
  const findings: Findings = { wrong: [], missing: [], errors: 0, damaged: 0 };
  let opened: Store | null = null;
  const attempt = async (action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      findings.errors++;
      if (error instanceof DamagedRecord) findings.damaged++;
    }
  };
  await attempt(async () => {
    opened = openSqliteStore({ path, readonly: true });
    for (const height of HEIGHTS) await attempt(() => readHeight(opened!, height, findings));
  });
  await (opened as Store | null)?.close();
  return findings;

  async function readHeight(damaged: Store, height: bigint, into: Findings): Promise<void> {
    const [snapshot, right] = [damaged.at(height), reference.at(height)];
    for (const key of KEYS) {
      await attempt(async () => {
        const [found, expected] = [await snapshot.get(key), await right.get(key)];
        if (found === null) {
          if (expected !== null) into.missing.push(`${toHex(key)} at ${height}`);
        } else if (expected === null || !equalBytes(found, expected)) into.wrong.push(`${toHex(key)} at ${height}`);
      });
    }
    for (const reverse of [false, true]) {
      await attempt(async () => {
        const found = await snapshot.range({ ...EVERYTHING, reverse });
        const expected = await right.range({ ...EVERYTHING, reverse });
        const lines = expected.map(lineOf);
        const places = found.map((entry) => lines.indexOf(lineOf(entry)));
        const inOrder = places.every((place, i) => place > (places[i - 1] ?? -1));
        if (!inOrder) into.wrong.push(`range at ${height}`);
        else if (found.length < expected.length) into.missing.push(`range at ${height}`);
      });
    }
  }
}

function lineOf([key, value]: readonly [Bytes, Bytes]): string {
  return `${key.toHex()}=${value.toHex()}`;
}

type CellChange = { readonly what: string; apply(path: string): boolean };

/** Every byte of every blob with one bit changed, every integer with a bit changed, and every cell of another type. */
function changedCells(table: string, identity: string): CellChange[] {
  const database = new Database(original, { readonly: true });
  const rows = database.query<Record<string, unknown>, []>(`SELECT * FROM ${table}`).all();
  const names = identity.split(", ");
  const where = names.map((name) => `${name} = ?`).join(" AND ");
  return rows.flatMap((row) => {
    const place = names.map((name) => row[name] as Bytes | number);
    return Object.entries(row).flatMap(([column, value]) =>
      variantsOf(value).map((variant) => ({
        what: `${table} ${lineOfPlace(place)} ${column}: ${String(value)} -> ${String(variant)}`,
        apply: (path: string) =>
          change(path, `UPDATE OR IGNORE ${table} SET ${column} = ? WHERE ${where}`, variant, ...place) > 0,
      })),
    );
  });
}

function lineOfPlace(place: readonly (Bytes | number)[]): string {
  return place.map((part) => (typeof part === "number" ? part : part.toHex())).join(" ");
}

function variantsOf(value: unknown): (Bytes | number)[] {
  if (typeof value === "number")
    return [0, 1, 2, 3, 8, 20, 31].map((bit) => Number(BigInt(value) ^ (1n << BigInt(bit))));
  if (value === null) return [new Uint8Array(), Uint8Array.of(0)];
  const bytes = value as Bytes;
  const flipped = Array.from(bytes, (_, i) => bytes.with(i, bytes[i]! ^ (1 << (i % 8))) as Bytes);
  return [...flipped, Uint8Array.from([...bytes, 0]), ...(bytes.length > 0 ? [bytes.slice(1)] : [])];
}

function change(path: string, sql: string, ...values: (Bytes | number)[]): number {
  const database = new Database(path);
  try {
    database.run("PRAGMA synchronous = OFF");
    return database.query(sql).run(...values).changes;
  } finally {
    database.close();
  }
}

/** All of the file's header and of the page headers, and the used bytes of the pages as densely as time allows. */
function flips(file: Buffer): { offset: number; bit: number }[] {
  const pageSize = file.readUInt16BE(16);
  const chosen: { offset: number; bit: number }[] = [];
  for (let offset = 0; offset < file.length; offset++) {
    const inPage = offset % pageSize;
    const header = offset < 100 || inPage < 12;
    const used = file[offset] !== 0 || inPage < 64;
    if (header) for (const bit of [0, 2, 5, 7]) chosen.push({ offset, bit });
    else if (used) chosen.push({ offset, bit: offset % 8 });
  }
  return chosen;
}
