// Reading a counted tree: a B+-tree over the keys of one list whose branches know how many keys lie below each child.
// So the position of a key, and the keys at given positions, take one read per level, at any height of the chain.

import type { Bytes } from "../codec/bytes.ts";
import { DamagedRecord, type Reader } from "../store/store.ts";
import { type NodeEntries, openNodes, openRoot, rootKey } from "./counted-node.ts";

/** A list's tree as one reader sees it. */
export class CountedTree {
  readonly total: number;
  readonly #reader: Reader;
  readonly #root: Bytes;
  readonly #record: Bytes;

  /** Use openTree. */
  constructor(reader: Reader, root: Bytes, record: Bytes) {
    this.total = openRoot(record).total;
    this.#reader = reader;
    this.#root = root;
    this.#record = record;
  }

  /** How many keys of the list lie before `key`, and whether `key` itself is one of them. */
  async rankOf(key: Bytes): Promise<{ rank: number; present: boolean }> {
    let rank = 0;
    let node = openRoot(this.#record).entries;
    while (node.level > 0) {
      const child = childFor(node, key);
      rank += child.before;
      [node] = (await openNodes(this.#reader, this.#root, [child.id])) as [NodeEntries];
    }
    while (node.next()) {
      const order = node.compare(key);
      if (order >= 0) return { rank, present: order === 0 };
      rank++;
    }
    return { rank, present: false };
  }

  /** The keys at positions `low` (inclusive) to `high` (exclusive), ascending; positions outside are left out. */
  async keysBetween(low: number, high: number): Promise<Bytes[]> {
    const start = Math.max(low, 0);
    const end = Math.min(high, this.total);
    const keys: Bytes[] = [];
    if (start < end) await this.#collect(openRoot(this.#record).entries, start, end, keys);
    return keys;
  }

  async #collect(node: NodeEntries, start: number, end: number, keys: Bytes[]): Promise<void> {
    const wanted: { id: number; start: number; end: number }[] = [];
    let before = 0;
    while (before < end && node.next()) {
      const after = before + node.count;
      if (after > start && node.level === 0) keys.push(node.key());
      else if (after > start) {
        wanted.push({ id: node.id, start: Math.max(start - before, 0), end: Math.min(end, after) - before });
      }
      before = after;
    }
    if (before < end) throw new DamagedRecord("counted list: a node holds fewer keys than its parent counts");
    const ids = wanted.map((part) => part.id);
    const children = ids.length === 0 ? [] : await openNodes(this.#reader, this.#root, ids);
    for (const [i, child] of children.entries()) await this.#collect(child, wanted[i]!.start, wanted[i]!.end, keys);
  }
}

/** Null for a list without keys. */
export async function openTree(reader: Reader, prefix: Bytes): Promise<CountedTree | null> {
  const root = rootKey(prefix);
  const record = await reader.get(root);
  return record === null ? null : new CountedTree(reader, root, record);
}

/** The child under which `key` belongs: the last one whose bound is not above it. The first has no bound. */
function childFor(branch: NodeEntries, key: Bytes): { id: number; before: number } {
  if (!branch.next()) throw new DamagedRecord("counted list: a branch without children");
  let { id } = branch;
  let before = 0;
  let { count } = branch;
  while (branch.next() && branch.compare(key) <= 0) {
    before += count;
    ({ id, count } = branch);
  }
  return { id, before };
}
