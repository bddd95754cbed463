// What a node must remember of the chain so far to judge, or to make, the next block.

import { type BlockId, ZERO_BLOCK_ID } from "./block-id.ts";
import type { Bytes } from "./bytes.ts";
import type { ConsensusParams, ConsensusParamsUpdate } from "./consensus-params.ts";
import type { ConsensusVersion, Header } from "./header.ts";
import { BLOCK_PROTOCOL } from "./header.ts";
import type { Time } from "./time.ts";
import { type DeterministicResult, resultsHash } from "./tx-result.ts";
import type { ValidatorSet } from "./validator.ts";
import { newValidatorSet, rotate, updateValidators, type ValidatorUpdate } from "./validator-set.ts";

export type ConsensusState = {
  readonly chainId: string;
  readonly version: ConsensusVersion;
  readonly initialHeight: bigint;
  /** Zero before the first block. */
  readonly lastHeight: bigint;
  readonly lastBlockId: BlockId;
  /** The genesis time before the first block. */
  readonly lastBlockTime: Time;
  /** Who signed the last block; null before the first one, and where that block is not kept any more. */
  readonly lastValidators: ValidatorSet | null;
  /** Who signs the next block. */
  readonly validators: ValidatorSet;
  /** Who signs the block after it. */
  readonly nextValidators: ValidatorSet;
  readonly params: ConsensusParams;
  /** The root of the state after the last block. */
  readonly appHash: Bytes;
  readonly lastResultsHash: Bytes;
};

/** What a genesis and the application's answer to it decide. */
export type ConsensusGenesis = {
  readonly chainId: string;
  readonly initialHeight: bigint;
  readonly time: Time;
  readonly validators: readonly ValidatorUpdate[];
  readonly params: ConsensusParams;
  readonly appHash: Bytes;
};

/** What the execution of a block changes for the blocks after it. */
export type BlockOutcome = {
  readonly results: readonly DeterministicResult[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  readonly paramUpdates: ConsensusParamsUpdate;
  readonly appHash: Bytes;
};

export function genesisState(genesis: ConsensusGenesis): ConsensusState {
  const validators = newValidatorSet(genesis.validators);
  return {
    chainId: genesis.chainId,
    version: { block: BLOCK_PROTOCOL, app: genesis.params.version.app },
    initialHeight: genesis.initialHeight,
    lastHeight: 0n,
    lastBlockId: ZERO_BLOCK_ID,
    lastBlockTime: genesis.time,
    lastValidators: null,
    validators,
    nextValidators: rotate(validators, 1),
    params: genesis.params,
    appHash: genesis.appHash,
    lastResultsHash: resultsHash([]),
  };
}

/** The state after a block: updates of validators act two heights later, those of parameters at the next one. */
export function advanceState(
  state: ConsensusState,
  header: Header,
  blockId: BlockId,
  outcome: BlockOutcome,
): ConsensusState {
  const params = { ...state.params, ...outcome.paramUpdates };
  return {
    ...state,
    version: { ...state.version, app: params.version.app },
    lastHeight: header.height,
    lastBlockId: blockId,
    lastBlockTime: header.time,
    lastValidators: state.validators,
    validators: state.nextValidators,
    nextValidators: rotate(updateValidators(state.nextValidators, outcome.validatorUpdates), 1),
    params,
    appHash: outcome.appHash,
    lastResultsHash: resultsHash(outcome.results),
  };
}

/** The height that the next block must have. */
export function nextHeight(state: ConsensusState): bigint {
  return state.lastHeight === 0n ? state.initialHeight : state.lastHeight + 1n;
}
