// Proofs of our own state, in the form that any ICS-23 verifier knows.

import { type Bytes, compareBytes, concatBytes, EMPTY, equalBytes, utf8Encode } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import {
  type InnerRecord,
  innerPrefix,
  isLeaf,
  type LeafRecord,
  leafPrefix,
  measure,
  refVersion,
} from "../codec/iavl.ts";
import { commitmentProofCodec, type ExistenceProof, type InnerOp, newInnerOp, newLeafOp } from "../codec/ics23.ts";
import { proofSides } from "../codec/merkle.ts";
import { type StoreRoot, storeProof } from "../codec/multistore.ts";
import { type LoadNode, readNode } from "./tree.ts";

/** The tree of one store at one height. */
export type TreeAt = {
  readonly load: LoadNode;
  readonly root: Bytes | null;
  /** The values lie in the store beside the tree. */
  readonly readValue: (key: Bytes) => Promise<Bytes | null>;
};

/** The proof that `key` has its value, or that it is absent; null for an empty tree, where nothing can be proved. */
export async function proveKey(tree: TreeAt, key: Bytes): Promise<Bytes | null> {
  if (tree.root === null) return null;
  const path = await descend(tree.load, tree.root, (node) => compareBytes(key, node.key) < 0);
  const order = compareBytes(path.leaf.key, key);
  if (order === 0) return commitmentProofCodec.encode({ exist: await existence(tree, path), nonexist: null });
  const neighbour = await besides(tree.load, path, order < 0);
  const [left, right] = order < 0 ? [path, neighbour] : [neighbour, path];
  const nonexist = {
    key,
    left: left === null ? null : await existence(tree, left),
    right: right === null ? null : await existence(tree, right),
  };
  return commitmentProofCodec.encode({ exist: null, nonexist });
}

/** The proof that the store of this name has its root under the app hash. */
export function proveStore(stores: readonly StoreRoot[], name: string): Bytes {
  const found = storeProof(stores, name);
  if (found === null) throw new Error(`no such store: ${name}`);
  const { total, index, aunts } = found.proof;
  const path = proofSides(total, index).map((isLeft, i) =>
    isLeft ? newInnerOp(SIMPLE_INNER, aunts[i]!) : newInnerOp(concatBytes(SIMPLE_INNER, aunts[i]!), EMPTY),
  );
  const exist = { key: utf8Encode(name), value: found.root, leaf: newLeafOp(SIMPLE_LEAF), path };
  return commitmentProofCodec.encode({ exist, nonexist: null });
}

const SIMPLE_LEAF = new Uint8Array([0]);
const SIMPLE_INNER = new Uint8Array([1]);
const HASH_LENGTH = new Uint8Array([32]);

type Step = { readonly ref: Bytes; readonly node: InnerRecord; readonly goLeft: boolean };
type Path = { readonly steps: readonly Step[]; readonly ref: Bytes; readonly leaf: LeafRecord };

async function descend(
  load: LoadNode,
  root: Bytes,
  turnLeft: (node: InnerRecord) => boolean,
  before: readonly Step[] = [],
): Promise<Path> {
  const steps = [...before];
  let ref = root;
  for (;;) {
    const node = await readNode(load, ref);
    if (isLeaf(node)) return { steps, ref, leaf: node };
    const goLeft = turnLeft(node);
    steps.push({ ref, node, goLeft });
    ref = goLeft ? node.left.ref : node.right.ref;
  }
}

/** The next leaf on one side, or null at the edge: up to the last turn away from that side, over, then back. */
async function besides(load: LoadNode, path: Path, onRight: boolean): Promise<Path | null> {
  const turn = path.steps.findLastIndex(({ goLeft }) => goLeft === onRight);
  if (turn < 0) return null;
  const { ref, node } = path.steps[turn]!;
  const start = onRight ? node.right.ref : node.left.ref;
  return descend(load, start, () => onRight, [...path.steps.slice(0, turn), { ref, node, goLeft: !onRight }]);
}

async function existence(tree: TreeAt, { steps, ref, leaf }: Path): Promise<ExistenceProof> {
  const value = await tree.readValue(leaf.key);
  if (value === null || !equalBytes(sha256(value), leaf.valueHash)) {
    throw new Error("the tree and the store disagree about a value");
  }
  const path = steps.map(toInnerOp).reverse();
  return { key: leaf.key, value, leaf: newLeafOp(leafPrefix(refVersion(ref))), path };
}

function toInnerOp({ ref, node, goLeft }: Step): InnerOp {
  const { height, size } = measure(node.left, node.right);
  const prefix = innerPrefix(height, size, refVersion(ref));
  if (goLeft) return newInnerOp(concatBytes(prefix, HASH_LENGTH), concatBytes(HASH_LENGTH, node.right.hash));
  return newInnerOp(concatBytes(prefix, HASH_LENGTH, node.left.hash, HASH_LENGTH), EMPTY);
}
