// Reading a counted tree: a B+-tree over the keys of one list whose branches know how many keys lie below each child.
// So the position of a key, and the keys at given positions, take one read per level, at any height of the chain.

import { type Bytes, concatBytes } from "../codec/bytes.ts";
import { roomFor, SHARE_OF } from "../kept.ts";
import { DamagedRecord, type Reader } from "../store/store.ts";
import { type NodeBounds, nodeBounds, nodeKey, rootBounds, rootKey } from "./counted-node.ts";

/**
 * Full keys of the list, from `start` (inclusive) to `end` (exclusive) of all `keys` of one leaf. As long as the leaf is
 * what it was and its record at hand, `keys` is the same array each time.
 */
export type LeafPart = { readonly keys: readonly Bytes[]; readonly start: number; readonly end: number };

/** A list's tree as one reader sees it. */
export class CountedTree {
  readonly total: number;
  readonly #reader: Reader;
  readonly #prefix: Bytes;
  readonly #rootKey: Bytes;
  readonly #root: OpenNode;
  readonly #height: bigint | null;

  /** Use openTree. */
  constructor(reader: Reader, prefix: Bytes, rootKey: Bytes, record: Bytes) {
    this.#reader = reader;
    this.#height = "height" in reader && typeof reader.height === "bigint" ? reader.height : null;
    this.#prefix = prefix;
    this.#rootKey = rootKey;
    this.#root = open(record, prefix, rootBounds);
    this.total = this.#root.total;
  }

  /** How many keys of the list lie before `key` (a full key), and whether `key` itself is one of them. */
  async rankOf(key: Bytes): Promise<{ rank: number; present: boolean }> {
    let rank = 0;
    let node = this.#root;
    while (node.level > 0) {
      const child = node.childFor(key);
      rank += node.before[child] as number;
      node = node.atHand(child, this.#height) ?? ((await this.#children(node, child, child + 1))[0] as OpenNode);
    }
    const position = node.firstNotBelow(key);
    return { rank: rank + position, present: position < node.total && node.order(position, key) === 0 };
  }

  /** As leavesBetween, where nothing has to be read for it; else null. */
  leavesAtHand(low: number, high: number): LeafPart[] | null {
    const end = Math.min(high, this.total);
    const parts: LeafPart[] = [];
    for (let position = Math.max(low, 0); position < end; ) {
      let node = this.#root;
      let start = position;
      while (node.level > 0) {
        const child = node.childAt(start);
        start -= node.before[child] as number;
        const next = node.atHand(child, this.#height);
        if (next === undefined) return null;
        node = next;
      }
      const taken = Math.min(end - position, node.total - start);
      if (taken <= 0) return null;
      parts.push({ keys: node.keys, start, end: start + taken });
      position += taken;
    }
    return parts;
  }

  /** Where the keys at positions `low` (inclusive) to `high` (exclusive) lie, ascending; positions outside are left out. */
  async leavesBetween(low: number, high: number): Promise<LeafPart[]> {
    const start = Math.max(low, 0);
    const end = Math.min(high, this.total);
    const parts: LeafPart[] = [];
    if (start < end) await this.#collect(this.#root, start, end, parts);
    return parts;
  }

  async #collect(node: OpenNode, start: number, end: number, parts: LeafPart[]): Promise<void> {
    if (end > node.total) throw new DamagedRecord("counted list: a node holds fewer keys than its parent counts");
    if (node.level === 0) {
      parts.push({ keys: node.keys, start, end });
      return;
    }
    const first = node.childAt(start);
    const last = node.childAt(end - 1);
    const children = await this.#children(node, first, last + 1);
    for (const [i, child] of children.entries()) {
      const before = node.before[first + i] as number;
      const after = node.before[first + i + 1] as number;
      await this.#collect(child, Math.max(start - before, 0), Math.min(end, after) - before, parts);
    }
  }

  /** Every one of them must be there. */
  async #children(node: OpenNode, start: number, end: number): Promise<OpenNode[]> {
    const ids = node.ids.slice(start, end);
    const records = await this.#reader.getMany(ids.map((id) => nodeKey(this.#rootKey, id)));
    return records.map((record, i) => {
      if (record === null) throw new DamagedRecord(`counted list: node ${ids[i]} is missing`);
      const child = open(record, this.#prefix, nodeBounds);
      if (this.#height !== null) node.hold(start + i, child, this.#height);
      return child;
    });
  }
}

/** Null for a list without keys. */
export async function openTree(reader: Reader, prefix: Bytes): Promise<CountedTree | null> {
  const key = rootKey(prefix);
  const record = await reader.get(key);
  return record === null ? null : new CountedTree(reader, prefix, key, record);
}

/** A node made ready for searches: where its keys lie in the record, and the number of keys before each child. */
class OpenNode {
  readonly level: number;
  readonly ids: readonly number[];
  /** One more than there are children: the last one is the total. */
  readonly before: readonly number[];
  readonly #record: Bytes;
  /** Where key `i` begins (2i) and ends (2i + 1). */
  readonly #bounds: Uint32Array;
  readonly #prefix: Bytes;
  #keys: readonly Bytes[] | null = null;
  /** Of one height: a child may change while its number of keys, which is all that this node has of it, does not. */
  #children: (OpenNode | undefined)[] = [];
  #height: bigint | null = null;
  #round = 0;

  constructor(record: Bytes, { level, bounds, ids, counts }: NodeBounds, prefix: Bytes) {
    this.level = level;
    this.ids = ids;
    let sum = 0;
    this.before = [0, ...counts.map((count) => (sum += count))];
    this.#record = record;
    this.#bounds = bounds;
    this.#prefix = prefix;
  }

  get total(): number {
    return this.level === 0 ? this.#bounds.length / 2 : (this.before.at(-1) as number);
  }

  /** Whole keys; made when somebody asks, and then kept. */
  get keys(): readonly Bytes[] {
    this.#keys ??= Array.from({ length: this.#bounds.length / 2 }, (_, i) =>
      concatBytes(this.#prefix, this.#record.subarray(this.#bounds[2 * i], this.#bounds[2 * i + 1])),
    );
    return this.#keys;
  }

  atHand(child: number, height: bigint | null): OpenNode | undefined {
    if (this.#round !== round) this.#children = [];
    return height !== null && this.#height === height ? this.#children[child] : undefined;
  }

  hold(child: number, node: OpenNode, height: bigint): void {
    if (++held > roomFor(SHARE_OF.nodes, NODE_BYTES)) {
      round++;
      held = 1;
    }
    if (this.#height !== height || this.#round !== round) {
      this.#children = [];
      this.#height = height;
      this.#round = round;
    }
    this.#children[child] = node;
  }

  /** The order of the key at `position` and the full key `key`, as compareBytes gives it. */
  order(position: number, key: Bytes): number {
    const start = this.#bounds[2 * position] as number;
    const length = (this.#bounds[2 * position + 1] as number) - start;
    const skipped = this.#prefix.length;
    const shared = Math.min(length, key.length - skipped);
    for (let i = 0; i < shared; i++) {
      const difference = this.#record[start + i]! - key[skipped + i]!;
      if (difference !== 0) return difference;
    }
    return length - (key.length - skipped);
  }

  firstNotBelow(key: Bytes): number {
    return firstThat(0, this.#bounds.length / 2, (i) => this.order(i, key) >= 0);
  }

  /** The child under which `key` belongs: the last one whose bound is not above it. The first has no bound. */
  childFor(key: Bytes): number {
    if (this.ids.length === 0) throw new DamagedRecord("counted list: a branch without children");
    return firstThat(1, this.#bounds.length / 2, (i) => this.order(i, key) > 0) - 1;
  }

  /** The child that holds the key at a position. */
  childAt(position: number): number {
    return firstThat(1, this.before.length - 1, (i) => (this.before[i] as number) > position) - 1;
  }
}

/** Nodes hold their children: when there are too many of them, all begin anew. */
const NODE_BYTES = 8192;
let held = 0;
let round = 0;

/** A record that the store keeps at hand comes back as the same bytes: what was made of it is found by them. */
const opened = new WeakMap<Bytes, OpenNode>();

function open(record: Bytes, prefix: Bytes, boundsOf: (record: Bytes) => NodeBounds): OpenNode {
  const known = opened.get(record);
  if (known !== undefined) return known;
  const node = new OpenNode(record, boundsOf(record), prefix);
  opened.set(record, node);
  return node;
}

/** The first of the numbers from `low` to before `high` for which it holds, from where on it holds for all; else `high`. */
function firstThat(low: number, high: number, holds: (i: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
