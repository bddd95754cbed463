// A transaction with the result of its execution, as the SDK's transaction service shows it.

import { create } from "@bufbuild/protobuf";
import type { FoundTx } from "../api/rpc-queries.ts";
import { typeUrlOf } from "../codec/any.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import { formatTime, type Time } from "../codec/time.ts";
import type { TxResult } from "../codec/tx-result.ts";
import { TxResponseSchema } from "../gen/cosmos/base/abci/v1beta1/abci_pb.ts";
import { TxSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { shownTx } from "./tx.ts";

type StringEvent = { type: string; attributes?: { key: string; value: string }[] };
type MessageLog = { msg_index?: number; log?: string; events?: StringEvent[] };

/** `time` is that of the transaction's block; the reference shows it to the second. */
export function foundTxResponse({ hash, height, tx, result }: FoundTx, time: Time) {
  return create(TxResponseSchema, {
    ...checkedTxResponse(hash, result),
    height,
    info: result.info,
    gasWanted: result.gasWanted,
    gasUsed: result.gasUsed,
    tx: { typeUrl: typeUrlOf(TxSchema), value: shownTx(tx) },
    timestamp: formatTime({ seconds: time.seconds, nanos: 0 }, "minimal"),
    events: result.events.map(({ type, attributes }) => ({ type, attributes: attributes.map((a) => ({ ...a })) })),
  });
}

/** What is said of a transaction that was only checked: no gas and no events, as the reference has it. */
export function checkedTxResponse(
  hash: Bytes,
  { codespace, code, data, log }: Pick<TxResult, "codespace" | "code" | "data" | "log">,
) {
  return {
    txhash: upperHex(hash),
    codespace,
    code,
    data: upperHex(data),
    rawLog: log,
    logs: messageLogs(log),
  };
}

/** The log of a transaction that worked is a JSON list, one item for each message; any other log is plain text. */
function messageLogs(log: string) {
  if (!log.startsWith("[")) return [];
  try {
    const items = JSON.parse(log) as MessageLog[];
    return items.map(({ msg_index: msgIndex = 0, log: text = "", events = [] }) => ({
      msgIndex,
      log: text,
      events: events.map(({ type, attributes = [] }) => ({ type, attributes })),
    }));
  } catch {
    return [];
  }
}

function upperHex(bytes: Uint8Array): string {
  return toHex(bytes).toUpperCase();
}
