// What every source of blocks yields, whether it makes them, reads them from a file, or follows another node.

import type { Block } from "../codec/block.ts";
import type { BlockExecution } from "../codec/block-execution.ts";
import type { BlockId } from "../codec/block-id.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { Commit } from "../codec/commit.ts";
import type { ConsensusParams } from "../codec/consensus-params.ts";
import type { Time } from "../codec/time.ts";
import type { ValidatorSet } from "../codec/validator.ts";
import type { Change } from "../store/store.ts";

/** A final block: agreed, executed, and ready to be stored. */
export type Committed = {
  readonly height: bigint;
  /** The encoded block. */
  readonly block: Bytes;
  readonly blockId: BlockId;
  /** The precommits that made this block final, as this source has seen them. */
  readonly commit: Commit;
  readonly results: BlockExecution;
  /** In force at this height: who signed the commit. */
  readonly validators: ValidatorSet;
  /** In force at this height. */
  readonly consensusParams: ConsensusParams;
  /** What the block did to the state, in the order of execution. */
  readonly changes: readonly Change[];
};

/** What the one writer must know about where blocks come from. */
export type Source = {
  readonly name: "solo" | "recording";
  /**
   * own: headers carry the hash of exactly the stores that this node keeps, so each is checked against it.
   * foreign: the chain has more stores than this node, so its app hashes are kept, but say nothing that can be checked.
   */
  readonly appHashes: "own" | "foreign";
};

export const SOLO: Source = { name: "solo", appHashes: "own" };
export const RECORDING: Source = { name: "recording", appHashes: "foreign" };

/** What is told of a block that has become readable. */
export type BlockNote = {
  readonly height: bigint;
  readonly hash: Bytes;
  readonly time: Time;
  readonly txs: number;
  readonly block: Block;
  readonly results: BlockExecution;
};
