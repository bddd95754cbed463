// Operation 18: executes a transaction on a branch of the state and drops the branch. What it would cost is the answer.

import { create } from "@bufbuild/protobuf";
import { invalid, simulationFailed } from "../api/errors.ts";
import type { RequestOf } from "../api/operations.ts";
import { executeTx, type TxOutcome } from "../chain/execute-tx.ts";
import type { Bytes } from "../codec/bytes.ts";
import { encodeMessage } from "../codec/reference-form.ts";
import type { TxEvent } from "../codec/tx-result.ts";
import { portableSecp256k1 } from "../codec/verify-signature.ts";
import { WireWriter } from "../codec/wire.ts";
import { TxSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import type { GiveWay } from "../give-way.ts";
import { getBlockMeta, getConsensusParams } from "../state/block.ts";
import type { Snapshot } from "../store/store.ts";
import type { NodeInfo } from "./node.ts";
import { withinTime } from "./simulation-gate.ts";

const MAX_MESSAGES = 100;
/** So many are written down before others may have their turn. */
const EVENTS_AT_ONCE = 100;

/** On the state of the snapshot's height, at that block's time. Throws the failure of the transaction as a 400, and a 503 when it takes too long. */
export async function simulateTx(
  view: Snapshot,
  request: RequestOf<"simulateTx">,
  { chainId, bech32Prefix }: Pick<NodeInfo, "chainId" | "bech32Prefix">,
  giveWay: GiveWay,
): Promise<Bytes> {
  const { time } = await getBlockMeta(view, view.height);
  const { block } = await getConsensusParams(view, view.height);
  const context = {
    chainId,
    bech32Prefix,
    height: view.height,
    time,
    maxGas: block.maxGas,
    gasLeft: null,
    // A simulation never asks: its signatures are still to be made.
    verify: portableSecp256k1,
  };
  const { skipSequenceCheck } = request;
  const options = { skipSequenceCheck, maxMessages: MAX_MESSAGES, giveWay: withinTime(giveWay) };
  const outcome = await executeTx(view, context, rawTx(request), "simulate", options);
  await options.giveWay();
  if (outcome.code !== 0) throw simulationFailed(sentenceOf(outcome), { ...outcome, ...outcome.facts });
  return simulateResponse(outcome, options.giveWay);
}

/** The bytes count where both forms are given. */
function rawTx({ tx, txBytes }: RequestOf<"simulateTx">): Bytes {
  if (txBytes.length > 0) return txBytes as Bytes;
  if (tx === undefined) throw invalid("tx_bytes", "empty txBytes is not allowed");
  return encodeMessage(TxSchema, create(TxSchema, tx));
}

/** With the gas, where it means something, in the reference's words and with its space at the end. */
function sentenceOf({ log, metered, gasWanted, gasUsed }: TxOutcome): string {
  return metered ? `${log} With gas wanted: '${gasWanted}' and gas used: '${gasUsed}' ` : log;
}

async function simulateResponse(outcome: TxOutcome, giveWay: GiveWay): Promise<Bytes> {
  const { gasWanted, gasUsed, data, log, events, msgResponses } = outcome;
  const gasInfo = new WireWriter().varintField(1, gasWanted).varintField(2, gasUsed).finish();
  const result = new WireWriter(1024).bytesField(1, data).stringField(2, log);
  for (const [i, event] of events.entries()) {
    if (i % EVENTS_AT_ONCE === 0) await giveWay();
    result.messageField(3, eventBytes(event));
  }
  for (const response of msgResponses) result.messageField(4, response);
  return new WireWriter(1024).messageField(1, gasInfo).messageField(2, result.finish()).finish();
}

function eventBytes({ type, attributes }: TxEvent): Bytes {
  const writer = new WireWriter(256).stringField(1, type);
  for (const { key, value, index } of attributes) {
    writer.messageField(2, new WireWriter().stringField(1, key).stringField(2, value).varintField(3, index).finish());
  }
  return writer.finish();
}
