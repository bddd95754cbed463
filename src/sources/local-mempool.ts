// The mempool of an embedded chain: checks by the chain's own rules, on the newest state that it has committed.

import { blockContext, type ChainRules } from "../chain/execute-block.ts";
import type { TxOutcome } from "../chain/execute-tx.ts";
import type { GasPrice } from "../codec/gas-price.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { roomForTxs } from "./block-room.ts";
import { createCheckState } from "./check-state.ts";
import type { Ingest } from "./ingest.ts";
import { createMempool, type Mempool } from "./mempool.ts";

export type LocalMempool = Mempool<TxOutcome>;

export type LocalMempoolParts = {
  readonly store: Store;
  readonly ingest: Ingest;
  readonly rules: ChainRules;
  /** What this node wants for gas; none by default. */
  readonly minGasPrices?: readonly GasPrice[];
  readonly log: Pick<Log, "error">;
};

export function openLocalMempool({ store, ingest, rules, minGasPrices, log }: LocalMempoolParts): LocalMempool {
  const context = () => {
    const { chainId, lastHeight, lastBlockTime } = ingest.state();
    return blockContext(rules, { chainId, height: lastHeight, time: lastBlockTime });
  };
  const checkState = createCheckState(store, context, minGasPrices);
  return createMempool({
    check: checkState.check,
    tryOut: checkState.tryOut,
    resetChecks: checkState.reset,
    maxBlockBytes: () => {
      const { params, validators } = ingest.state();
      return roomForTxs(params, validators.validators.length);
    },
    log,
  });
}
