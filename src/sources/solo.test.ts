// The embedded chain: its blocks pass every rule of the codec, and it goes on exactly where it was after any stop.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixedValidators, openSolo, steppingClock } from "../../test/harness/solo-chain.ts";
import { blockCodec } from "../codec/block.ts";
import { toHex } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import { addMillis, compareTimes, formatTime, parseTime } from "../codec/time.ts";
import { getChainInfo } from "../state/block.ts";
import { useNativeHashing } from "../state/native-hash.ts";
import { openMemoryStore } from "../store/memory.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { Change, Store } from "../store/store.ts";
import { readAppHash, readCommitted } from "./block-records.ts";
import { verifyBlocks } from "./verify-blocks.ts";

useNativeHashing();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-solo-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("blocks pass verification, and the turn goes round", () => {
  for (const validators of [1, 4]) {
    test(`with ${validators}`, async () => {
      const store = openMemoryStore();
      const solo = await openSolo(store, { validators });
      for (let i = 0; i < 40; i++) await solo.produceBlock(i % 5 === 0 ? [Uint8Array.of(i)] : []);
      expect(await faultsOf(store)).toEqual([]);
      const blocks = await blocksOf(store);
      const proposers = blocks.map(({ header }) => toHex(header.proposerAddress));
      const turns = fixedValidators(validators)
        .map(({ address }) => toHex(address))
        .sort();
      expect(proposers.slice(0, validators).sort()).toEqual(turns);
      for (let i = validators; i < proposers.length; i++) expect(proposers[i]).toBe(proposers[i - validators]!);
      expect(solo.heads).toEqual(blocks.map(({ header }) => header.height));
    });
  }
});

test("the first block is the genesis' own, and each header carries the state's root of the height before", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store);
  for (let i = 0; i < 5; i++) await solo.produceBlock();
  const blocks = await blocksOf(store);
  expect(formatTime(blocks[0]!.header.time, "minimal")).toBe("2026-01-01T00:00:00Z");
  expect(blocks[0]!.header.appHash).toEqual(sha256(new Uint8Array(0)));
  for (const { header } of blocks.slice(1)) {
    expect(header.appHash).toEqual(await readAppHash(store.at(header.height - 1n)));
  }
});

test("what is no transaction fails in its block, and its result is under the next header", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store);
  await solo.produceBlock();
  const before = await readAppHash(store.at(2n));
  await solo.produceBlock([Uint8Array.of(1, 2, 3)]);
  await solo.produceBlock();
  const { results } = (await readCommitted(store.at(4n), 3n)).results;
  expect(results.map(({ code, codespace, log }) => ({ code, codespace, log }))).toEqual([
    { code: 2, codespace: "sdk", log: "invalid length; proto: invalid field number: tx parse error" },
  ]);
  expect(await readAppHash(store.at(3n))).toEqual(before);
  expect(await faultsOf(store)).toEqual([]);
});

test("time increases also when the clock stands still or goes backwards", async () => {
  const store = openMemoryStore();
  const clock = steppingClock("2026-03-01T00:00:00Z", -3000);
  const solo = await openSolo(store, { validators: 4, now: clock });
  for (let i = 0; i < 10; i++) await solo.produceBlock();
  const times = (await blocksOf(store)).map(({ header }) => header.time);
  for (let i = 1; i < times.length; i++) expect(compareTimes(times[i]!, times[i - 1]!)).toBeGreaterThan(0);
  expect(await faultsOf(store)).toEqual([]);
});

test("the same genesis, keys and clock give the same blocks on every engine, with and without restarts", async () => {
  const hashes = async (reopen: boolean, open: () => Store): Promise<string[]> => {
    let time = parseTime("2026-03-01T00:00:00Z");
    const now = () => time;
    let store = open();
    let solo = await openSolo(store, { validators: 4, now });
    for (let i = 0; i < 12; i++) {
      time = addMillis(time, 700);
      if (reopen) {
        await solo.stop();
        await store.close();
        store = open();
        solo = await openSolo(store, { validators: 4, now });
      }
      await solo.produceBlock([Uint8Array.of(i)]);
    }
    const found = (await committedOf(store)).map(({ blockId }) => toHex(blockId.hash));
    expect(await faultsOf(store)).toEqual([]);
    await store.close();
    return found;
  };
  const inMemory = await hashes(false, () => openMemoryStore());
  expect(inMemory.length).toBe(13);
  expect(await hashes(false, () => openSqliteStore({ path: join(folder, "a.db") }))).toEqual(inMemory);
  expect(await hashes(true, () => openSqliteStore({ path: join(folder, "b.db") }))).toEqual(inMemory);
});

test("a commit that fails stops the chain, and what was committed can still be read", async () => {
  const store = openMemoryStore();
  let failing = false;
  const faulty: Store = {
    head: () => store.head(),
    keep: store.keep,
    earliest: () => store.earliest(),
    at: (height) => store.at(height),
    close: () => store.close(),
    async commit(height: bigint, changes: readonly Change[]) {
      if (failing) throw new Error("the disk is full");
      await store.commit(height, changes);
    },
  };
  const solo = await openSolo(faulty);
  await solo.produceBlock();
  failing = true;
  await expect(solo.produceBlock()).rejects.toThrow("the disk is full");
  failing = false;
  await expect(solo.produceBlock()).rejects.toThrow("the chain has stopped");
  expect(solo.failures.map((error) => error.message)).toEqual(["the disk is full"]);
  expect(store.head()).toBe(2n);
  expect(await faultsOf(store)).toEqual([]);
});

test("the heartbeat makes blocks until it is stopped", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store, { heartbeatMs: 5 });
  while (store.head()! < 6n) await Bun.sleep(2);
  await solo.stop();
  const head = store.head();
  await Bun.sleep(30);
  expect(store.head()).toBe(head);
  await expect(solo.produceBlock()).rejects.toThrow("the chain is closed");
});

async function committedOf(store: Store) {
  const head = store.head()!;
  const all = [];
  for (let height = 1n; height <= head; height++) all.push(await readCommitted(store.at(head), height));
  return all;
}

async function blocksOf(store: Store) {
  return (await committedOf(store)).map(({ block }) => blockCodec.decode(block));
}

async function faultsOf(store: Store): Promise<string[]> {
  const head = store.head()!;
  const info = await getChainInfo(store.at(head));
  return await Array.fromAsync(verifyBlocks(store, info!, head, () => {}));
}
