// The IAVL tree of one store, with the reference's shape, node versions and hashes.
//
// Nodes are loaded as the paths of changed keys need them; what a version made lies in memory until it is saved. If a
// load fails in the middle of a change, the tree is in no state to be used: open it again.

import { type Bytes, compareBytes, equalBytes } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import {
  decodeNode,
  emptyTreeHash,
  encodeNode,
  hashInner,
  hashLeaf,
  isLeaf,
  linkTo,
  type NodeLink,
  type NodeRecord,
  nodeRef,
  refVersion,
} from "../codec/iavl.ts";
import { inKeyOrder } from "../store/in-key-order.ts";
import type { Change } from "../store/store.ts";

/** Reads the record of a node, or null when the store has none under this key. */
export type LoadNode = (nodeKey: Bytes) => Promise<Bytes | null>;

/** What one commit does to the stored nodes, and how to find the tree again. */
export type SavedTree = {
  readonly rootHash: Bytes;
  /** The key of the root's node; null for a tree without pairs. */
  readonly rootRef: Bytes | null;
  readonly writes: readonly (readonly [nodeKey: Bytes, node: Bytes])[];
  /** Nodes that this version no longer has. Older heights still read them through the store's history. */
  readonly deletes: readonly Bytes[];
};

export async function openTree(load: LoadNode, root: Bytes | null): Promise<Tree> {
  return new Tree(load, root === null ? null : linkTo(root, await readNode(load, root)));
}

/** Applies the changes of one commit in byte order of their keys, as the reference flushes its cache. */
export async function applyChanges(tree: Tree, changes: readonly Change[]): Promise<void> {
  for (const [key, value] of inKeyOrder(changes)) {
    if (value === null) await tree.remove(key);
    else await tree.set(key, value);
  }
}

/** Throws when the store lacks the node: the tree is damaged. */
export async function readNode(load: LoadNode, ref: Bytes): Promise<NodeRecord> {
  const record = await load(ref);
  if (record === null) throw new Error(`tree: no node ${refVersion(ref)}/${ref.subarray(8).join(".")}`);
  return decodeNode(record);
}

/** A node in memory. It is new while `saved` is null; its version is then that of the next save. */
class Node {
  saved: NodeLink | null;
  /** A leaf's key, or the smallest key of the right side. */
  key: Bytes;
  readonly valueHash: Bytes | null;
  height: number;
  size: number;
  left: Child | null;
  right: Child | null;

  constructor(saved: NodeLink | null, key: Bytes, valueHash: Bytes | null, left: Child | null, right: Child | null) {
    this.saved = saved;
    this.key = key;
    this.valueHash = valueHash;
    this.left = left;
    this.right = right;
    this.height = 0;
    this.size = 1;
    if (left !== null && right !== null) resize(this);
  }
}

type Child = Node | NodeLink;

export class Tree {
  readonly #load: LoadNode;
  #root: Child | null;
  #deletes: Bytes[] = [];
  #version: bigint;
  /** The nodes from the root to the last leaf while a tree is filled from empty in key order; else null. */
  #spine: Node[] | null;

  /** Use openTree. */
  constructor(load: LoadNode, root: NodeLink | null) {
    this.#load = load;
    this.#root = root;
    this.#version = root === null ? -1n : refVersion(root.ref);
    this.#spine = root === null ? [] : null;
  }

  /** The number of pairs. */
  get size(): number {
    return this.#root === null ? 0 : this.#root.size;
  }

  /** Writing an equal value is a write too: the leaf gets the new version. */
  async set(key: Bytes, value: Bytes): Promise<void> {
    const leaf = new Node(null, key, sha256(value), null, null);
    const last = this.#spine?.at(-1);
    if (this.#spine !== null && (last === undefined || compareBytes(key, last.key) > 0)) {
      this.#append(this.#spine, leaf);
      return;
    }
    this.#spine = null;
    if (this.#root === null) {
      this.#root = leaf;
      return;
    }
    const path = this.#loadedPathTo(key) ?? (await this.#pathTo(key));
    const reached = path.pop()!;
    for (const node of path) this.#renew(node);
    const order = compareBytes(key, reached.key);
    if (order === 0) this.#drop(reached);
    const [left, right] = order < 0 ? [leaf, reached] : [reached, leaf];
    await this.#settle(path, reached, order === 0 ? leaf : new Node(null, right.key, null, left, right));
  }

  /** False when there is no such key; then nothing changes, not even a version. */
  async remove(key: Bytes): Promise<boolean> {
    this.#spine = null;
    if (this.#root === null) return false;
    const path = this.#loadedPathTo(key) ?? (await this.#pathTo(key));
    const leaf = path.pop()!;
    if (!equalBytes(leaf.key, key)) return false;
    this.#drop(leaf);
    const parent = path.pop();
    if (parent === undefined) {
      this.#root = null;
      return true;
    }
    this.#drop(parent);
    for (const node of path) this.#renew(node);
    const wasLeft = parent.left === leaf;
    if (wasLeft) renameSplit(path, parent);
    await this.#settle(path, parent, wasLeft ? parent.right! : parent.left!);
    return true;
  }

  /** Gives every new node its version, hash and place. The version must be above that of every earlier save. */
  save(version: bigint): SavedTree {
    if (version <= this.#version) throw new Error(`tree: version ${version} after ${this.#version}`);
    this.#version = version;
    this.#spine = null;
    const writes: [Bytes, Bytes][] = [];
    if (this.#root !== null) this.#root = saveNode(this.#root, version, writes);
    const deletes = this.#deletes;
    this.#deletes = [];
    const root = this.#root;
    return { rootHash: root === null ? emptyTreeHash() : root.hash, rootRef: root?.ref ?? null, writes, deletes };
  }

  /**
   * Puts a leaf behind all others: what `set` would do, without a search, for the first filling of a large store. Only
   * the right side can have become too heavy, and one rotation mends it.
   */
  #append(spine: Node[], leaf: Node): void {
    const last = spine.pop();
    if (last === undefined) {
      this.#root = leaf;
      spine.push(leaf);
      return;
    }
    let below = new Node(null, leaf.key, null, last, leaf);
    let depth = spine.length;
    spine.push(below, leaf);
    while (depth-- > 0) {
      const node = spine[depth]!;
      node.right = below;
      resize(node);
      if (tiltOf(node) < -1) {
        node.right = below.left;
        below.left = node;
        resize(node);
        resize(below);
        spine.splice(depth, 1);
      } else below = node;
    }
    this.#root = below;
  }

  /** The nodes from the root to the leaf where `key` is, or where it would be. */
  async #pathTo(key: Bytes): Promise<Node[]> {
    let node = this.#root!;
    if (!(node instanceof Node)) this.#root = node = await this.#fetch(node);
    const path = [node];
    while (node.height > 0) {
      const side: Side = compareBytes(key, node.key) < 0 ? "left" : "right";
      const child: Child = node[side]!;
      node = child instanceof Node ? child : await this.#child(node, side);
      path.push(node);
    }
    return path;
  }

  /** The same where all of them are in memory, else null: a promise for each of a million pairs takes its time. */
  #loadedPathTo(key: Bytes): Node[] | null {
    let node = this.#root!;
    if (!(node instanceof Node)) return null;
    const path = [node];
    while (node.height > 0) {
      const child: Child = compareBytes(key, node.key) < 0 ? node.left! : node.right!;
      if (!(child instanceof Node)) return null;
      node = child;
      path.push(node);
    }
    return path;
  }

  /** Puts `replacement` in the place of `old`, then measures and balances from there up to the root. */
  async #settle(path: readonly Node[], old: Node, replacement: Child): Promise<void> {
    let gone = old;
    let above = replacement;
    for (let i = path.length - 1; i >= 0; i--) {
      const node = path[i]!;
      if (node.left === gone) node.left = above;
      else node.right = above;
      resize(node);
      const tilt = tiltOf(node);
      gone = node;
      above = tilt > 1 || tilt < -1 ? await this.#balance(node, tilt) : node;
    }
    this.#root = above;
  }

  async #balance(node: Node, tilt: number): Promise<Node> {
    const [heavy, light]: [Side, Side] = tilt > 1 ? ["left", "right"] : ["right", "left"];
    const child = await this.#child(node, heavy);
    const childTilt = tiltOf(child);
    if (tilt > 1 ? childTilt < 0 : childTilt > 0) {
      await this.#child(child, light);
      this.#renew(child);
      node[heavy] = this.#rotate(child, light);
    }
    return this.#rotate(node, heavy);
  }

  /** Lifts the child on `side` over its parent, which is new already. */
  #rotate(node: Node, side: Side): Node {
    const other: Side = side === "left" ? "right" : "left";
    const child = node[side] as Node;
    this.#renew(child);
    node[side] = child[other];
    child[other] = node;
    resize(node);
    resize(child);
    return child;
  }

  async #child(node: Node, side: Side): Promise<Node> {
    const child = node[side]!;
    if (child instanceof Node) return child;
    const loaded = await this.#fetch(child);
    node[side] = loaded;
    return loaded;
  }

  async #fetch(link: NodeLink): Promise<Node> {
    const record = await readNode(this.#load, link.ref);
    if (record.height !== link.height)
      throw new Error(`tree: node of height ${record.height}, expected ${link.height}`);
    return isLeaf(record)
      ? new Node(link, record.key, record.valueHash, null, null)
      : new Node(link, record.key, null, record.left, record.right);
  }

  /** The node changes in this version: its stored form goes, and it is written anew. */
  #renew(node: Node): void {
    this.#drop(node);
    node.saved = null;
  }

  #drop(node: Node): void {
    if (node.saved !== null) this.#deletes.push(node.saved.ref);
  }
}

type Side = "left" | "right";

/** The removed leaf was the smallest under the nearest node that has it on its right: the next smallest follows. */
function renameSplit(path: Node[], parent: Node): void {
  let below = parent;
  for (let i = path.length - 1; i >= 0; i--) {
    const node = path[i]!;
    if (node.right === below) {
      node.key = parent.key;
      return;
    }
    below = node;
  }
}

function saveNode(child: Child, version: bigint, writes: [Bytes, Bytes][]): NodeLink {
  if (!(child instanceof Node)) return child;
  if (child.saved !== null) return child.saved;
  const { key, valueHash, height, size } = child;
  let hash: Bytes;
  let record: NodeRecord;
  if (valueHash !== null) {
    hash = hashLeaf(version, key, valueHash);
    record = { height: 0, key, valueHash };
  } else {
    const left = saveNode(child.left!, version, writes);
    const right = saveNode(child.right!, version, writes);
    hash = hashInner(version, left, right);
    record = { height, key, left, right };
  }
  const ref = nodeRef(version, writes.length);
  writes.push([ref, encodeNode(record)]);
  return { ref, hash, height, size };
}

function resize(node: Node): void {
  const left = node.left!;
  const right = node.right!;
  node.height = (left.height > right.height ? left.height : right.height) + 1;
  node.size = left.size + right.size;
}

function tiltOf(node: Node): number {
  return node.left!.height - node.right!.height;
}
