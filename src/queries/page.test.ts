import { expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { type Bytes, concatBytes } from "../codec/bytes.ts";
import { PageRequestSchema } from "../gen/cosmos/base/query/v1beta1/pagination_pb.ts";
import { tokens } from "../state/bank.ts";
import { deriveCounts, entriesOf } from "../state/list.ts";
import { openMemoryStore } from "../store/memory.ts";
import type { Change, Reader } from "../store/store.ts";
import { CountedSnapshot } from "./counted-snapshot.ts";
import { readPage } from "./page.ts";

const MIB = 1024 * 1024;
const NOTHING: Reader = { get: async () => null, getMany: async (keys) => keys.map(() => null), range: async () => [] };

/** `count` records of which those from `largeFrom` on are large. */
async function storeOf(count: number, largeFrom: number) {
  const store = openMemoryStore();
  const changes = Array.from({ length: count }, (_, n): Change => {
    const key = concatBytes(tokens.prefix, Uint8Array.of(n >> 8, n & 255));
    return [key, new Uint8Array(n < largeFrom ? 10 : 64 * 1024)];
  });
  await store.commit(1n, [...changes, ...(await deriveCounts(NOTHING, changes))]);
  return store;
}

function sizeOf(entries: readonly (readonly [Bytes, Bytes])[]): number {
  return entries.reduce((sum, [, value]) => sum + value.length, 0);
}

test.each([0, 150])(
  "a page of large records ends at 8 MiB, and not many more are read (large from %d on)",
  async (from) => {
    const store = await storeOf(900, from);
    for (const reverse of [false, true]) {
      const view = new CountedSnapshot(store.at(1n));
      const request = create(PageRequestSchema, { limit: 1000n, reverse });
      const { runs, nextKey } = await readPage(view, tokens, request, () => true);
      const entries = entriesOf(runs);
      expect(sizeOf(entries)).toBeLessThanOrEqual(8 * MIB);
      expect(sizeOf(entries)).toBeGreaterThan(7 * MIB);
      expect(nextKey).not.toBeNull();
      expect(view.rows).toBeLessThan(500);
      const go = create(PageRequestSchema, { limit: 1000n, reverse, key: nextKey as Bytes });
      const next = await readPage(view, tokens, go, () => true);
      expect(entriesOf(next.runs)[0]?.[0].slice(tokens.prefix.length)).toEqual(nextKey as Bytes);
      view.close();
    }
    await store.close();
  },
);

test("small records are all read, however many parts that takes", async () => {
  const store = await storeOf(900, 900);
  const view = store.at(1n);
  for (const limit of [1, 100, 101, 102, 303, 304, 899, 900, 1000]) {
    const request = create(PageRequestSchema, { limit: BigInt(limit) });
    const { runs, nextKey } = await readPage(view, tokens, request, () => true);
    const entries = entriesOf(runs);
    expect([limit, entries.length, nextKey === null]).toEqual([limit, Math.min(limit, 900), limit >= 900]);
    expect(new Set(entries.map(([key]) => key.toHex())).size).toBe(entries.length);
  }
  view.close();
  await store.close();
});

test("a page of one reads few records", async () => {
  const store = await storeOf(900, 0);
  for (const reverse of [false, true]) {
    const view = new CountedSnapshot(store.at(1n));
    await readPage(view, tokens, create(PageRequestSchema, { limit: 1n, offset: 450n, reverse }), () => true);
    expect(view.rows).toBeLessThan(10);
    view.close();
  }
  await store.close();
});

test("a record larger than any page is a page of its own, and the walk goes on", async () => {
  for (const position of [0, 31, 32, 63, 64, 65, 98]) {
    const store = openMemoryStore();
    const changes = Array.from({ length: 100 }, (_, n): Change => {
      return [concatBytes(tokens.prefix, Uint8Array.of(n)), new Uint8Array(n === position ? 9 * MIB : 10)];
    });
    await store.commit(1n, [...changes, ...(await deriveCounts(NOTHING, changes))]);
    const request = create(PageRequestSchema, { limit: 1n, key: Uint8Array.of(position) });
    const { runs, nextKey } = await readPage(store.at(1n), tokens, request, () => true);
    expect([entriesOf(runs).length, nextKey]).toEqual([1, Uint8Array.of(position + 1)]);
    await store.close();
  }
});
