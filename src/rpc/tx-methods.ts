// Methods about transactions: those that are in blocks, and those that come in.

import { type FoundTx, RpcRefusal } from "../api/rpc-queries.ts";
import { type Bytes, toBase64 } from "../codec/bytes.ts";
import { type Json, upperHex } from "../codec/comet-block-json-writer.ts";
import { merkleProofJson, txResultJson } from "../codec/comet-json-writer.ts";
import { sha256 } from "../codec/hash.ts";
import type { TxResult } from "../codec/tx-result.ts";
import { namedBlockJson } from "./block-methods.ts";
import { commitTx } from "./commit-tx.ts";
import { method, type RpcNode } from "./method.ts";
import { pageArguments } from "./page.ts";

const SEARCH = { page: "height", per_page: "height", order_by: "string" } as const;

export const TX_METHODS = [
  method(
    "tx",
    { hash: "bytes", prove: "bool" },
    async ({ queries }, { hash, prove }) => foundTxJson(await queries.tx(hash, prove)),
    "always",
  ),
  method("tx_search", { query: "string", prove: "bool", ...SEARCH }, async ({ queries }, given) => {
    const order = { ...pageArguments(given), descending: isDescending(given.order_by, false), prove: given.prove };
    const { txs, total } = await queries.txSearch(given.query, order);
    return { txs: txs.map(foundTxJson), total_count: String(total) };
  }),
  method("block_search", { query: "string", ...SEARCH }, async ({ queries }, given) => {
    const order = { ...pageArguments(given), descending: isDescending(given.order_by, true) };
    const { blocks, total } = await queries.blockSearch(given.query, order);
    return { blocks: blocks.map(namedBlockJson), total_count: String(total) };
  }),
  method("broadcast_tx_sync", { tx: "bytes" }, async ({ txs }, { tx }) => checkedJson(tx, await txs.add(tx))),
  method("broadcast_tx_async", { tx: "bytes" }, async ({ txs }, { tx }) => {
    // Nobody waits for the verdict.
    txs.add(tx).catch(() => {});
    return checkedJson(tx, null);
  }),
  method("broadcast_tx_commit", { tx: "bytes" }, async (node, { tx }) => {
    const { check, delivered } = await commitTx(node, tx);
    return {
      check_tx: checkJson(check),
      deliver_tx: txResultJson(delivered?.result ?? NOT_DELIVERED),
      hash: upperHex(sha256(tx)),
      height: String(delivered?.height ?? 0n),
    };
  }),
  method("check_tx", { tx: "bytes" }, async ({ txs }, { tx }) => checkJson(await txs.check(tx))),
  method("unconfirmed_txs", { limit: "height" }, async (node, { limit }) => {
    const { perPage } = pageArguments({ page: null, per_page: limit });
    return waitingJson(node, node.txs.waiting(perPage).map(toBase64));
  }),
  method("num_unconfirmed_txs", {}, async (node) => waitingJson(node, null)),
];

function foundTxJson({ hash, height, index, tx, result, proof }: FoundTx): Json {
  return {
    hash: upperHex(hash),
    height: String(height),
    index,
    tx_result: txResultJson(result),
    tx: toBase64(tx),
    ...(proof && {
      proof: { root_hash: upperHex(proof.root), data: toBase64(tx), proof: merkleProofJson(proof.place) },
    }),
  };
}

/** A refusal is a result with its code, not an error. `null`: the verdict is not known yet. */
function checkedJson(tx: Bytes, verdict: TxResult | null): Json {
  const { code, data, log, codespace } = verdict ?? NOT_DELIVERED;
  return { code, data: upperHex(data), log, codespace, hash: upperHex(sha256(tx)) };
}

function checkJson(verdict: TxResult): Json {
  return { ...txResultJson(verdict), sender: "", priority: "0", mempoolError: "" };
}

function waitingJson({ txs }: RpcNode, shown: readonly string[] | null): Json {
  const size = txs.size();
  const count = shown === null ? size.txs : shown.length;
  return { n_txs: String(count), total: String(size.txs), total_bytes: String(size.bytes), txs: shown };
}

function isDescending(order: string, otherwise: boolean): boolean {
  if (order === "") return otherwise;
  if (order === "asc" || order === "desc") return order === "desc";
  throw new RpcRefusal("expected order_by to be either `asc` or `desc` or empty");
}

const NOT_DELIVERED: TxResult = {
  code: 0,
  data: new Uint8Array(0),
  log: "",
  info: "",
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
  codespace: "",
};
