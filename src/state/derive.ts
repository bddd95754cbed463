// The one place that knows what follows from raw changes of the stores: the look-up index, the counts of lists, and the
// trees under the app hash. Raw pairs in, from execution or from another node; everything else is computed here.

import type { Bytes } from "../codec/bytes.ts";
import { emptyTreeHash } from "../codec/iavl.ts";
import { multistoreRoot } from "../codec/multistore.ts";
import type { StoreRoot } from "../gen/orrery/state/v1/state_pb.ts";
import type { Change, Reader } from "../store/store.ts";
import { getStoreRoots, putStoreRoots } from "./block.ts";
import { deriveClaims } from "./identity-index.ts";
import { SPACE, type Space, spaceKey } from "./keys.ts";
import { deriveCounts } from "./list.ts";
import { applyChanges, type LoadNode, openTree } from "./tree.ts";

export type Derived = {
  /** What a commit must write beside the raw changes. */
  readonly changes: Change[];
  /** Over the stores as they are after the raw changes. */
  readonly appHash: Bytes;
  readonly roots: readonly Root[];
};

/** `rootKey` finds the root's node, by treeNodes; it is empty for a store without pairs. */
export type Root = { readonly name: string; readonly rootHash: Bytes; readonly rootKey: Bytes };

/** The stores under the app hash. */
export const STORES = { acc: SPACE.acc, bank: SPACE.bank, identity: SPACE.identity } as const;

export type StoreName = keyof typeof STORES;

/** `reader` shows the state before `changes`, which are of the commit at `height`, in the order of execution. */
export async function deriveAll(reader: Reader, changes: readonly Change[], height: bigint): Promise<Derived> {
  const derived = [...(await deriveClaims(reader, changes, height)), ...(await deriveCounts(reader, changes))];
  const before = new Map((await getStoreRoots(reader))?.stores.map((root) => [root.name, rootOf(root)]));
  const roots: Root[] = [];
  for (const name of Object.keys(STORES) as StoreName[]) {
    const own = changesOf(STORES[name], changes);
    const root = before.get(name) ?? emptyRoot(name);
    roots.push(own.length === 0 ? root : await growTree(reader, name, root, own, height, derived));
  }
  const appHash = multistoreRoot(roots.map(({ name, rootHash }) => ({ name, root: rootHash })));
  derived.push(putStoreRoots({ stores: roots, appHash }));
  return { changes: derived, appHash, roots };
}

/** The nodes of a store's tree, as of the height that the reader shows. */
export function treeNodes(reader: Reader, name: StoreName): LoadNode {
  return (ref) => reader.get(treeKey(name, ref));
}

async function growTree(
  reader: Reader,
  name: StoreName,
  root: Root,
  changes: readonly Change[],
  height: bigint,
  derived: Change[],
): Promise<Root> {
  const tree = await openTree(treeNodes(reader, name), root.rootKey.length === 0 ? null : root.rootKey);
  await applyChanges(tree, changes);
  const saved = tree.save(height);
  for (const ref of saved.deletes) derived.push([treeKey(name, ref), null]);
  for (const [ref, node] of saved.writes) derived.push([treeKey(name, ref), node]);
  return { name, rootHash: saved.rootHash, rootKey: saved.rootRef ?? NO_ROOT };
}

const NO_ROOT: Bytes = new Uint8Array(0);

function rootOf({ name, rootHash, rootKey }: StoreRoot): Root {
  return { name, rootHash: rootHash as Bytes, rootKey: rootKey as Bytes };
}

function emptyRoot(name: StoreName): Root {
  return { name, rootHash: emptyTreeHash(), rootKey: NO_ROOT };
}

/** The changes of one store, under the reference's raw keys. */
function changesOf(space: Space, changes: readonly Change[]): Change[] {
  return changes.filter(([key]) => key[0] === space).map(([key, value]) => [key.subarray(1), value]);
}

function treeKey(name: StoreName, ref: Bytes): Bytes {
  return spaceKey(SPACE.tree, Uint8Array.of(STORES[name]), ref);
}
