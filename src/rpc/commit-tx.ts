// Sends a transaction and waits for the block that holds it.

import { RpcRefusal } from "../api/rpc-queries.ts";
import { type Bytes, equalBytes } from "../codec/bytes.ts";
import type { TxResult } from "../codec/tx-result.ts";
import type { RpcNode } from "./method.ts";

export type CommittedTx = {
  readonly check: TxResult;
  /** Null for a transaction that the check refused. */
  readonly delivered: { readonly height: bigint; readonly result: TxResult } | null;
};

const PATIENCE_MS = 10_000;

export async function commitTx(node: RpcNode, tx: Bytes, patienceMs = PATIENCE_MS): Promise<CommittedTx> {
  // Listens before it sends: the block may come before the verdict does.
  const waiting = waitForTx(node, tx, patienceMs);
  try {
    const check = await node.txs.add(tx);
    return { check, delivered: check.code === 0 ? await waiting.delivered : null };
  } finally {
    waiting.stop();
  }
}

function waitForTx(node: RpcNode, tx: Bytes, patienceMs: number) {
  let stop = () => {};
  const delivered = new Promise<{ height: bigint; result: TxResult }>((resolve, reject) => {
    const forget = node.onBlock(({ block, results }) => {
      const index = block.data.txs.findIndex((candidate) => equalBytes(candidate, tx));
      const result = results.results[index];
      if (result !== undefined) resolve({ height: block.header.height, result });
    });
    const timer = setTimeout(
      () => reject(new RpcRefusal("timed out waiting for tx to be included in a block")),
      patienceMs,
    );
    stop = () => {
      clearTimeout(timer);
      forget();
    };
  });
  // Nobody listens any more when the check refused the transaction.
  delivered.catch(() => {});
  return { delivered, stop: () => stop() };
}
