// The state that new transactions are checked on: the newest committed one, and on top of it what the transactions that
// wait would do before their messages run. So an account can send several transactions without waiting for a block.

import { type BlockContext, executeTx, type TxOutcome } from "../chain/execute-tx.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { GasPrice } from "../codec/gas-price.ts";
import { type Branch, createBranch } from "../store/branch.ts";
import type { Store } from "../store/store.ts";

export type CheckState = {
  /** Keeps the effects of what passes. */
  check(raw: Bytes, mode: "check" | "recheck"): Promise<TxOutcome>;
  /** The same verdict, and nothing is kept. */
  tryOut(raw: Bytes): Promise<TxOutcome>;
  reset(): void;
};

/**
 * `context`: of the newest committed block, which is what the reference checks against.
 * `minGasPrices`: what this node wants for gas; no rule of the chain.
 */
export function createCheckState(
  store: Store,
  context: () => BlockContext,
  minGasPrices: readonly GasPrice[] = [],
): CheckState {
  let pending: Branch | null = null;
  const state = () => {
    pending ??= createBranch(store.at(store.head()!));
    return pending;
  };
  return {
    async check(raw, mode) {
      const branch = state();
      const outcome = await executeTx(branch, context(), raw, mode, { minGasPrices });
      if (outcome.code === 0) branch.apply(outcome.changes);
      return outcome;
    },
    tryOut: (raw) => executeTx(state(), context(), raw, "check", { minGasPrices }),
    reset: () => {
      pending = null;
    },
  };
}
