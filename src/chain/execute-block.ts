// What a block does to the state: the fees of the block before move on, then its transactions follow in their order.

import type { BlockExecution } from "../codec/block-execution.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { Header } from "../codec/header.ts";
import type { TxEvent, TxResult } from "../codec/tx-result.ts";
import type { VerifySecp256k1 } from "../codec/verify-signature.ts";
import { type GiveWay, inOneGo } from "../give-way.ts";
import type { Branch } from "../store/branch.ts";
import type { BlockContext } from "./context.ts";
import { failure, ROOT } from "./errors.ts";
import { type Event, resultEvents } from "./events.ts";
import { executeTx, type TxOutcome } from "./execute-tx.ts";
import { sweepFees } from "./sweep-fees.ts";

/** What of a header execution may see: all of it is agreed before the block is executed. */
export type ExecutionHeader = Pick<Header, "chainId" | "height" | "time" | "proposerAddress">;

/** The changes themselves are in the branch that was executed on. */
export type ExecuteBlock = (branch: Branch, header: ExecutionHeader, txs: readonly Bytes[]) => Promise<BlockExecution>;

/** What of the rules of a chain stays the same from block to block. */
export type ChainRules = {
  readonly bech32Prefix: string;
  /** The most gas that a block may use; zero or less for no limit. */
  readonly maxGas: bigint;
  readonly verify: VerifySecp256k1;
};

/** `giveWay` is awaited between transactions: what a block has done so far is in its branch alone, for nobody to see. */
export function createExecuteBlock(rules: ChainRules, giveWay: GiveWay = inOneGo): ExecuteBlock {
  return async (branch, header, txs) => {
    const context = blockContext(rules, header);
    const beginBlockEvents = await beginBlock(branch, context);
    const results: TxResult[] = [];
    let gasLeft = rules.maxGas > 0n ? rules.maxGas : null;
    for (const tx of txs) {
      await giveWay();
      const outcome = gasLeft === 0n ? noGasLeft() : await executeTx(branch, { ...context, gasLeft }, tx, "deliver");
      branch.apply(outcome.changes);
      if (gasLeft !== null) gasLeft = lessGas(gasLeft, outcome);
      results.push(txResult(outcome));
    }
    return { results, beginBlockEvents, endBlockEvents: [], validatorUpdates: [], paramUpdates: {} };
  };
}

/** What transactions see of the block that they are in, or of the newest one while no block is being made. */
export function blockContext(
  rules: ChainRules,
  { chainId, height, time }: Pick<Header, "chainId" | "height" | "time">,
): BlockContext {
  return { ...rules, chainId, height, time, gasLeft: null };
}

/** As blocks record it. Gas is unsigned, but its record has a sign: the same bits are kept. */
export function txResult({ code, codespace, log, data, gasWanted, gasUsed, events }: TxOutcome): TxResult {
  const gas = { gasWanted: BigInt.asIntN(64, gasWanted), gasUsed: BigInt.asIntN(64, gasUsed) };
  return { code, codespace, log, info: "", data, ...gas, events };
}

async function beginBlock(state: Branch, block: BlockContext): Promise<TxEvent[]> {
  const events: Event[] = [];
  await sweepFees({ state, block, emit: (...more) => events.push(...more) });
  return resultEvents(events, true);
}

/** A transaction takes at most what it asked for, also when it fails; one that was never metered takes nothing. */
function lessGas(gasLeft: bigint, { metered, gasUsed, gasWanted }: TxOutcome): bigint {
  if (!metered) return gasLeft;
  const taken = gasUsed > gasWanted ? gasWanted : gasUsed;
  return taken > gasLeft ? 0n : gasLeft - taken;
}

/** Once the gas of a block is used up, whatever follows is not even looked at. */
function noGasLeft(): TxOutcome {
  const { codespace, code, message } = failure(ROOT.outOfGas, "no block gas left to run tx");
  const nothing = { data: new Uint8Array(0), gasWanted: 0n, gasUsed: 0n, events: [], msgResponses: [], changes: [] };
  return { code, codespace, log: message, ...nothing, metered: false, facts: {} };
}
