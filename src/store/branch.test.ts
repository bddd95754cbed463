import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Bytes, compareBytes, toHex } from "../codec/bytes.ts";
import { type Branch, createBranch } from "./branch.ts";
import { openMemoryStore } from "./memory.ts";
import type { Change, Entry, RangeRequest, Reader } from "./store.ts";

const keys = fc.array(fc.constantFrom(0x00, 0x01, 0xff), { maxLength: 3 }).map((list): Bytes => Uint8Array.from(list));
const values = fc.uint8Array({ maxLength: 2, max: 1 }).map((bytes): Bytes => Uint8Array.from(bytes));
const writes = fc.array(fc.tuple(keys, fc.option(values, { freq: 2 })), { maxLength: 15 });
const requests = fc.record({ start: keys, end: keys, reverse: fc.boolean(), limit: fc.nat(12) });

/** A branch on the one before it: some writes, a question (which makes it sort its keys), more writes. */
const layers = fc.array(fc.record({ early: writes, asked: requests, late: writes }), { minLength: 1, maxLength: 3 });

describe("a branch", () => {
  test("answers as its base with the writes made, layer upon layer", async () => {
    await fc.assert(
      fc.asyncProperty(writes, layers, requests, fc.array(keys), async (stored, stack, request, wanted) => {
        let top: Reader = await committed(stored);
        const model = new Map<string, Entry>();
        put(model, stored);
        for (const { early, asked, late } of stack) {
          const branch = createBranch(top);
          write(branch, early);
          put(model, early);
          expect(await branch.range(asked)).toEqual(rangeOf(model, asked));
          write(branch, late);
          put(model, late);
          top = branch;
        }
        expect(await top.range(request)).toEqual(rangeOf(model, request));
        const expected = wanted.map((key) => model.get(toHex(key))?.[1] ?? null);
        expect(await top.getMany(wanted)).toEqual(expected);
        expect(await Promise.all(wanted.map((key) => top.get(key)))).toEqual(expected);
      }),
    );
  });

  test("applied to its parent, it leaves the parent as if written there", async () => {
    await fc.assert(
      fc.asyncProperty(writes, writes, writes, async (stored, lower, upper) => {
        const base = await committed(stored);
        const parent = createBranch(base);
        write(parent, lower);
        const child = createBranch(parent);
        write(child, upper);
        parent.apply(child.changes());
        const direct = createBranch(base);
        write(direct, [...lower, ...lastOfEach(upper)]);
        expect(parent.changes()).toEqual(direct.changes());
      }),
    );
  });

  test("a dropped child leaves its parent alone", async () => {
    const parent = createBranch(await committed([]));
    parent.set(Uint8Array.of(1), Uint8Array.of(1));
    const child = createBranch(parent);
    child.delete(Uint8Array.of(1));
    expect(await child.get(Uint8Array.of(1))).toBeNull();
    expect(await parent.get(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
  });
});

test("changes are in the order of first writes, equal values and undone writes among them", async () => {
  const [a, b, c] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
  const branch = createBranch(await committed([[b, Uint8Array.of(5)]]));
  branch.set(c, Uint8Array.of(1));
  branch.set(b, Uint8Array.of(5));
  branch.delete(a);
  branch.set(c, Uint8Array.of(2));
  branch.delete(c);
  expect(branch.changes()).toEqual([
    [c, null],
    [b, Uint8Array.of(5)],
    [a, null],
  ]);
});

async function committed(changes: readonly Change[]): Promise<Reader> {
  const store = openMemoryStore();
  await store.commit(1n, changes);
  return store.at(1n);
}

function write(branch: Branch, changes: readonly Change[]): void {
  for (const [key, value] of changes) {
    if (value === null) branch.delete(key);
    else branch.set(key, value);
  }
}

function put(model: Map<string, Entry>, changes: readonly Change[]): void {
  for (const [key, value] of changes) {
    if (value === null) model.delete(toHex(key));
    else model.set(toHex(key), [key, value]);
  }
}

function lastOfEach(changes: readonly Change[]): Change[] {
  const last = new Map(changes.map((change) => [toHex(change[0]), change]));
  return [...last.values()];
}

function rangeOf(model: ReadonlyMap<string, Entry>, { start, end, reverse, limit }: RangeRequest): Entry[] {
  const inside = [...model.values()]
    .filter(([key]) => compareBytes(key, start) >= 0 && compareBytes(key, end) < 0)
    .sort((a, b) => compareBytes(a[0], b[0]));
  return (reverse ? inside.reverse() : inside).slice(0, limit);
}
