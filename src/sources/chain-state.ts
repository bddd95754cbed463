// Where a chain stands, from what its store holds: a restart goes on exactly where the last commit left it.

import { blockCodec } from "../codec/block.ts";
import type { ConsensusParams } from "../codec/consensus-params.ts";
import { type ConsensusState, genesisState } from "../codec/consensus-state.ts";
import { sha256 } from "../codec/hash.ts";
import type { Time } from "../codec/time.ts";
import { resultsHash } from "../codec/tx-result.ts";
import { rotate, updateValidators, type ValidatorUpdate } from "../codec/validator-set.ts";
import type { Reader, Store } from "../store/store.ts";
import { readAppHash, readCommitted } from "./block-records.ts";

/** What a chain begins with. */
export type ChainGenesis = {
  readonly chainId: string;
  readonly bech32Prefix: string;
  readonly initialHeight: bigint;
  readonly time: Time;
  readonly params: ConsensusParams;
  readonly validators: readonly ValidatorUpdate[];
};

/** The app hash of the first header: an application without any state says the hash of nothing. */
export function firstState(genesis: ChainGenesis): ConsensusState {
  return genesisState({ ...genesis, appHash: sha256(new Uint8Array(0)) });
}

/** Of an empty store, the state before the first block. */
export async function loadState(store: Store, genesis: ChainGenesis): Promise<ConsensusState> {
  const head = store.head();
  if (head === null) return firstState(genesis);
  const view = store.at(head);
  try {
    const last = await readCommitted(view, head);
    const before = head > genesis.initialHeight ? await readCommitted(view, head - 1n) : null;
    // Updates act two heights later: those of the block before the last one come into force now.
    const validators = rotate(updateValidators(last.validators, before?.results.validatorUpdates ?? []), 1);
    const { header } = blockCodec.decode(last.block);
    return {
      ...firstState(genesis),
      version: header.version,
      lastHeight: head,
      lastBlockId: last.blockId,
      lastBlockTime: header.time,
      lastValidators: last.validators,
      validators,
      nextValidators: rotate(updateValidators(validators, last.results.validatorUpdates), 1),
      params: last.consensusParams,
      appHash: await readAppHash(view),
      lastResultsHash: resultsHash(last.results.results),
    };
  } finally {
    view.close();
  }
}

/** What a store without any commit reads like. */
export const NOTHING_STORED: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};
