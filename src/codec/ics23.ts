// ICS-23 proofs: their bytes, and the root that a proof of presence leads to, under the two specs of a Cosmos chain.
//
// The specs matter as much as the hashes: without them, bytes of an inner node could pass for a leaf. Only the exact
// forms that the two trees produce are accepted.

import { type Bytes, concatBytes } from "./bytes.ts";
import { sha256 } from "./hash.ts";
import { bytes, int32, listOf, message, optional } from "./message.ts";
import { WireReader, WireWriter } from "./wire.ts";

export type LeafOp = {
  readonly hash: number;
  readonly prehashKey: number;
  readonly prehashValue: number;
  readonly length: number;
  readonly prefix: Bytes;
};

/** One step towards the root: the hash of prefix, child and suffix. */
export type InnerOp = { readonly hash: number; readonly prefix: Bytes; readonly suffix: Bytes };

export type ExistenceProof = {
  readonly key: Bytes;
  readonly value: Bytes;
  readonly leaf: LeafOp | null;
  /** From the leaf to the root. */
  readonly path: readonly InnerOp[];
};

/** The neighbours of a key that is not there; one is missing at an edge of the tree. */
export type NonExistenceProof = {
  readonly key: Bytes;
  readonly left: ExistenceProof | null;
  readonly right: ExistenceProof | null;
};

/** One of the two is set. */
export type CommitmentProof = { readonly exist: ExistenceProof | null; readonly nonexist: NonExistenceProof | null };

export type ProofSpec = "iavl" | "tendermint";

export class InvalidProof extends Error {
  override readonly name = "InvalidProof";
}

const SHA256 = 1;
const VAR_PROTO = 1;
const HASH_SIZE = 32;
const MAX_DEPTH = 64;

const existenceCodec = message<ExistenceProof>("ExistenceProof", {
  key: bytes(1),
  value: bytes(2),
  leaf: optional(
    3,
    message<LeafOp>("LeafOp", {
      hash: int32(1),
      prehashKey: int32(2),
      prehashValue: int32(3),
      length: int32(4),
      prefix: bytes(5),
    }),
  ),
  path: listOf(4, message<InnerOp>("InnerOp", { hash: int32(1), prefix: bytes(2), suffix: bytes(3) })),
});

export const commitmentProofCodec = message<CommitmentProof>("CommitmentProof", {
  exist: optional(1, existenceCodec),
  nonexist: optional(
    2,
    message<NonExistenceProof>("NonExistenceProof", {
      key: bytes(1),
      left: optional(2, existenceCodec),
      right: optional(3, existenceCodec),
    }),
  ),
});

export function newLeafOp(prefix: Bytes): LeafOp {
  return { hash: SHA256, prehashKey: 0, prehashValue: SHA256, length: VAR_PROTO, prefix };
}

export function newInnerOp(prefix: Bytes, suffix: Bytes): InnerOp {
  return { hash: SHA256, prefix, suffix };
}

/** The root under which the proof's key has the proof's value. Throws InvalidProof on a form that the spec lacks. */
export function existenceRoot(spec: ProofSpec, proof: ExistenceProof): Bytes {
  const { key, value, leaf, path } = proof;
  if (key.length === 0) throw new InvalidProof("a leaf without a key");
  if (leaf === null) throw new InvalidProof("no leaf");
  if (path.length > MAX_DEPTH) throw new InvalidProof(`a path of ${path.length} steps`);
  checkLeaf(spec, leaf);
  if (spec === "iavl") checkIavlPath(path);
  else path.forEach(checkSimpleStep);
  const item = new WireWriter(64 + key.length).raw(leaf.prefix).uint(key.length).raw(key);
  const start = sha256(item.uint(HASH_SIZE).raw(sha256(value)).finish());
  return path.reduce((hash, { prefix, suffix }) => sha256(concatBytes(prefix, hash, suffix)), start);
}

/** True where the proven child is the left one. Both trees then have the other child in the suffix. */
export function isLeftStep(step: InnerOp): boolean {
  return step.suffix.length > 0;
}

function checkLeaf(spec: ProofSpec, { hash, prehashKey, prehashValue, length, prefix }: LeafOp): void {
  if (hash !== SHA256 || prehashKey !== 0 || prehashValue !== SHA256 || length !== VAR_PROTO) {
    throw new InvalidProof("a leaf hashed in another way");
  }
  if (spec === "tendermint") {
    if (prefix.length !== 1 || prefix[0] !== 0) throw new InvalidProof("wrong prefix of a leaf");
    return;
  }
  const { height, size, rest } = iavlPrefix(prefix);
  if (height !== 0n || size !== 1n || rest.length !== 0) throw new InvalidProof("wrong prefix of a leaf");
}

function checkSimpleStep({ hash, prefix, suffix }: InnerOp): void {
  const left = prefix.length === 1 && suffix.length === HASH_SIZE;
  const right = prefix.length === 1 + HASH_SIZE && suffix.length === 0;
  if (hash !== SHA256 || prefix[0] !== 1 || !(left || right)) throw new InvalidProof("wrong form of a step");
}

/** Heights and sizes rise towards the root, so an inner node cannot stand in for a leaf or be left out. */
function checkIavlPath(path: readonly InnerOp[]): void {
  let below = { height: 0n, size: 1n };
  for (const { hash, prefix, suffix } of path) {
    const { height, size, rest } = iavlPrefix(prefix);
    const left = rest.length === 1 && suffix.length === 1 + HASH_SIZE && suffix[0] === HASH_SIZE;
    const right = rest.length === 2 + HASH_SIZE && rest[1 + HASH_SIZE] === HASH_SIZE && suffix.length === 0;
    if (hash !== SHA256 || rest[0] !== HASH_SIZE || !(left || right)) throw new InvalidProof("wrong form of a step");
    if (height <= below.height || size <= below.size) throw new InvalidProof("heights or sizes do not rise");
    below = { height, size };
  }
}

/** Height, size and version in their shortest form, and the bytes after them. */
function iavlPrefix(prefix: Bytes): { height: bigint; size: bigint; rest: Bytes } {
  const reader = new WireReader(prefix);
  try {
    const [height, size, version] = [shortZigzag(reader), shortZigzag(reader), shortZigzag(reader)];
    if (version < 0n || height < 0n || size < 0n) throw new InvalidProof("negative number in a prefix");
    return { height, size, rest: prefix.subarray(reader.pos) };
  } catch (error) {
    throw error instanceof InvalidProof ? error : new InvalidProof("a prefix that is too short");
  }
}

function shortZigzag(reader: WireReader): bigint {
  const start = reader.pos;
  const value = reader.zigzag();
  if (reader.pos - start > 1 && reader.bytes[reader.pos - 1] === 0) throw new InvalidProof("a padded number");
  return value;
}
