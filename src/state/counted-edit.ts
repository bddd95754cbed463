// Changing a counted tree. One pass serves a single new key and the first million alike: edits are handed down to the
// leaves they touch, and on the way back up every node is merged with its neighbour if it became too small, and cut
// into even pieces if it became too large.

import { type Bytes, compareBytes } from "../codec/bytes.ts";
import { type Change, DamagedRecord, type Reader } from "../store/store.ts";
import {
  type CountedNode,
  type CountedRoot,
  encodeNode,
  encodeRoot,
  leafOf,
  nodeKey,
  readNodes,
  rootKey,
  totalOf,
} from "./counted-node.ts";

/** A key that joins the list or leaves it. */
export type Edit = { readonly key: Bytes; readonly joins: boolean };

/** Every node but the root has between half of this and this many entries. */
export const FULL = 64;
const HALF = FULL / 2;
// Pieces of a cut node are filled to three quarters at most, so that the next few keys do not cut them again.
const FILL = (FULL * 3) / 4;

/** A child of a branch under change; `node` is null as long as its record need not be read. */
type Slot = { readonly bound: Bytes; readonly id: number; readonly count: number; node: CountedNode | null };

/**
 * What a commit must write so that the list at `prefix` gains and loses these keys. `edits` are ascending, each key
 * once. Throws DamagedRecord when a joining key is in the tree already, or a leaving one is not.
 */
export async function editCounts(
  reader: Reader,
  prefix: Bytes,
  root: CountedRoot | null,
  edits: readonly Edit[],
): Promise<Change[]> {
  const tree = new TreeEdit(reader, rootKey(prefix), root?.nextId ?? 1);
  const changed = await tree.change(root?.node ?? leafOf([]), edits);
  return tree.finish(await tree.newRoot(changed));
}

class TreeEdit {
  readonly #reader: Reader;
  readonly #root: Bytes;
  readonly #firstNewId: number;
  #nextId: number;
  readonly #written = new Map<number, CountedNode | null>();

  constructor(reader: Reader, root: Bytes, nextId: number) {
    this.#reader = reader;
    this.#root = root;
    this.#firstNewId = nextId;
    this.#nextId = nextId;
  }

  /** The node with the edits applied to all that lies below it; it may be too small or too large itself. */
  async change(node: CountedNode, edits: readonly Edit[]): Promise<CountedNode> {
    if (node.level === 0) return leafOf(mergeKeys(node.keys, edits));
    const slots: Slot[] = node.ids.map((id, i) => ({ bound: node.keys[i]!, id, count: node.counts[i]!, node: null }));
    const parts = partEdits(node, edits);
    const children = await readNodes(
      this.#reader,
      this.#root,
      parts.map((part) => slots[part.child]!.id),
    );
    for (const [i, part] of parts.entries()) {
      slots[part.child]!.node = await this.change(children[i]!, part.edits);
    }
    return this.#join(node.level, await this.#balance(slots));
  }

  /** A root of fitting size: grown by levels above, or shrunk to its only child. */
  async newRoot(changed: CountedNode): Promise<CountedNode> {
    let node = changed;
    while (node.keys.length > FULL) {
      node = this.#join(node.level + 1, [{ bound: new Uint8Array(0), id: this.#newId(), count: 0, node }]);
    }
    while (node.level > 0 && node.ids.length === 1) {
      const id = node.ids[0]!;
      const child: CountedNode = this.#written.get(id) ?? (await this.#read(id));
      this.#drop(id);
      node = child;
    }
    return node;
  }

  finish(node: CountedNode): Change[] {
    const changes: Change[] = [];
    for (const [id, written] of this.#written) {
      changes.push([nodeKey(this.#root, id), written === null ? null : encodeNode(written)]);
    }
    const root = { total: totalOf(node), nextId: this.#nextId, node };
    changes.push([this.#root, root.total === 0 ? null : encodeRoot(root)]);
    return changes;
  }

  /** Leaves out empty children and merges those that are too small with the neighbour before or after. */
  async #balance(slots: readonly Slot[]): Promise<Slot[]> {
    const kept: Slot[] = [];
    for (const slot of slots) {
      const last = kept.at(-1);
      if (slot.node?.keys.length === 0) {
        this.#drop(slot.id);
      } else if (last !== undefined && (isSmall(last) || isSmall(slot))) {
        last.node = concatNodes(
          last.node ?? (await this.#read(last.id)),
          slot.node ?? (await this.#read(slot.id)),
          slot,
        );
        this.#drop(slot.id);
      } else {
        kept.push(slot);
      }
    }
    return kept;
  }

  /** The branch over these children; what was read or made of them is cut to size and written. */
  #join(level: number, slots: readonly Slot[]): CountedNode {
    const branch: CountedNode = { level, keys: [], ids: [], counts: [] };
    const add = (bound: Bytes, id: number, count: number) => {
      branch.keys.push(bound);
      branch.ids.push(id);
      branch.counts.push(count);
    };
    for (const slot of slots) {
      if (slot.node === null) {
        add(slot.bound, slot.id, slot.count);
        continue;
      }
      let previous: CountedNode | null = null;
      for (const piece of cut(slot.node)) {
        const id = previous === null ? slot.id : this.#newId();
        add(previous === null ? slot.bound : boundBetween(previous, piece), id, totalOf(piece));
        this.#written.set(id, piece);
        previous = piece;
      }
    }
    return branch;
  }

  async #read(id: number): Promise<CountedNode> {
    const [node] = await readNodes(this.#reader, this.#root, [id]);
    return node!;
  }

  #newId(): number {
    return this.#nextId++;
  }

  #drop(id: number): void {
    if (id >= this.#firstNewId) this.#written.delete(id);
    else this.#written.set(id, null);
  }
}

function isSmall(slot: Slot): boolean {
  return slot.node !== null && slot.node.keys.length < HALF;
}

/** `right` follows `left` under the same parent, which knows the bound between them. */
function concatNodes(left: CountedNode, right: CountedNode, { bound }: Slot): CountedNode {
  const keys = right.level === 0 ? right.keys : [bound, ...right.keys.slice(1)];
  return {
    level: left.level,
    keys: left.keys.concat(keys),
    ids: left.ids.concat(right.ids),
    counts: left.counts.concat(right.counts),
  };
}

/** Pieces of nearly equal size, none larger than FULL, and none smaller than HALF if there is more than one. */
function cut(node: CountedNode): CountedNode[] {
  const length = node.keys.length;
  if (length <= FULL) return [node];
  const pieces: CountedNode[] = [];
  const number = Math.ceil(length / FILL);
  for (let i = 0; i < number; i++) {
    const start = Math.floor((i * length) / number);
    const end = Math.floor(((i + 1) * length) / number);
    pieces.push({
      level: node.level,
      keys: node.keys.slice(start, end),
      ids: node.ids.slice(start, end),
      counts: node.counts.slice(start, end),
    });
  }
  return pieces;
}

/** For leaves the shortest key between the two: branches stay small, and their records cheap to write. */
function boundBetween(left: CountedNode, right: CountedNode): Bytes {
  const first = right.keys[0]!;
  if (right.level > 0) return first;
  const last = left.keys.at(-1)!;
  let shared = 0;
  while (last[shared] === first[shared]) shared++;
  return first.slice(0, shared + 1);
}

/** The edits of each child that has any. */
function partEdits(branch: CountedNode, edits: readonly Edit[]): { child: number; edits: readonly Edit[] }[] {
  const parts: { child: number; edits: readonly Edit[] }[] = [];
  let start = 0;
  while (start < edits.length) {
    const child = childFor(branch.keys, edits[start]!.key);
    const bound = branch.keys[child + 1];
    let end = start + 1;
    while (end < edits.length && (bound === undefined || compareBytes(edits[end]!.key, bound) < 0)) end++;
    parts.push({ child, edits: edits.slice(start, end) });
    start = end;
  }
  return parts;
}

/** The last child whose bound is not above `key`; the first one's bound is not looked at. */
function childFor(bounds: readonly Bytes[], key: Bytes): number {
  let low = 1;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(bounds[middle]!, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function mergeKeys(keys: readonly Bytes[], edits: readonly Edit[]): Bytes[] {
  const merged: Bytes[] = [];
  let i = 0;
  for (const { key, joins } of edits) {
    let order = 1;
    while (i < keys.length) {
      order = compareBytes(keys[i]!, key);
      if (order >= 0) break;
      merged.push(keys[i++]!);
      order = 1;
    }
    if (joins === (order === 0)) throw new DamagedRecord("counted list: its counts and its records disagree");
    if (joins) merged.push(key);
    else i++;
  }
  while (i < keys.length) merged.push(keys[i++]!);
  return merged;
}
