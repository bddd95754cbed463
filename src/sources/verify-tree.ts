// Checks the tree of a store from its root down: every hash is computed anew, and every leaf is held against its pair.

import { type Bytes, equalBytes, toHex } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import { emptyTreeHash, hashNode, isLeaf, type LeafRecord } from "../codec/iavl.ts";
import { multistoreRoot } from "../codec/multistore.ts";
import { getStoreRoots } from "../state/block.ts";
import { STORES, type StoreName, treeNodes } from "../state/derive.ts";
import { SPACE, spaceKey } from "../state/keys.ts";
import { type LoadNode, readNode } from "../state/tree.ts";
import type { Reader } from "../store/store.ts";
import { entriesBelow, type Findings } from "./verify-walk.ts";

/** `reader` shows one height. With `leftovers`, nodes that no tree has are findings too. */
export async function* verifyTrees(reader: Reader, height: bigint, leftovers: boolean): Findings {
  const roots = await getStoreRoots(reader);
  if (roots === null) return yield `height ${height}: the roots of the stores are not stored`;
  const appHash = multistoreRoot(roots.stores.map(({ name, rootHash }) => ({ name, root: rootHash as Bytes })));
  if (!equalBytes(appHash, roots.appHash)) yield `height ${height}: the app hash is not the root of the stores' roots`;
  for (const name of Object.keys(STORES) as StoreName[]) {
    const root = roots.stores.find((candidate) => candidate.name === name);
    if (root === undefined) yield `height ${height}: store ${name} has no root`;
    else yield* verifyTree(reader, height, name, root.rootHash as Bytes, root.rootKey as Bytes, leftovers);
  }
}

async function* verifyTree(
  reader: Reader,
  height: bigint,
  name: StoreName,
  rootHash: Bytes,
  rootRef: Bytes,
  leftovers: boolean,
): Findings {
  const place = `height ${height}, store ${name}`;
  const seen = { nodes: 0 };
  const pairs = entriesBelow(reader, spaceKey(STORES[name]));
  if (rootRef.length === 0) {
    if (!equalBytes(rootHash, emptyTreeHash())) yield `${place}: an empty tree with the root ${toHex(rootHash)}`;
  } else {
    for await (const leaf of leavesBelow(treeNodes(reader, name), rootRef, rootHash, seen)) {
      const { value: pair, done } = await pairs.next();
      if (done === true) return yield `${place}: the tree has key ${toHex(leaf.key)}, and the store has not`;
      const key = pair[0].subarray(1);
      if (!equalBytes(key, leaf.key)) {
        return yield `${place}: the store goes on with key ${toHex(key)}, the tree with ${toHex(leaf.key)}`;
      }
      if (!equalBytes(sha256(pair[1]), leaf.valueHash)) yield `${place}: the tree has another value of ${toHex(key)}`;
    }
  }
  const { value: rest, done } = await pairs.next();
  if (done !== true) yield `${place}: the tree lacks key ${toHex(rest[0].subarray(1))}`;
  if (leftovers) yield* verifyNoLeftovers(reader, place, name, seen.nodes);
}

/** In the order of keys. Throws at the first node that has not the hash that its parent gives for it. */
async function* leavesBelow(
  load: LoadNode,
  ref: Bytes,
  hash: Bytes,
  seen: { nodes: number },
): AsyncGenerator<LeafRecord> {
  const node = await readNode(load, ref);
  seen.nodes++;
  if (!equalBytes(hashNode(ref, node), hash)) throw new Error(`tree node ${toHex(ref)} does not have its hash`);
  if (isLeaf(node)) return yield node;
  yield* leavesBelow(load, node.left.ref, node.left.hash, seen);
  yield* leavesBelow(load, node.right.ref, node.right.hash, seen);
}

async function* verifyNoLeftovers(reader: Reader, place: string, name: StoreName, nodes: number): Findings {
  let stored = 0;
  for await (const _ of entriesBelow(reader, spaceKey(SPACE.tree, Uint8Array.of(STORES[name])))) stored++;
  if (stored !== nodes) yield `${place}: ${stored} tree nodes are stored, the tree has ${nodes}`;
}
