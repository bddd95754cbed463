// A commit: the precommits by which validators made a block final, in the order of their set.

import { type BlockId, blockIdCodec, isZeroBlockId, ZERO_BLOCK_ID } from "./block-id.ts";
import type { Bytes } from "./bytes.ts";
import { merkleRoot } from "./merkle.ts";
import { always, bytes, int32, int64, listOf, message } from "./message.ts";
import { GO_ZERO_TIME, type Time, timeCodec } from "./time.ts";
import { PRECOMMIT, type SignedVote } from "./vote.ts";

export const ABSENT = 1;
export const COMMIT = 2;
export const NIL = 3;

export type CommitSig = {
  /** ABSENT, COMMIT (for the commit's block) or NIL (for no block). */
  readonly flag: number;
  readonly validatorAddress: Bytes;
  readonly timestamp: Time;
  readonly signature: Bytes;
};

export type Commit = {
  readonly height: bigint;
  readonly round: number;
  readonly blockId: BlockId;
  readonly signatures: readonly CommitSig[];
};

/** The last commit of a chain's first block: present, but without content. */
export const EMPTY_COMMIT: Commit = { height: 0n, round: 0, blockId: ZERO_BLOCK_ID, signatures: [] };

const commitSigCodec = message<CommitSig>("CommitSig", {
  flag: int32(1),
  validatorAddress: bytes(2),
  timestamp: always(3, timeCodec),
  signature: bytes(4),
});

export const commitCodec = message<Commit>("Commit", {
  height: int64(1),
  round: int32(2),
  blockId: always(3, blockIdCodec),
  signatures: listOf(4, commitSigCodec),
});

/** Covers the signatures only; height, round and block id are signed, not hashed. */
export function commitHash(commit: Commit): Bytes {
  return merkleRoot(commit.signatures.map(commitSigCodec.encode));
}

/** The vote behind one signature of a commit, ABSENT ones aside. */
export function voteOf(commit: Commit, { flag, timestamp }: CommitSig): SignedVote {
  const blockId = flag === COMMIT ? commit.blockId : ZERO_BLOCK_ID;
  return { type: PRECOMMIT, height: commit.height, round: commit.round, blockId, timestamp };
}

/** The rules that need no validator set; returns what is wrong, or null. */
export function commitFault(commit: Commit): string | null {
  if (commit.height < 0n) return `negative height ${commit.height}`;
  if (commit.round < 0) return `negative round ${commit.round}`;
  if (commit.height === 0n) return null;
  if (isZeroBlockId(commit.blockId)) return "for no block";
  if (commit.signatures.length === 0) return "no signatures";
  for (const [index, signature] of commit.signatures.entries()) {
    const fault = signatureFault(signature);
    if (fault !== null) return `signature ${index}: ${fault}`;
  }
  return null;
}

function signatureFault({ flag, validatorAddress, timestamp, signature }: CommitSig): string | null {
  if (flag === ABSENT) {
    if (validatorAddress.length !== 0) return "absent, but has an address";
    if (signature.length !== 0) return "absent, but signed";
    const zero = timestamp.seconds === GO_ZERO_TIME.seconds && timestamp.nanos === 0;
    return zero ? null : "absent, but has a time";
  }
  if (flag !== COMMIT && flag !== NIL) return `unknown flag ${flag}`;
  if (validatorAddress.length !== 20) return `address of ${validatorAddress.length} bytes`;
  if (signature.length === 0 || signature.length > 64) return `signature of ${signature.length} bytes`;
  return null;
}
