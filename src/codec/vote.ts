// Votes of validators, and the canonical bytes that they sign.

import { type BlockId, blockIdCodec, isZeroBlockId } from "./block-id.ts";
import type { Bytes } from "./bytes.ts";
import { always, bytes, int32, int64, message, optional, sfixed64, string } from "./message.ts";
import { signEd25519 } from "./public-key.ts";
import { type Time, timeCodec } from "./time.ts";
import { WireWriter } from "./wire.ts";

export const PRECOMMIT = 2;

export type Vote = {
  readonly type: number;
  readonly height: bigint;
  readonly round: number;
  /** Zero in a vote for no block. */
  readonly blockId: BlockId;
  readonly timestamp: Time;
  readonly validatorAddress: Bytes;
  readonly validatorIndex: number;
  readonly signature: Bytes;
};

export const voteCodec = message<Vote>("Vote", {
  type: int32(1),
  height: int64(2),
  round: int32(3),
  blockId: always(4, blockIdCodec),
  timestamp: always(5, timeCodec),
  validatorAddress: bytes(6),
  validatorIndex: int32(7),
  signature: bytes(8),
});

/** What of a vote is signed. */
export type SignedVote = Pick<Vote, "type" | "height" | "round" | "blockId" | "timestamp">;

type CanonicalVote = {
  readonly type: number;
  readonly height: bigint;
  readonly round: bigint;
  readonly blockId: BlockId | null;
  readonly timestamp: Time;
  readonly chainId: string;
};

const canonicalVoteCodec = message<CanonicalVote>("CanonicalVote", {
  type: int32(1),
  height: sfixed64(2),
  round: sfixed64(3),
  blockId: optional(4, blockIdCodec),
  timestamp: always(5, timeCodec),
  chainId: string(6),
});

/** The length of the canonical vote, then the vote itself. A vote for no block has no block id at all. */
export function voteSignBytes(chainId: string, vote: SignedVote): Bytes {
  const canonical = canonicalVoteCodec.encode({
    type: vote.type,
    height: vote.height,
    round: BigInt(vote.round),
    blockId: isZeroBlockId(vote.blockId) ? null : vote.blockId,
    timestamp: vote.timestamp,
    chainId,
  });
  return new WireWriter(canonical.length + 2).uint(canonical.length).raw(canonical).finish();
}

export function signVote(seed: Bytes, chainId: string, vote: SignedVote): Bytes {
  return signEd25519(seed, voteSignBytes(chainId, vote));
}
