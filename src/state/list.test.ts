// Counted lists against plain sorted arrays: random commits, then counts, offsets and walks at every height.

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type Bytes, compareBytes, concatBytes } from "../codec/bytes.ts";
import { prefixEnd } from "../store/key-range.ts";
import { openMemoryStore } from "../store/memory.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { type Change, DamagedRecord, type Reader, type Store } from "../store/store.ts";
import { FULL } from "./counted-edit.ts";
import { type CountedNode, decodeRoot, readNodes, rootKey, totalOf } from "./counted-node.ts";
import { SPACE, spaceKey } from "./keys.ts";
import { countList, deriveCounts, type List, listHas, listOf, type Walk, walkList } from "./list.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-list-"));
afterAll(() => rmSync(folder, { recursive: true }));

let opened = 0;
// Each commit of the embedded engine waits for the disk, so it gets fewer runs.
const ENGINES: Record<string, { open: () => Store; numRuns: number; rounds: number }> = {
  memory: { open: () => openMemoryStore(), numRuns: 25, rounds: 24 },
  sqlite: { open: () => openSqliteStore({ path: join(folder, `${opened++}.db`) }), numRuns: 4, rounds: 8 },
};

const EMPTY_READER: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};
const VALUE = Uint8Array.of(1);

// Balances of an address, and of one that begins with the other: their lists must not mix.
const LISTS: readonly List[] = [
  { prefix: spaceKey(SPACE.acc, Uint8Array.of(1)) },
  { prefix: spaceKey(SPACE.bank, Uint8Array.of(0)) },
  { prefix: spaceKey(SPACE.bank, Uint8Array.of(2, 2, 7, 7)) },
  { prefix: spaceKey(SPACE.bank, Uint8Array.of(2, 3, 7, 7, 7)) },
  // Holders of a denom, and of one that begins with the other.
  { prefix: spaceKey(SPACE.bank, Uint8Array.of(3, 7, 7, 0)) },
  { prefix: spaceKey(SPACE.bank, Uint8Array.of(3, 7, 7, 7, 0)) },
  { prefix: spaceKey(SPACE.bank, Uint8Array.of(4)) },
  { prefix: spaceKey(SPACE.identity, new TextEncoder().encode("DidDocument/value/")) },
];

for (const [engine, { open, numRuns, rounds }] of Object.entries(ENGINES)) {
  describe(`counted lists on ${engine}`, () => {
    test("random commits over many lists agree with sorted arrays at every height", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(commitOf(), { minLength: 1, maxLength: 12 }), fc.array(walkOf()), checkCommits(open)),
        { numRuns },
      );
    }, 20_000);

    test("a list of 20,000 keys grows, shrinks and is read at old heights", async () => {
      const list = LISTS[0]!;
      const keys = Array.from({ length: 20_000 }, (_, i) => concatBytes(list.prefix, be32(i * 7919)));
      const model = new Model(open());
      await model.commit(keys.map((key) => [key, VALUE]));
      await model.commit(keys.filter((_, i) => i % 3 !== 0).map((key) => [key, null]));
      await model.commit(keys.filter((_, i) => i % 3 === 1).map((key) => [key, VALUE]));
      await model.commit(keys.map((key) => [key, null]));
      for (const height of [1n, 2n, 3n, 4n]) {
        for (const walk of [
          { reverse: false, limit: 101, offset: 6000n },
          { reverse: true, limit: 101, offset: 19_950n },
          { reverse: true, limit: 70, from: be32(7919 * 5000 + 1) },
          { reverse: false, limit: 70, from: be32(7919 * 5000 + 1), offset: 3n },
        ]) {
          await model.checkWalk(height, list, walk);
        }
        await model.checkShape(height, list);
      }
      await model.close();
    });

    test("runs of keys that leave and come back keep three levels of nodes in order", async () => {
      const list = LISTS[0]!;
      const keyAt = (i: number) => concatBytes(list.prefix, be32(i));
      const run = fc.record({ start: fc.nat(11_999), length: fc.nat(2500), step: fc.integer({ min: 1, max: 9 }) });
      const runs = fc.sample(fc.tuple(run, fc.boolean()), { numRuns: rounds, seed: 66 });
      const model = new Model(open());
      await model.commit(Array.from({ length: 12_000 }, (_, i) => [keyAt(i), VALUE]));
      for (const [{ start, length, step }, put] of runs) {
        const keys = Array.from({ length }, (_, i) => keyAt(start + i * (put ? step : 1)));
        await model.commit(keys.map((key) => [key, put ? VALUE : null]));
        await model.checkShape(BigInt(model.heights), list);
      }
      for (const height of [1, 4, 7, model.heights]) {
        await model.checkWalk(BigInt(height), list, { reverse: false, limit: 50_000 });
      }
      await model.close();
    });

    test("a branch that lost its first leaf still joins its neighbour at the right bound", async () => {
      const list = LISTS[0]!;
      const keys = Array.from({ length: 12_000 }, (_, i) => be32(i * 2));
      const model = new Model(open());
      const put = (chosen: Bytes[], value: Bytes | null) =>
        model.commit(chosen.map((key) => [concatBytes(list.prefix, key), value]));
      await put(keys, VALUE);
      const { firstBound, secondBound, endBound } = await model.boundsOfSecondBranch(list);
      const between = (low: Bytes, high: Bytes) =>
        keys.filter((key) => compareBytes(key, low) >= 0 && compareBytes(key, high) < 0);
      const firstLeaf = between(firstBound, secondBound);
      await put(firstLeaf, null);
      await put([firstLeaf[5]!], VALUE);
      await put(between(secondBound, endBound).slice(100), null);
      await model.checkShape(4n, list);
      await model.close();
    });

    test("a record without its count, or a count without its record, is damage and never an answer", async () => {
      const list = LISTS[0]!;
      const [a, b, c] = [1, 2, 3].map((n) => concatBytes(list.prefix, Uint8Array.of(n))) as [Bytes, Bytes, Bytes];
      const store = open();
      const counts = await deriveCounts(EMPTY_READER, [
        [a, VALUE],
        [b, VALUE],
      ]);
      await store.commit(1n, [[a, VALUE], [c, VALUE], ...counts]);
      await store.commit(2n, []);
      const [old, newest] = [store.at(1n), store.at(2n)];
      await expect(walkList(old, list, { reverse: false, limit: 2 })).rejects.toThrow(DamagedRecord);
      await expect(walkList(newest, list, { reverse: false, limit: 2, offset: 1n })).rejects.toThrow(DamagedRecord);
      await expect(listHas(newest, list, b)).rejects.toThrow(DamagedRecord);
      await expect(listHas(newest, list, c)).rejects.toThrow(DamagedRecord);
      expect(await listHas(newest, list, a)).toBe(true);
      expect(await listHas(newest, list, concatBytes(list.prefix, Uint8Array.of(9)))).toBe(false);
      await expect(deriveCounts(newest, [[b, VALUE]])).rejects.toThrow(DamagedRecord);
      await expect(deriveCounts(newest, [[c, null]])).rejects.toThrow(DamagedRecord);
      old.close();
      newest.close();
      await store.close();
    });
  });
}

test("a key belongs to the list of its prefix, and other keys to none", () => {
  for (const list of LISTS) expect(listOf(concatBytes(list.prefix, VALUE))).toEqual(list);
  const loose = ["6100", "61676c6f62616c", "6203", "62030707", "6205", "6202", "62020507", "69446964", "6e01"];
  for (const hex of loose) expect(listOf(Uint8Array.fromHex(hex))).toBeNull();
});

/** The same commits in a store with counts and in plain arrays. */
class Model {
  readonly #store: Store;
  readonly #heights: Bytes[][] = [[]];

  constructor(store: Store) {
    this.#store = store;
  }

  get heights(): number {
    return this.#heights.length - 1;
  }

  async commit(changes: readonly Change[]): Promise<void> {
    const height = BigInt(this.#heights.length);
    const reader = height === 1n ? EMPTY_READER : this.#store.at(height - 1n);
    await this.#store.commit(height, [...changes, ...(await deriveCounts(reader, changes))]);
    const keys = new Map(this.#heights.at(-1)!.map((key) => [key.toHex(), key]));
    for (const [key, value] of changes) {
      if (value === null) keys.delete(key.toHex());
      else keys.set(key.toHex(), key);
    }
    this.#heights.push([...keys.values()].sort(compareBytes));
  }

  /** Of a tree of three levels: where the second child of the root begins, its second leaf, and its end. */
  async boundsOfSecondBranch(list: List): Promise<{ firstBound: Bytes; secondBound: Bytes; endBound: Bytes }> {
    const snapshot = this.#store.at(BigInt(this.heights));
    const root = rootKey(list.prefix);
    const { node } = decodeRoot((await snapshot.get(root))!);
    expect(node.level).toBe(2);
    const [branch] = await readNodes(snapshot, root, [node.ids[1]!]);
    snapshot.close();
    return { firstBound: node.keys[1]!, secondBound: branch!.keys[1]!, endBound: node.keys[2]! };
  }

  async checkWalk(height: bigint, list: List, walk: Walk): Promise<void> {
    const end = prefixEnd(list.prefix);
    const keys = this.#heights[Number(height)]!.filter(
      (key) => compareBytes(key, list.prefix) >= 0 && compareBytes(key, end) < 0,
    );
    const snapshot = this.#store.at(height);
    expect(await countList(snapshot, list)).toBe(BigInt(keys.length));
    const found = (await walkList(snapshot, list, walk)).map(([key]) => key.toHex());
    snapshot.close();
    expect(found).toEqual(expectedPage(keys, list, walk).map((key) => key.toHex()));
  }

  /** Nodes between half and full, keys within the bounds of their branch, counts that add up, and no record that the root does not reach. */
  async checkShape(height: bigint, list: List): Promise<void> {
    const snapshot = this.#store.at(height);
    const root = rootKey(list.prefix);
    const records = await snapshot.range({ start: root, end: prefixEnd(root), limit: 1_000_000 });
    let reached = 0;
    const visit = async (node: CountedNode, isRoot: boolean, low?: Bytes, high?: Bytes): Promise<void> => {
      reached++;
      if (node.level === 0 && low) expect(compareBytes(low, node.keys[0]!)).toBeLessThanOrEqual(0);
      if (node.level === 0 && high) expect(compareBytes(node.keys.at(-1)!, high)).toBeLessThan(0);
      expect(node.keys.length).toBeLessThanOrEqual(FULL);
      if (!isRoot) expect(node.keys.length).toBeGreaterThanOrEqual(FULL / 2);
      if (isRoot && node.level > 0) expect(node.keys.length).toBeGreaterThan(1);
      for (const [i, child] of (await readNodes(snapshot, root, node.ids)).entries()) {
        expect(child.level).toBe(node.level - 1);
        expect(totalOf(child)).toBe(node.counts[i]!);
        await visit(child, false, i === 0 ? low : node.keys[i]!, node.keys[i + 1] ?? high);
      }
    };
    const record = await snapshot.get(root);
    if (record !== null) await visit(decodeRoot(record).node, true);
    snapshot.close();
    expect(records.length).toBe(reached);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

type Op = { list: number; key: number; put: boolean };

function commitOf(): fc.Arbitrary<Op[]> {
  const op = fc.record({
    list: fc.nat(LISTS.length - 1),
    key: fc.nat(499),
    put: fc.boolean(),
  });
  const run = fc.record({ list: fc.nat(LISTS.length - 1), key: fc.nat(499), length: fc.nat(300), put: fc.boolean() });
  return fc.oneof(
    fc.array(op, { maxLength: 60 }),
    run.map(({ list, key, length, put }) =>
      Array.from({ length }, (_, i) => ({ list, key: (key + i) % 500, put: put || i % 5 === 0 })),
    ),
  );
}

function walkOf() {
  return fc.record({
    height: fc.nat(20),
    list: fc.nat(LISTS.length - 1),
    from: fc.option(fc.nat(520), { nil: undefined }),
    offset: fc.option(fc.nat(320), { nil: undefined }),
    reverse: fc.boolean(),
    limit: fc.nat(120),
  });
}

type WalkSample = { height: number; list: number; from: number | undefined; offset: number | undefined } & Pick<
  Walk,
  "reverse" | "limit"
>;

function checkCommits(open: () => Store) {
  return async (commits: Op[][], walks: WalkSample[]) => {
    const model = new Model(open());
    for (const ops of commits) {
      await model.commit(ops.map(({ list, key, put }) => [keyOf(LISTS[list]!, key), put ? VALUE : null]));
    }
    for (const { height, list, from, offset, reverse, limit } of walks) {
      const walk = {
        reverse,
        limit,
        ...(from === undefined ? {} : { from: below(from) }),
        ...(offset === undefined ? {} : { offset: BigInt(offset) }),
      };
      await model.checkWalk(BigInt((height % model.heights) + 1), LISTS[list]!, walk);
    }
    for (const list of LISTS) await model.checkShape(BigInt(model.heights), list);
    await model.close();
  };
}

function expectedPage(keys: readonly Bytes[], list: List, { from, offset = 0n, reverse, limit }: Walk): Bytes[] {
  let start = 0;
  if (from !== undefined) start = keys.filter((key) => compareBytes(key, concatBytes(list.prefix, from)) < 0).length;
  const order = reverse
    ? keys.slice(0, from === undefined || start === keys.length ? keys.length : start + 1).reverse()
    : keys.slice(start);
  return order.slice(Number(offset), Number(offset) + limit);
}

function keyOf(list: List, n: number): Bytes {
  return concatBytes(list.prefix, below(n));
}

/** Keys of several lengths, some of which begin others. */
function below(n: number): Bytes {
  return n % 3 === 0 ? Uint8Array.of(n >> 4) : Uint8Array.of(n >> 4, n & 15, ...(n % 2 === 0 ? [n % 7] : []));
}

function be32(n: number): Bytes {
  return Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
}
