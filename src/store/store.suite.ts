// What every store engine must do, as tests: each engine's own test file calls describeStore. The model they are held
// against is one plain sorted list of entries for each height.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Bytes, compareBytes, toHex } from "../codec/bytes.ts";
import type { Change, Entry, RangeRequest, Retention, Snapshot, Store } from "./store.ts";
import { HeightNotKept } from "./store.ts";

export type Engine = {
  /** A new empty store. */
  open(keep: Retention): Promise<Store>;
  /** Closes the store and opens what it has stored again; absent for engines that store nothing. */
  reopen?(store: Store, keep: Retention): Promise<Store>;
  /** How many random scenarios to run: engines that flush to disk afford fewer. */
  readonly runs: number;
};

export function describeStore(name: string, engine: Engine): void {
  describe(`${name} store`, () => {
    describeScenarios(engine);
    describeHeights(engine);
    describeCommits(engine);
  });
}

/** Commits, with questions asked after each of them: of the new height and of older ones. */
type Scenario = {
  readonly keep: Retention;
  readonly first: bigint;
  readonly steps: readonly { readonly changes: readonly Change[]; readonly asked: readonly Question[] }[];
};

type Question = { readonly back: number; readonly request: RangeRequest; readonly keys: readonly Bytes[] };

function describeScenarios(engine: Engine): void {
  test("answers as a sorted list per height does, at every kept height, whenever asked", async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => runScenario(engine, scenario)),
      { numRuns: engine.runs },
    );
  }, 60_000);
}

async function runScenario(engine: Engine, { keep, first, steps }: Scenario): Promise<void> {
  let store = await engine.open(keep);
  const model = new Map<bigint, Entry[]>();
  const snapshots = new Map<bigint, Snapshot>();
  let height = first - 1n;
  for (const { changes, asked } of steps) {
    height += 1n;
    await store.commit(height, changes);
    model.set(height, changed(model.get(height - 1n) ?? [], changes));
    snapshots.set(height, store.at(height));
    const earliest = keep === "all" ? first : max(first, height - BigInt(keep) + 1n);
    expect([store.earliest(), store.head()]).toEqual([earliest, height]);
    for (const { back, request, keys } of asked) {
      const wanted = max(first, height - BigInt(back));
      const snapshot = snapshots.get(wanted)!;
      expect(snapshot.newest).toBe(wanted === height);
      if (wanted < earliest) await expectNotKept(store, snapshot);
      else await expectEqual(snapshot, model.get(wanted)!, request, keys);
    }
  }
  if (engine.reopen) store = await engine.reopen(store, keep);
  for (let h = store.earliest()!; h <= store.head()!; h++) await expectWhole(store.at(h), model.get(h)!);
  await store.close();
}

async function expectEqual(snapshot: Snapshot, entries: Entry[], request: RangeRequest, keys: readonly Bytes[]) {
  expect(await snapshot.range(request)).toEqual(rangeOf(entries, request));
  const expected = keys.map((key) => entries.find((entry) => compareBytes(entry[0], key) === 0)?.[1] ?? null);
  expect(await snapshot.getMany(keys)).toEqual(expected);
  expect(await Promise.all(keys.map((key) => snapshot.get(key)))).toEqual(expected);
}

async function expectWhole(snapshot: Snapshot, entries: Entry[]) {
  const everything = { start: new Uint8Array(), end: new Uint8Array(8).fill(0xff), limit: Number.POSITIVE_INFINITY };
  const keys = entries.map(([key]) => key);
  await expectEqual(snapshot, entries, everything, keys);
  await expectEqual(snapshot, entries, { ...everything, reverse: true }, []);
}

async function expectNotKept(store: Store, snapshot: Snapshot) {
  expect(() => store.at(snapshot.height)).toThrow(HeightNotKept);
  const key = Uint8Array.of(1);
  await expect(snapshot.get(key)).rejects.toThrow(HeightNotKept);
  await expect(snapshot.getMany([key])).rejects.toThrow(HeightNotKept);
  await expect(snapshot.range({ start: key, end: Uint8Array.of(2), limit: 1 })).rejects.toThrow(HeightNotKept);
}

function describeHeights(engine: Engine): void {
  test("an empty store has no heights", async () => {
    const store = await engine.open("all");
    expect([store.head(), store.earliest()]).toEqual([null, null]);
    expect(() => store.at(0n)).toThrow("the store is empty");
    await store.close();
  });

  test("a height outside the kept ones is refused with their range", async () => {
    const store = await engine.open(2);
    for (const height of [7n, 8n, 9n]) await store.commit(height, []);
    expect(() => store.at(7n)).toThrow("height 7 is not kept: the kept heights are 8 to 9");
    expect(() => store.at(10n)).toThrow("height 10 is not kept: the kept heights are 8 to 9");
    expect(store.at(8n).newest).toBe(false);
    expect(store.at(9n).newest).toBe(true);
    await store.close();
  });

  test("the first height is free, each later one is head + 1", async () => {
    const store = await engine.open("all");
    await expect(store.commit(-1n, [])).rejects.toThrow("heights are 0 to 2^53 - 1");
    await expect(store.commit(1n << 53n, [])).rejects.toThrow("heights are 0 to 2^53 - 1");
    await store.commit(40n, [[Uint8Array.of(1), Uint8Array.of(1)]]);
    for (const wrong of [39n, 40n, 42n]) {
      const change: Change = [Uint8Array.of(1), Uint8Array.of(2)];
      await expect(store.commit(wrong, [change])).rejects.toThrow("the head is 40, the next height is 41");
    }
    expect(store.head()).toBe(40n);
    expect(await store.at(40n).get(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    await store.commit(41n, []);
    await store.close();
  });

  test("heights above 32 bits are told apart", async () => {
    const store = await engine.open("all");
    const first = 5_000_000_000n;
    for (let i = 0n; i < 3n; i++) await store.commit(first + i, [[Uint8Array.of(1), Uint8Array.of(Number(i))]]);
    for (let i = 0n; i < 3n; i++) {
      expect(await store.at(first + i).get(Uint8Array.of(1))).toEqual(Uint8Array.of(Number(i)));
    }
    await store.close();
  });
}

function describeCommits(engine: Engine): void {
  test("a commit that fails half way leaves nothing of itself", async () => {
    const store = await engine.open("all");
    const keys = [1, 2, 3, 4].map((byte) => Uint8Array.of(byte));
    await store.commit(
      1n,
      keys.map((key): Change => [key, Uint8Array.of(1)]),
    );
    const broken: Change[] = keys.map((key) => [key, Uint8Array.of(2)]);
    Object.defineProperty(broken[2], 1, {
      get() {
        throw new Error("half way");
      },
    });
    await expect(store.commit(2n, broken)).rejects.toThrow("half way");
    expect(store.head()).toBe(1n);
    expect(() => store.at(2n)).toThrow(HeightNotKept);
    expect(await store.at(1n).getMany(keys)).toEqual(keys.map(() => Uint8Array.of(1)));
    await store.close();
  });

  test("the first entry of a range is another when a smaller one comes, or the first goes", async () => {
    const store = await engine.open("all");
    const [a, b, value] = [Uint8Array.of(1, 1), Uint8Array.of(1, 2), Uint8Array.of(7)];
    const first = async () => {
      const view = store.at(store.head()!);
      return (await view.range({ start: Uint8Array.of(1), end: Uint8Array.of(1, 9), limit: 1 }))[0]?.[0];
    };
    await store.commit(1n, [[b, value]]);
    expect([await first(), await first()]).toEqual([b, b]);
    await store.commit(2n, [[a, value]]);
    expect([await first(), await first()]).toEqual([a, a]);
    await store.commit(3n, [[a, null]]);
    expect([await first(), await first()]).toEqual([b, b]);
    await store.close();
  });

  test("keeps its own copy of what it is given", async () => {
    const store = await engine.open("all");
    const [key, value] = [Uint8Array.of(1), Uint8Array.of(7)];
    await store.commit(1n, [[key, value]]);
    key[0] = 9;
    value[0] = 9;
    expect(await store.at(1n).get(Uint8Array.of(1))).toEqual(Uint8Array.of(7));
    await store.close();
  });

  test("a closed store neither reads nor writes", async () => {
    const store = await engine.open("all");
    await store.commit(1n, []);
    const snapshot = store.at(1n);
    await store.close();
    await expect(snapshot.get(Uint8Array.of(1))).rejects.toThrow("the store is closed");
    await expect(store.commit(2n, [])).rejects.toThrow("the store is closed");
    expect(() => store.at(1n)).toThrow("the store is closed");
    await store.close();
  });
}

// Few different bytes, so that keys meet, lie beside each other, and are prefixes of each other.
const keys = fc
  .array(fc.constantFrom(0x00, 0x01, 0x7f, 0xfe, 0xff), { maxLength: 3 })
  .map((list): Bytes => Uint8Array.from(list));

const values = fc.oneof(
  { weight: 8, arbitrary: fc.uint8Array({ maxLength: 2, max: 1 }).map((bytes): Bytes => Uint8Array.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 100, max: 9000 }).map((length): Bytes => new Uint8Array(length).fill(0xab)),
  },
);

const fewChanges = fc.array(fc.tuple(keys, fc.option(values, { freq: 3 })), { maxLength: 12 });

/** Every n-th of 256 keys set or removed: more than an engine takes from its tables at a time. */
const sweeps = fc
  .record({ every: fc.integer({ min: 1, max: 3 }), from: fc.nat(200), value: fc.option(values, { freq: 2 }) })
  .map(({ every, from, value }) => {
    const list: Change[] = [];
    for (let i = from; i < 256; i += every) list.push([Uint8Array.of(i & 0x81, i), value]);
    return list;
  });

const changes: fc.Arbitrary<Change[]> = fc.oneof(
  { weight: 3, arbitrary: fewChanges },
  { weight: 1, arbitrary: sweeps },
);

const questions: fc.Arbitrary<Question> = fc.record({
  back: fc.nat(20),
  request: fc.record({ start: keys, end: keys, reverse: fc.boolean(), limit: fc.oneof(fc.nat(6), fc.nat(200)) }),
  keys: fc.array(keys, { maxLength: 4 }),
});

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  keep: fc.oneof(fc.constant<"all">("all"), fc.integer({ min: 1, max: 6 })),
  first: fc.bigInt({ min: 0n, max: 1000n }),
  steps: fc.array(fc.record({ changes, asked: fc.array(questions, { maxLength: 5 }) }), {
    minLength: 1,
    maxLength: 20,
  }),
});

function changed(before: readonly Entry[], list: readonly Change[]): Entry[] {
  const map = new Map(before.map((entry) => [toHex(entry[0]), entry]));
  for (const [key, value] of list) {
    if (value === null) map.delete(toHex(key));
    else map.set(toHex(key), [key, value]);
  }
  return [...map.values()].sort((a, b) => compareBytes(a[0], b[0]));
}

function rangeOf(entries: readonly Entry[], { start, end, reverse, limit }: RangeRequest): Entry[] {
  const inside = entries.filter(([key]) => compareBytes(key, start) >= 0 && compareBytes(key, end) < 0);
  return (reverse ? inside.reverse() : inside).slice(0, limit);
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
