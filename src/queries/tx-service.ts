// The SDK's transaction service: a transaction by its hash, a search over events, and the way in for new ones.

import { create, toBinary } from "@bufbuild/protobuf";
import { ApiError, CODE, invalid, notFound } from "../api/errors.ts";
import type { NeighbourRequest } from "../api/neighbours.ts";
import { RpcRefusal } from "../api/rpc-queries.ts";
import { type TxEntry, TxNotTaken } from "../api/tx-entry.ts";
import { type Bytes, EMPTY, fromHex } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import type { TxResult } from "../codec/tx-result.ts";
import { WireWriter } from "../codec/wire.ts";
import { TxResponseSchema } from "../gen/cosmos/base/abci/v1beta1/abci_pb.ts";
import { BroadcastMode, BroadcastTxResponseSchema, OrderBy } from "../gen/cosmos/tx/v1beta1/service_pb.ts";
import type { GiveWay } from "../give-way.ts";
import { getBlockMeta } from "../state/block.ts";
import type { Snapshot } from "../store/store.ts";
import { findTx, searchTxs as search } from "./rpc-txs.ts";
import { shownTx } from "./tx.ts";
import { checkedTxResponse, foundTxResponse } from "./tx-response.ts";

const DEFAULT_LIMIT = 100n;
const LARGEST_LIMIT = 100;
const EVENT = /^[^=]+=[^=]+$/;

export async function getTx(view: Snapshot, { hash }: NeighbourRequest<"getTx">): Promise<Bytes> {
  if (hash === "") throw invalid("hash", "tx hash cannot be empty");
  const found = await findTx(view, hashOf(hash), false);
  if (found === null) throw notFound(`tx not found: ${hash}`);
  const { time } = await getBlockMeta(view, found.height);
  const response = toBinary(TxResponseSchema, foundTxResponse(found, time)) as Bytes;
  return new WireWriter(found.tx.length + response.length + 16)
    .messageField(1, shownTx(found.tx))
    .messageField(2, response)
    .finish();
}

/** One query, or a list of single conditions that must all hold. */
export async function searchTxs(
  view: Snapshot,
  request: NeighbourRequest<"searchTxs">,
  giveWay: GiveWay,
): Promise<Bytes> {
  const limit = firstSet(request.limit, request.pagination?.limit, DEFAULT_LIMIT);
  const page = {
    page: Number(firstSet(request.page, 1n)),
    perPage: limit > LARGEST_LIMIT ? LARGEST_LIMIT : Number(limit),
    descending: request.orderBy === OrderBy.DESC,
    prove: false,
  };
  const { txs, total } = await refusalsAsInvalid("query", () => search(view, queryOf(request), page, giveWay));
  const response = new WireWriter(4096);
  for (const { tx } of txs) response.messageField(1, shownTx(tx));
  for (const found of txs) {
    const { time } = await getBlockMeta(view, found.height);
    response.messageField(2, toBinary(TxResponseSchema, foundTxResponse(found, time)) as Bytes);
  }
  return response.varintField(4, BigInt(total)).finish();
}

export async function broadcastTx(entry: TxEntry, request: NeighbourRequest<"broadcastTx">): Promise<Bytes> {
  const tx = request.txBytes as Bytes;
  if (tx.length === 0) throw invalid("tx_bytes", "invalid empty tx");
  const mode = MODES[request.mode] ?? "unspecified";
  if (mode !== "sync" && mode !== "async") {
    throw invalid("mode", `unsupported return type ${mode}; supported types: sync, async`);
  }
  const checked = mode === "sync" ? await checkedTx(entry, tx) : sentTx(entry, tx);
  const response = create(BroadcastTxResponseSchema, { txResponse: checkedTxResponse(sha256(tx), checked) });
  return toBinary(BroadcastTxResponseSchema, response) as Bytes;
}

const MODES: Partial<Record<BroadcastMode, string>> = {
  [BroadcastMode.BLOCK]: "block",
  [BroadcastMode.SYNC]: "sync",
  [BroadcastMode.ASYNC]: "async",
};

type Verdict = Pick<TxResult, "codespace" | "code" | "data" | "log">;

/** Refusals of the mempool are answers with a code, as the reference's clients expect. */
async function checkedTx(entry: TxEntry, tx: Bytes): Promise<Verdict> {
  try {
    return await entry.add(tx);
  } catch (error) {
    if (!(error instanceof TxNotTaken)) throw error;
    return { codespace: error.codespace, code: error.code, data: EMPTY, log: error.message };
  }
}

/** Nobody waits for the verdict. */
function sentTx(entry: TxEntry, tx: Bytes): Verdict {
  entry.add(tx).catch(() => {});
  return { codespace: "", code: 0, data: EMPTY, log: "" };
}

function queryOf({ query, events }: NeighbourRequest<"searchTxs">): string {
  if (query !== "") return query;
  if (events.length === 0) throw invalid("events", "must declare at least one event to search");
  for (const event of events) {
    const wanted = "should be of the format: {eventType}.{eventAttribute}={value}";
    // One text may hold several conditions, as clients send it.
    if (!event.split(/ AND /i).every((part) => EVENT.test(part) || /[<>]| (CONTAINS|EXISTS)/i.test(part))) {
      throw invalid("events", `invalid event; event ${event} ${wanted}`);
    }
  }
  return events.join(" AND ");
}

function hashOf(text: string): Bytes {
  try {
    const hash = fromHex(text);
    if (hash.length === 32) return hash;
  } catch {
    // Said below, with the length.
  }
  throw invalid("hash", `invalid tx hash ${JSON.stringify(text)}: 64 hexadecimal digits are wanted`);
}

function firstSet(...values: (bigint | undefined)[]): bigint {
  return values.find((value) => value !== undefined && value !== 0n) ?? 0n;
}

async function refusalsAsInvalid<T>(parameter: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RpcRefusal) throw new ApiError(CODE.invalidArgument, `${parameter}: ${error.message}`);
    throw error;
  }
}
