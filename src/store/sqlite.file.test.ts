// What the SQLite engine promises beyond the common suite: its file, its log, its history, its neighbours.

import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changesAt } from "../../test/harness/sqlite-committing-child.ts";
import type { Bytes } from "../codec/bytes.ts";
import { openSqliteStore } from "./sqlite.ts";
import { checksum } from "./sqlite-record.ts";
import type { Change } from "./store.ts";

const directory = mkdtempSync(join(tmpdir(), "orrery-sqlite-"));
afterAll(() => rmSync(directory, { recursive: true }));
let named = 0;
const newPath = () => join(directory, `${named++}.db`);

const [A, B, C] = [Uint8Array.of(1, 1), Uint8Array.of(1, 2), Uint8Array.of(1, 3)];
const EVERYTHING = { start: Uint8Array.of(0), end: Uint8Array.of(0xff), limit: 1000 };
const LOG_BOUND = 32 * 1024 * 1024;

describe("a file that is not ours is refused and left as it is:", () => {
  const cases: [what: string, make: (path: string) => void | Promise<void>, message: string][] = [
    ["no database", (path) => writeFileSync(path, "some notes, worth keeping"), "no SQLite database"],
    ["a database of another application", makeForeign, "another application"],
    ["an older format", (path) => makeFormat(path, 1), "has store format 1, and this version reads format 2"],
    ["a newer format", (path) => makeFormat(path, 3), "has store format 3"],
  ];
  for (const [what, make, message] of cases) {
    test(what, async () => {
      const path = newPath();
      await make(path);
      const before = readFileSync(path);
      const files = readdirSync(directory).sort();
      expect(() => openSqliteStore({ path })).toThrow(message);
      expect(() => openSqliteStore({ path, readonly: true })).toThrow(message);
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(readdirSync(directory).sort()).toEqual(files);
    });
  }

  test("reading only makes no file", () => {
    const path = newPath();
    expect(() => openSqliteStore({ path, readonly: true })).toThrow(`there is no store at ${path}`);
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("a draft that was left half made is no hindrance", async () => {
    const path = newPath();
    writeFileSync(`${path}.creating`, "half");
    const store = openSqliteStore({ path });
    await store.commit(1n, [[A, A]]);
    await store.close();
    expect(statSync(`${path}.creating`, { throwIfNoEntry: false })).toBeUndefined();
  });
});

function makeForeign(path: string): void {
  const database = new Database(path);
  database.run("PRAGMA journal_mode = WAL; CREATE TABLE notes (text)");
  database.close(true);
}

async function makeFormat(path: string, format: number): Promise<void> {
  await openSqliteStore({ path }).close();
  const file = readFileSync(path);
  file.writeUInt32BE(format, 60);
  writeFileSync(path, file);
}

describe("the history", () => {
  test("holds nothing for a first commit, an equal value, or the removal of nothing", async () => {
    const path = newPath();
    const store = openSqliteStore({ path });
    await store.commit(1n, [
      [A, A],
      [B, B],
    ] as Change[]);
    await store.commit(2n, [
      [A, A],
      [C, null],
    ] as Change[]);
    expect(historyOf(path)).toEqual([]);
    await store.commit(3n, [
      [A, null],
      [B, C],
      [C, C],
    ] as Change[]);
    await store.commit(4n, [[A, B]]);
    expect(historyOf(path)).toEqual(["0101@3 since 1", "0101@4 since 3", "0102@3 since 1", "0103@3 since 0"]);
    await store.close();
  });

  test("shrinks step by step when a store that kept all is to keep few", async () => {
    const path = newPath();
    const full = openSqliteStore({ path });
    const many = Array.from({ length: 900 }, (_, i): Bytes => Uint8Array.of(1, i >> 8, i));
    for (let h = 1n; h <= 4n; h++)
      await full.commit(
        h,
        many.map((key): Change => [key, Uint8Array.of(Number(h))]),
      );
    await full.close();
    const few = openSqliteStore({ path, keep: 2 });
    expect(few.earliest()).toBe(1n);
    const sizes: number[] = [];
    for (let h = 5n; h <= 8n; h++) {
      await few.commit(h, [[A, Uint8Array.of(0xaa, Number(h))]]);
      expect(few.earliest()).toBe(h - 1n);
      sizes.push(historyOf(path).length);
    }
    expect(sizes).toEqual([2701 - 1002, 2702 - 2004, 1, 1]);
    await few.close();
  });

  test("of one key with 100,000 versions costs no more than one with 100", async () => {
    const times = [];
    for (const versions of [100, 100_000]) {
      const path = newPath();
      await makeHotKey(path, versions);
      const store = openSqliteStore({ path, readonly: true });
      const snapshot = store.at(BigInt(versions / 2));
      const expected = [
        [A, A],
        [B, Uint8Array.of(0xb)],
        [C, C],
      ];
      let fastest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 40; i++) {
        const begin = performance.now();
        const up = await snapshot.range(EVERYTHING);
        const down = await snapshot.range({ ...EVERYTHING, reverse: true });
        const value = await snapshot.get(B);
        fastest = Math.min(fastest, performance.now() - begin);
        expect([up, down.reverse()] as unknown[]).toEqual([expected, expected]);
        expect(value).toEqual(Uint8Array.of(0xb));
      }
      times.push(fastest);
      await store.close();
    }
    expect(times[1]! / times[0]!).toBeLessThan(10);
  }, 20_000);
});

/** Written past the store, with the checksums that it would have made: as many commits would take minutes. */
async function makeHotKey(path: string, versions: number): Promise<void> {
  const store = openSqliteStore({ path });
  await store.commit(
    1n,
    [A, B, C].map((key): Change => [key, key]),
  );
  await store.close();
  const database = new Database(path);
  database.run("PRAGMA synchronous = OFF; BEGIN");
  const add = database.query("INSERT INTO history (key, height, since, crc, value) VALUES (?, ?, ?, ?, ?)");
  const value = Uint8Array.of(0xb);
  for (let h = 2; h <= versions; h++) add.run(B, h, h - 1, checksum(B, h - 1, h, value), value);
  database.query("UPDATE latest SET since = ?, crc = ? WHERE key = ?").run(versions, checksum(B, versions, 0, B), B);
  const crc = Bun.hash.crc32(`head ${versions} earliest 1`);
  database.query("UPDATE marker SET head = ?, earliest = 1, crc = ?").run(versions, crc);
  database.run("COMMIT");
  database.close(true);
}

function historyOf(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const rows = database
    .query<{ key: Bytes; height: number; since: number }, []>("SELECT key, height, since FROM history")
    .all();
  database.close();
  return rows.map(({ key, height, since }) => `${key.toHex()}@${height} since ${since}`);
}

test("answers are settled promises: a request handler that truly waits would lose pipelined requests", async () => {
  const store = openSqliteStore({ path: newPath() });
  await store.commit(1n, [[A, A]]);
  const snapshot = store.at(1n);
  for (const answer of [snapshot.get(A), snapshot.getMany([A]), snapshot.range(EVERYTHING)]) {
    expect(Bun.peek.status(answer as Promise<unknown>)).toBe("fulfilled");
  }
  await store.close();
});

test("the log stays bounded under many commits with readers at work", async () => {
  const path = newPath();
  const store = openSqliteStore({ path });
  const value = new Uint8Array(3000);
  let largest = 0;
  for (let height = 1n; height <= 120n; height++) {
    const changes = Array.from({ length: 40 }, (_, i): Change => {
      return [Uint8Array.of(2, i, Number(height) & 0x0f), value.with(0, Number(height) & 0xff) as Bytes];
    });
    await store.commit(height, changes);
    await store.at(height > 5n ? height - 5n : height).range({ ...EVERYTHING, limit: 20 });
    largest = Math.max(largest, statSync(`${path}-wal`).size);
  }
  expect(largest).toBeLessThan(LOG_BOUND);
  await store.close();
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })).toBeUndefined();
}, 30_000);

describe("beside a writer in another process", () => {
  test("what a reader has at hand is left behind with its height", async () => {
    const path = newPath();
    const writer = openSqliteStore({ path });
    const key = Uint8Array.of(1);
    await writer.commit(1n, [[key, Uint8Array.of(1)]]);
    const reader = openSqliteStore({ path, readonly: true });
    for (let height = 1n; height < 4n; height++) {
      for (const end = performance.now() + 5000; reader.head() !== height && performance.now() < end; )
        await Bun.sleep(5);
      for (let again = 0; again < 2; again++) {
        expect(await reader.at(height).get(key)).toEqual(Uint8Array.of(Number(height)));
      }
      await writer.commit(height + 1n, [[key, Uint8Array.of(Number(height) + 1)]]);
    }
    await reader.close();
    await writer.close();
  });

  test("a reader follows the head, keeps its snapshots, and lets the log be emptied", async () => {
    const path = newPath();
    await using child = startChild(path, "0");
    const started = performance.now();
    await firstLine(child);
    const store = openSqliteStore({ path, readonly: true });
    const early = store.at(store.head()!);
    const atFirst = await early.range(EVERYTHING);
    const heads = new Set<bigint>();
    let largest = 0;
    while (performance.now() - started < 3000) {
      const head = store.head()!;
      heads.add(head);
      await store.at(head).range(EVERYTHING);
      largest = Math.max(largest, statSync(`${path}-wal`).size);
      await Bun.sleep(0);
    }
    const idle = store.head()!;
    await Bun.sleep(200);
    expect(store.head()!).toBeGreaterThan(idle);
    expect(heads.size).toBeGreaterThan(5);
    expect(await early.range(EVERYTHING)).toEqual(atFirst);
    await expect(store.commit(store.head()! + 1n, [])).rejects.toThrow("open for reading only");
    // One wait of the writer may fail on a busy machine; a reader that stands in its way makes most of them fail.
    expect(largest).toBeLessThan(24e6);
    await store.close();
  }, 20_000);
});

test("a full disk stops the writer for good, and the last height stays readable", async () => {
  const path = newPath();
  // The limit on a file's size stands for the full disk: the write fails all the same.
  const script = `trap '' XFSZ; ulimit -f 400; exec "$0" -e "$1" "$2"`;
  const program = `
    const { openSqliteStore } = await import(${JSON.stringify(join(import.meta.dir, "sqlite.ts"))});
    const { changesAt } = await import(${JSON.stringify(join(import.meta.dir, "../../test/harness/sqlite-committing-child.ts"))});
    const store = openSqliteStore({ path: process.argv[1] });
    const said = [];
    for (let height = 1n; said.length < 3; height = store.head() + 1n) {
      await store.commit(height, changesAt(height)).catch((error) => said.push(error.message));
    }
    const found = await store.at(store.head()).range({ start: Uint8Array.of(0), end: Uint8Array.of(9), limit: 100 });
    console.log(JSON.stringify({ said, head: String(store.head()), found: found.length }));`;
  const child = Bun.spawn(["bash", "-c", script, process.execPath, program, path], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const { said, head, found } = JSON.parse(await new Response(child.stdout).text());
  expect(said[0]).toMatch(/full|I\/O/);
  expect(said[1]).toContain("the writer stopped at an earlier failure");
  expect(said[2]).toContain("the writer stopped at an earlier failure");
  expect(found).toBeGreaterThan(5);
  const store = openSqliteStore({ path });
  expect(store.head()!).toBeGreaterThanOrEqual(BigInt(head));
  expect((await store.at(BigInt(head)).range(EVERYTHING)).length).toBe(found);
  await store.commit(store.head()! + 1n, changesAt(store.head()! + 1n));
  await store.close();
}, 20_000);

function startChild(path: string, pause: string) {
  return Bun.spawn(
    [process.execPath, join(import.meta.dir, "../../test/harness/sqlite-committing-child.ts"), path, pause],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
}

async function firstLine(child: ReturnType<typeof startChild>): Promise<void> {
  const reader = child.stdout.getReader();
  await reader.read();
  // Read on, or the pipe fills and the child stands still.
  void (async () => {
    while (!(await reader.read()).done);
  })();
}
