// What the execution of a block gave, beside the changes of the state: what consensus and the clients are told.

import type { ConsensusParamsUpdate } from "./consensus-params.ts";
import type { TxEvent, TxResult } from "./tx-result.ts";
import type { ValidatorUpdate } from "./validator-set.ts";

export type BlockExecution = {
  /** One for each transaction, in their order. */
  readonly results: readonly TxResult[];
  readonly beginBlockEvents: readonly TxEvent[];
  readonly endBlockEvents: readonly TxEvent[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  readonly paramUpdates: ConsensusParamsUpdate;
};
