import { expect, test } from "bun:test";
import { NodeHistory } from "../../test/harness/node-history.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import { nodeRef } from "../codec/iavl.ts";
import type { Change } from "../store/store.ts";
import { NodeCache } from "./node-cache.ts";
import { applyChanges, openTree } from "./tree.ts";

test("the longest unused node goes first, and no more than the limit stay", async () => {
  const cache = new NodeCache(2);
  const asked: number[] = [];
  const load = cache.over(async (ref) => {
    asked.push(ref[11]!);
    return ref[11] === 9 ? null : ref;
  });
  for (const number of [1, 2, 1, 3, 1, 2, 9, 9]) await load(nodeRef(1n, number));
  expect(asked).toEqual([1, 2, 3, 2, 9, 9]);
  expect(cache.size).toBe(2);
});

test("commits through a cache give the same trees with fewer reads", async () => {
  const plain = new NodeHistory();
  const cached = new NodeHistory();
  const cache = new NodeCache(500);
  const load = cache.over((ref: Bytes) => cached.load(ref));
  for (let version = 1n; version <= 20n; version++) {
    const changes = Array.from({ length: 10 }, (_, i): Change => {
      const key = utf8Encode(`key ${(Number(version) * 37 + i * 11) % 97}`);
      return [key, i % 4 === 3 ? null : utf8Encode(`${version}`)];
    });
    const expected = await plain.commit(changes);
    const tree = await openTree(load, cached.roots.at(-1)!);
    await applyChanges(tree, changes);
    const saved = cached.keep(tree.save(version));
    cache.remember(saved);
    expect(saved).toEqual(expected);
  }
  expect(cached.loads).toBe(0);
  expect(plain.loads).toBeGreaterThan(100);
});
