// The simple Merkle tree of CometBFT (RFC 6962): leaves and inner nodes are hashed apart, and a list of n items splits
// at the largest power of two below n.

import { type Bytes, concatBytes } from "./bytes.ts";
import { sha256 } from "./hash.ts";

/** `aunts` go from the leaf's sibling up to the child of the root. */
export type MerkleProof = {
  readonly total: number;
  readonly index: number;
  readonly leafHash: Bytes;
  readonly aunts: readonly Bytes[];
};

const LEAF = new Uint8Array([0]);
const INNER = new Uint8Array([1]);
const NOTHING = new Uint8Array(0);

export function leafHash(item: Bytes): Bytes {
  return sha256(concatBytes(LEAF, item));
}

export function innerHash(left: Bytes, right: Bytes): Bytes {
  return sha256(concatBytes(INNER, left, right));
}

export function merkleRoot(items: readonly Bytes[]): Bytes {
  return rootOf(items.map(leafHash));
}

/** One proof per item, in the order of the items. */
export function merkleProofs(items: readonly Bytes[]): MerkleProof[] {
  const leaves = items.map(leafHash);
  const aunts: Bytes[][] = leaves.map(() => []);
  collectAunts(leaves, 0, aunts);
  return leaves.map((leaf, index) => ({ total: leaves.length, index, leafHash: leaf, aunts: aunts[index]! }));
}

/** Which way each step goes from the leaf up: true where the proven side is the left one. */
export function proofSides(total: number, index: number): boolean[] {
  if (total <= 1) return [];
  const split = splitPoint(total);
  return index < split ? [...proofSides(split, index), true] : [...proofSides(total - split, index - split), false];
}

function rootOf(leaves: readonly Bytes[]): Bytes {
  if (leaves.length === 0) return sha256(NOTHING);
  if (leaves.length === 1) return leaves[0]!;
  const split = splitPoint(leaves.length);
  return innerHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** Gives every leaf from `first` on the hash of its sibling's side; returns the root of these leaves. */
function collectAunts(leaves: readonly Bytes[], first: number, aunts: Bytes[][]): Bytes {
  if (leaves.length === 0) return sha256(NOTHING);
  if (leaves.length === 1) return leaves[0]!;
  const split = splitPoint(leaves.length);
  const left = collectAunts(leaves.slice(0, split), first, aunts);
  const right = collectAunts(leaves.slice(split), first + split, aunts);
  for (let i = 0; i < leaves.length; i++) aunts[first + i]!.push(i < split ? right : left);
  return innerHash(left, right);
}

/** The largest power of two below `count`, which is at least 2. */
function splitPoint(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}
