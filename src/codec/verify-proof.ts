// What a client checks instead of believing it: an answer about one key under an app hash (the proof in the store's
// tree, and the store's place in the tree of stores), and a transaction under a block's data hash.

import { type Bytes, compareBytes, equalBytes, utf8Encode } from "./bytes.ts";
import {
  type CommitmentProof,
  commitmentProofCodec,
  type ExistenceProof,
  existenceRoot,
  InvalidProof,
  isLeftStep,
  type NonExistenceProof,
  type ProofSpec,
} from "./ics23.ts";
import { innerHash, leafHash, type MerkleProof, proofSides } from "./merkle.ts";

export type ProofOp = { readonly type: string; readonly key: Bytes; readonly data: Bytes };

export type QueryProof = {
  readonly storeName: string;
  readonly key: Bytes;
  /** Null for a key that is not there; an empty value is a value. */
  readonly value: Bytes | null;
  /** The proof in the store, then that of the store. */
  readonly ops: readonly ProofOp[];
  /** Of the header after the height that was asked. */
  readonly appHash: Bytes;
};

/** Throws InvalidProof with what failed. */
export function verifyQueryProof({ storeName, key, value, ops, appHash }: QueryProof): void {
  const [inStore, ofStore] = ops;
  if (inStore === undefined || ofStore === undefined || ops.length !== 2) {
    throw new InvalidProof(`${ops.length} proofs, expected two`);
  }
  expectOp(inStore, "ics23:iavl", key);
  expectOp(ofStore, "ics23:simple", utf8Encode(storeName));
  const proof = decodeProof(inStore.data);
  const storeRoot = value === null ? absentRoot(proof, key) : presentRoot("iavl", proof, key, value);
  const root = presentRoot("tendermint", decodeProof(ofStore.data), utf8Encode(storeName), storeRoot);
  if (!equalBytes(root, appHash)) throw new InvalidProof("leads to another app hash");
}

/** True when `proof` shows that `item`, of a transaction its hash, stands at its index under `root`. */
export function verifyMerkleProof(root: Bytes, proof: MerkleProof, item: Bytes): boolean {
  if (!equalBytes(proof.leafHash, leafHash(item))) return false;
  const computed = proofRoot(proof);
  return computed !== null && equalBytes(computed, root);
}

/** Throws unless `proof` shows that `key` has `value` under `root`. */
export function verifyMembership(spec: ProofSpec, root: Bytes, proof: Bytes, key: Bytes, value: Bytes): void {
  if (!equalBytes(presentRoot(spec, decodeProof(proof), key, value), root)) {
    throw new InvalidProof("leads to another root");
  }
}

/** Throws unless `proof` shows that `key` is absent from the IAVL tree under `root`. */
export function verifyNonMembership(root: Bytes, proof: Bytes, key: Bytes): void {
  if (!equalBytes(absentRoot(decodeProof(proof), key), root)) throw new InvalidProof("leads to another root");
}

/** A proof has one encoding: bytes that decode but would be written otherwise are refused. */
function decodeProof(data: Bytes): CommitmentProof {
  let proof: CommitmentProof;
  try {
    proof = commitmentProofCodec.decode(data);
  } catch (error) {
    throw new InvalidProof(error instanceof Error ? error.message : "undecodable");
  }
  if (!equalBytes(commitmentProofCodec.encode(proof), data)) throw new InvalidProof("not in its one encoding");
  return proof;
}

function presentRoot(spec: ProofSpec, proof: CommitmentProof, key: Bytes, value: Bytes): Bytes {
  if (proof.exist === null || proof.nonexist !== null) throw new InvalidProof("not a proof of presence");
  if (!equalBytes(proof.exist.key, key)) throw new InvalidProof("of another key");
  if (!equalBytes(proof.exist.value, value)) throw new InvalidProof("of another value");
  return existenceRoot(spec, proof.exist);
}

function absentRoot(proof: CommitmentProof, key: Bytes): Bytes {
  const { exist, nonexist } = proof;
  if (nonexist === null || exist !== null) throw new InvalidProof("not a proof of absence");
  if (!equalBytes(nonexist.key, key)) throw new InvalidProof("of another key");
  const { left, right } = nonexist;
  if (left !== null && compareBytes(left.key, key) >= 0) throw new InvalidProof("the left neighbour is not before it");
  if (right !== null && compareBytes(right.key, key) <= 0)
    throw new InvalidProof("the right neighbour is not after it");
  checkNeighbours(nonexist);
  const roots = [left, right].flatMap((neighbour) => (neighbour === null ? [] : [existenceRoot("iavl", neighbour)]));
  if (roots.length === 2 && !equalBytes(roots[0]!, roots[1]!)) throw new InvalidProof("neighbours of two trees");
  return roots[0]!;
}

/** No leaf may stand between the two, or beyond the one at the edge. */
function checkNeighbours({ left, right }: NonExistenceProof): void {
  if (left === null && right === null) throw new InvalidProof("no neighbour: an empty tree proves nothing");
  const leftWay = left === null ? null : wayDown(left);
  const rightWay = right === null ? null : wayDown(right);
  if (leftWay === null || rightWay === null) {
    const inward = leftWay === null ? rightWay!.every((isLeft) => isLeft) : leftWay.every((isLeft) => !isLeft);
    if (!inward) throw new InvalidProof("the neighbour is not at the edge of the tree");
    return;
  }
  let parting = 0;
  while (parting < leftWay.length && leftWay[parting] === rightWay[parting]) parting++;
  const adjacent =
    leftWay[parting] === true &&
    rightWay[parting] === false &&
    leftWay.slice(parting + 1).every((isLeft) => !isLeft) &&
    rightWay.slice(parting + 1).every((isLeft) => isLeft);
  if (!adjacent) throw new InvalidProof("the neighbours are not adjacent");
}

/** The turns from the root to the leaf: true for left. */
function wayDown(proof: ExistenceProof): boolean[] {
  return proof.path.map(isLeftStep).reverse();
}

function proofRoot({ total, index, leafHash: leaf, aunts }: MerkleProof): Bytes | null {
  if (!Number.isSafeInteger(total) || !Number.isSafeInteger(index) || index < 0 || index >= total) return null;
  const sides = proofSides(total, index);
  if (sides.length !== aunts.length || leaf.length !== 32 || aunts.some((aunt) => aunt.length !== 32)) return null;
  return sides.reduce((hash, isLeft, i) => (isLeft ? innerHash(hash, aunts[i]!) : innerHash(aunts[i]!, hash)), leaf);
}

function expectOp(op: ProofOp, type: string, key: Bytes): void {
  if (op.type !== type) throw new InvalidProof(`a proof of type ${JSON.stringify(op.type)}, expected ${type}`);
  if (!equalBytes(op.key, key)) throw new InvalidProof(`the ${type} proof is of another key`);
}
