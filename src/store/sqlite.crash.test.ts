// A writer that is killed at any instant loses nothing it has acknowledged, and leaves nothing half done.

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changesAt } from "../../test/harness/sqlite-committing-child.ts";
import { compareBytes, toHex } from "../codec/bytes.ts";
import { openSqliteStore } from "./sqlite.ts";
import { verifySqliteStore } from "./sqlite-verify.ts";
import type { Entry } from "./store.ts";

const directory = mkdtempSync(join(tmpdir(), "orrery-crash-"));
afterAll(() => rmSync(directory, { recursive: true }));

const CYCLES = 8;

test("every acknowledged height is there after kill -9, whole, and nothing is torn", async () => {
  const path = join(directory, "killed.db");
  let acknowledged = 0n;
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const killed = await commitUntilKilled(path, 20 + Math.random() * 250);
    if (killed > acknowledged) acknowledged = killed;
    expect(verifySqliteStore(path).problems).toEqual([]);
    const store = openSqliteStore({ path });
    expect(store.head()!).toBeGreaterThanOrEqual(acknowledged);
    // One commit may have been durable before the word of it got out.
    expect(store.head()!).toBeLessThanOrEqual(acknowledged + 1n);
    await store.close();
  }
  expect(acknowledged).toBeGreaterThan(BigInt(CYCLES));
  await expectEveryHeight(path);
}, 60_000);

/** The highest height that the child had printed when it was killed, `after` milliseconds from its first commit on. */
async function commitUntilKilled(path: string, after: number): Promise<bigint> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "../../test/harness/sqlite-committing-child.ts"), path],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  let output = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    if (output === "") setTimeout(() => child.kill("SIGKILL"), after);
    output += chunk;
  }
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  const lines = output.split("\n").slice(0, -1);
  return BigInt(lines.at(-1)!);
}

async function expectEveryHeight(path: string): Promise<void> {
  const store = openSqliteStore({ path, readonly: true });
  const everything = { start: Uint8Array.of(1), end: Uint8Array.of(2), limit: 1000 };
  const model = new Map<string, Entry>();
  expect(store.earliest()).toBe(1n);
  for (let height = 1n; height <= store.head()!; height++) {
    for (const [key, value] of changesAt(height)) {
      if (value === null) model.delete(toHex(key));
      else model.set(toHex(key), [key, value]);
    }
    const expected = [...model.values()].sort((a, b) => compareBytes(a[0], b[0]));
    const found = await store.at(height).range(everything);
    // Compared as one byte string: thousands of values of some kilobytes, in hundreds of heights.
    expect(Bun.hash(Buffer.concat(found.flat()))).toBe(Bun.hash(Buffer.concat(expected.flat())));
    expect(found.length).toBe(expected.length);
  }
  await store.close();
}
