// One transaction on a branch: decoded, judged, its fee taken, its messages executed. Pure: what it would change is
// part of the outcome, and nothing is written. It never throws for what a transaction holds.

import type { Bytes } from "../codec/bytes.ts";
import type { GasPrice } from "../codec/gas-price.ts";
import { type DecodedTx, decodeTx, decodeTxInSteps, TxDecodeError } from "../codec/tx.ts";
import type { TxEvent } from "../codec/tx-result.ts";
import { WireWriter } from "../codec/wire.ts";
import { type GiveWay, inOneGo } from "../give-way.ts";
import { createBranch } from "../store/branch.ts";
import type { Change, Reader } from "../store/store.ts";
import { runAnte } from "./ante.ts";
import { type BlockContext, type RoutedMessage, type Rules, TxContext } from "./context.ts";
import { ChainError, type ErrorFacts, failure, ROOT } from "./errors.ts";
import { messageLog, resultEvents } from "./events.ts";
import { GasMeter, meteredState, outOfGas, UNLIMITED_GAS } from "./gas.ts";
import { routeMessage } from "./messages.ts";
import { type Executed, runMessages } from "./run-messages.ts";

export type { BlockContext };

export type Mode = "deliver" | "check" | "recheck" | "simulate";

export type ExecuteOptions = {
  /** Simulations only: takes any sequence for the right one. */
  readonly skipSequenceCheck?: boolean;
  /** Checks only: the least that this node takes for gas. Blocks and simulations do not ask. */
  readonly minGasPrices?: readonly GasPrice[];
  /** More messages than this are refused unlooked at. */
  readonly maxMessages?: number;
  /** Awaited between the steps and among their reads; what it throws ends the execution. */
  readonly giveWay?: GiveWay;
};

export type TxOutcome = {
  /** Zero for success. */
  readonly code: number;
  readonly codespace: string;
  /** The error's sentence, or the events of the messages. */
  readonly log: string;
  /** Encoded TxMsgData; empty for a failure. */
  readonly data: Bytes;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  /** Of a transaction whose messages failed: those of the steps before them. */
  readonly events: readonly TxEvent[];
  /** One typed object, encoded, for each message. */
  readonly msgResponses: readonly Bytes[];
  /** What of the state changes: also when messages fail, then the fee, the sequences and the keys. */
  readonly changes: readonly Change[];
  /** Whether it came as far as the steps before the messages: gas of an earlier failure means nothing. */
  readonly metered: boolean;
  readonly facts: ErrorFacts;
};

/** The most that a simulation may use: more than any block of a real chain holds. */
const SIMULATION_GAS = 50_000_000n;

const STRICT: Rules = {
  limitsGas: true,
  checksForm: true,
  needsKeys: true,
  checksSequence: true,
  verifiesSignatures: true,
  runsMessages: true,
  minGasPrices: [],
  indexesEvents: true,
};

const RULES: Readonly<Record<Mode, Rules>> = {
  deliver: STRICT,
  check: { ...STRICT, runsMessages: false },
  recheck: { ...STRICT, runsMessages: false, checksForm: false, verifiesSignatures: false },
  simulate: { ...STRICT, limitsGas: false, needsKeys: false, verifiesSignatures: false, indexesEvents: false },
};

export async function executeTx(
  base: Reader,
  block: BlockContext,
  raw: Bytes,
  mode: Mode,
  options: ExecuteOptions = {},
): Promise<TxOutcome> {
  const rules = rulesOf(mode, options);
  const { giveWay = inOneGo } = options;
  const opened = mode === "simulate" ? await openInSteps(block, raw, options) : openOnce(block, raw);
  if (opened instanceof ChainError) return refused(opened);
  await giveWay();
  const { tx, messages } = opened;
  const wanted = rules.limitsGas ? (tx.authInfo.fee?.gasLimit ?? 0n) : UNLIMITED_GAS;
  const gas = new GasMeter(rules.limitsGas ? wanted : SIMULATION_GAS);
  const branch = createBranch(base);
  const context = new TxContext({ block, rules, tx, messages, gas, state: meteredState(branch, gas, giveWay) });

  const blockGasError = () => overBlockGas(block, gas, wanted);
  const anteError = await caught(() => runAnte(context));
  if (anteError !== null) return failed(blockGasError() ?? anteError, wanted, gas, [], []);
  const anteEvents = resultEvents(context.events, rules.indexesEvents);
  const inMessages = createBranch(branch);
  let done: Executed = { responses: [], events: [] };
  const messageError = await caught(async () => {
    const parts = { block, gas, state: meteredState(inMessages, gas, giveWay), txHash: context.txHash };
    if (rules.runsMessages) done = await runMessages(parts, messages);
  });
  const error = blockGasError() ?? messageError;
  if (error !== null) return failed(error, wanted, gas, anteEvents, branch.changes());
  await giveWay();
  branch.apply(inMessages.changes());
  const log = await messageLog(done.events, giveWay);
  await giveWay();
  return {
    code: 0,
    codespace: "",
    log,
    data: txMsgData(done.responses),
    gasWanted: wanted,
    gasUsed: gas.used,
    events: [...anteEvents, ...resultEvents(done.events.flat(), rules.indexesEvents)],
    msgResponses: done.responses,
    changes: branch.changes(),
    metered: true,
    facts: {},
  };
}

function rulesOf(mode: Mode, { skipSequenceCheck = false, minGasPrices = [] }: ExecuteOptions): Rules {
  if (skipSequenceCheck) return { ...RULES[mode], checksSequence: false };
  const isCheck = mode === "check" || mode === "recheck";
  return isCheck && minGasPrices.length > 0 ? { ...RULES[mode], minGasPrices } : RULES[mode];
}

type OpenedTx = { readonly tx: DecodedTx; readonly messages: readonly RoutedMessage[] };

/** By the bytes object itself: one that waits for its block is checked again and again, and then executed. */
const openedTxs = new WeakMap<Bytes, OpenedTx & { readonly prefix: string }>();
/** Of larger ones very many could wait at once: they are opened each time. */
const LARGEST_REMEMBERED = 4096;

/** Nothing of what is opened is ever changed. */
function openOnce(block: BlockContext, raw: Bytes): OpenedTx | ChainError {
  const known = openedTxs.get(raw);
  if (known?.prefix === block.bech32Prefix) return known;
  const opened = open(block, raw);
  if (opened instanceof ChainError || raw.length > LARGEST_REMEMBERED) return opened;
  openedTxs.set(raw, { ...opened, prefix: block.bech32Prefix });
  return opened;
}

/** What is judged before any state is looked at. */
function open({ bech32Prefix }: BlockContext, raw: Bytes): OpenedTx | ChainError {
  try {
    const opened = routed(decodeTx(raw));
    for (const { type, message } of opened.messages) type.validateBasic(message, bech32Prefix);
    return opened;
  } catch (error) {
    return asRefusal(error);
  }
}

/** The same in steps, for what anyone may ask for at any time. */
async function openInSteps(
  { bech32Prefix }: BlockContext,
  raw: Bytes,
  { maxMessages, giveWay = inOneGo }: ExecuteOptions,
): Promise<OpenedTx | ChainError> {
  try {
    const opened = routed(await decoded(raw, giveWay), maxMessages);
    for (const { type, message } of opened.messages) {
      await giveWay();
      type.validateBasic(message, bech32Prefix);
    }
    return opened;
  } catch (error) {
    return asRefusal(error);
  }
}

async function decoded(raw: Bytes, giveWay: GiveWay): Promise<DecodedTx> {
  const steps = decodeTxInSteps(raw);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await giveWay();
  }
}

function routed(tx: DecodedTx, maxMessages = Number.POSITIVE_INFINITY): OpenedTx {
  const count = tx.messages.length;
  if (count === 0) throw failure(ROOT.invalidRequest, "must contain at least one message");
  if (count > maxMessages) {
    throw failure(ROOT.invalidRequest, `${count} messages are more than the ${maxMessages} allowed here`);
  }
  return { tx, messages: tx.messages.map(routeMessage) };
}

function asRefusal(error: unknown): ChainError {
  if (error instanceof ChainError) return error;
  if (error instanceof TxDecodeError) return new ChainError(ROOT.txParse.codespace, ROOT.txParse.code, error.message);
  throw error;
}

/** A transaction that takes more than its block has left fails for that, whatever else became of it. */
function overBlockGas({ gasLeft }: BlockContext, gas: GasMeter, wanted: bigint): ChainError | null {
  if (gasLeft === null || gas.usedWithinLimit <= gasLeft) return null;
  return outOfGas("block gas meter", wanted, gas.used);
}

async function caught(run: () => Promise<void>): Promise<ChainError | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof ChainError) return error;
    throw error;
  }
}

function refused(error: ChainError): TxOutcome {
  return { ...failed(error, 0n, new GasMeter(0n), [], []), metered: false };
}

function failed(
  { code, codespace, message, facts }: ChainError,
  gasWanted: bigint,
  gas: GasMeter,
  events: readonly TxEvent[],
  changes: readonly Change[],
): TxOutcome {
  const nothing = { data: new Uint8Array(0), msgResponses: [] };
  return {
    code,
    codespace,
    log: message,
    ...nothing,
    gasWanted,
    gasUsed: gas.used,
    events,
    changes,
    metered: true,
    facts,
  };
}

function txMsgData(responses: readonly Bytes[]): Bytes {
  const data = new WireWriter();
  for (const response of responses) data.messageField(2, response);
  return data.finish();
}
