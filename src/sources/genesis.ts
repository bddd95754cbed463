// From a genesis file to a chain: what its blocks begin with, and what it puts into the state.

import { type Genesis, genesisChanges, parseGenesis } from "../chain/genesis.ts";
import type { Change } from "../store/store.ts";
import type { ChainGenesis } from "./chain-state.ts";
import { initialPowers, type LocalValidator } from "./validators.ts";

export type LocalGenesis = {
  readonly chain: ChainGenesis;
  /** In the order of execution. Part of the first block's commit, because a genesis has none of its own. */
  readonly changes: () => Promise<readonly Change[]>;
};

/** The validators of the file are not taken over: their keys are elsewhere, and blocks need signatures. */
export function localGenesis(json: unknown, validators: readonly LocalValidator[]): LocalGenesis {
  const genesis: Genesis = parseGenesis(json);
  const { chainId, bech32Prefix, initialHeight, time, params } = genesis;
  return {
    chain: { chainId, bech32Prefix, initialHeight, time, params, validators: initialPowers(validators) },
    changes: () => genesisChanges(genesis),
  };
}
