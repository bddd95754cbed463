// What a block does to the state: the effects at its begin, its transactions in order, the effects at its end.

import type { ConsensusParamsUpdate } from "../codec/consensus-params.ts";
import type { Header } from "../codec/header.ts";
import type { TxEvent, TxResult } from "../codec/tx-result.ts";
import type { ValidatorUpdate } from "../codec/validator-set.ts";
import { type Branch, createBranch } from "../store/branch.ts";
import type { Bytes } from "../store/store.ts";

/** The changes themselves are in the branch that was executed on. */
export type BlockExecution = {
  /** One for each transaction, in their order. */
  readonly results: readonly TxResult[];
  readonly beginBlockEvents: readonly TxEvent[];
  readonly endBlockEvents: readonly TxEvent[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  readonly paramUpdates: ConsensusParamsUpdate;
};

/** What of a header execution may see: all of it is agreed before the block is executed. */
export type ExecutionHeader = Pick<Header, "chainId" | "height" | "time" | "proposerAddress">;

export type ExecuteBlock = (branch: Branch, header: ExecutionHeader, txs: readonly Bytes[]) => Promise<BlockExecution>;

/** The modules of this chain have nothing to do at the begin or the end of a block, so no events come from there. */
export const executeBlock: ExecuteBlock = async (branch, header, txs) => {
  const results: TxResult[] = [];
  for (const tx of txs) results.push(await executeTx(branch, header, tx));
  return { results, beginBlockEvents: [], endBlockEvents: [], validatorUpdates: [], paramUpdates: {} };
};

/** A transaction works on a branch of its own; one that fails leaves the block's branch as it was. */
async function executeTx(branch: Branch, header: ExecutionHeader, tx: Bytes): Promise<TxResult> {
  const own = createBranch(branch);
  const result = await deliverTx(own, header, tx);
  if (result.code === 0) own.applyTo(branch);
  return result;
}

/** The reference's code for a feature that a chain does not have. */
const NOT_SUPPORTED = { codespace: "sdk", code: 37 } as const;

/** No message is executed yet: every transaction fails in plain words, and changes nothing. */
async function deliverTx(_branch: Branch, _header: ExecutionHeader, _tx: Bytes): Promise<TxResult> {
  return {
    ...NOT_SUPPORTED,
    data: new Uint8Array(0),
    log: "this chain does not execute transactions: feature not supported",
    info: "",
    gasWanted: 0n,
    gasUsed: 0n,
    events: [],
  };
}
