// Reading a counted tree: a B+-tree over the keys of one list whose branches know how many keys lie below each child.
// So the position of a key, and the keys at given positions, take one read per level, at any height of the chain.

import { compareBytes } from "../store/bytes.ts";
import { type Bytes, DamagedRecord, type Reader } from "../store/store.ts";
import { type CountedNode, type CountedRoot, decodeRoot, readNodes, rootKey } from "./counted-node.ts";

/** Null for a list without keys. */
export async function readRoot(reader: Reader, prefix: Bytes): Promise<CountedRoot | null> {
  const record = await reader.get(rootKey(prefix));
  return record === null ? null : decodeRoot(record);
}

/** How many keys of the list lie before `key`, and whether `key` itself is one of them. */
export async function rankOf(
  reader: Reader,
  prefix: Bytes,
  root: CountedRoot,
  key: Bytes,
): Promise<{ rank: number; present: boolean }> {
  let node = root.node;
  let rank = 0;
  while (node.level > 0) {
    const child = childFor(node, key);
    for (let i = 0; i < child; i++) rank += node.counts[i]!;
    [node] = (await readNodes(reader, rootKey(prefix), [node.ids[child]!])) as [CountedNode];
  }
  const position = firstAtLeast(node.keys, key, 0);
  const found = node.keys[position];
  return { rank: rank + position, present: found !== undefined && compareBytes(found, key) === 0 };
}

/** The keys at positions `low` (inclusive) to `high` (exclusive), ascending; positions outside the list are left out. */
export async function keysBetween(
  reader: Reader,
  prefix: Bytes,
  root: CountedRoot,
  low: number,
  high: number,
): Promise<Bytes[]> {
  const start = Math.max(low, 0);
  const end = Math.min(high, root.total);
  if (start >= end) return [];
  return collect(reader, rootKey(prefix), root.node, start, end);
}

/** The child of a branch under which `key` belongs. */
export function childFor(branch: CountedNode, key: Bytes): number {
  const after = firstAtLeast(branch.keys, key, 1);
  const bound = branch.keys[after];
  return bound !== undefined && compareBytes(bound, key) === 0 ? after : after - 1;
}

/** The first position from `from` on whose key is not smaller than `key`. */
export function firstAtLeast(keys: readonly Bytes[], key: Bytes, from: number): number {
  let low = from;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(keys[middle]!, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function collect(reader: Reader, root: Bytes, node: CountedNode, start: number, end: number): Promise<Bytes[]> {
  if (node.level === 0) {
    if (end > node.keys.length) throw new DamagedRecord("counted list: a node holds fewer keys than its parent counts");
    return node.keys.slice(start, end);
  }
  const wanted: { id: number; start: number; end: number }[] = [];
  let before = 0;
  for (let i = 0; i < node.ids.length && before < end; i++) {
    const count = node.counts[i]!;
    if (before + count > start) {
      wanted.push({ id: node.ids[i]!, start: Math.max(start - before, 0), end: Math.min(end - before, count) });
    }
    before += count;
  }
  const children = await readNodes(
    reader,
    root,
    wanted.map((part) => part.id),
  );
  const keys: Bytes[] = [];
  for (const [i, child] of children.entries()) {
    keys.push(...(await collect(reader, root, child, wanted[i]!.start, wanted[i]!.end)));
  }
  return keys;
}
