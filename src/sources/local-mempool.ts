// The mempool of an embedded chain: checks by the chain's own rules, on the newest state that it has committed.

import { blockContext, type ChainRules } from "../chain/execute-block.ts";
import type { TxOutcome } from "../chain/execute-tx.ts";
import type { GasPrice } from "../codec/gas-price.ts";
import type { Store } from "../store/store.ts";
import { roomForTxs } from "./block-room.ts";
import { type CheckState, createCheckState } from "./check-state.ts";
import type { Ingest } from "./ingest.ts";
import { createMempool, type Mempool } from "./mempool.ts";

export type LocalMempool = { readonly mempool: Mempool<TxOutcome>; readonly checkState: CheckState };

/** `minGasPrices`: what this node wants for gas; none by default. */
export function openLocalMempool(
  store: Store,
  ingest: Ingest,
  rules: ChainRules,
  minGasPrices: readonly GasPrice[] = [],
): LocalMempool {
  const context = () => {
    const { chainId, lastHeight, lastBlockTime } = ingest.state();
    return blockContext(rules, { chainId, height: lastHeight, time: lastBlockTime });
  };
  const checkState = createCheckState(store, context, minGasPrices);
  const mempool = createMempool({
    check: checkState.check,
    resetChecks: checkState.reset,
    maxBlockBytes: () => {
      const { params, validators } = ingest.state();
      return roomForTxs(params, validators.validators.length);
    },
  });
  return { mempool, checkState };
}
