// Waiting for what becomes of a transaction: the block that takes it, and its result there.

import { toHex } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import type { TxResult } from "../codec/tx-result.ts";
import type { Bytes } from "../store/store.ts";
import type { BlockNote } from "./source.ts";

/** In a block that is committed. */
export type Delivered = { readonly height: bigint; readonly index: number; readonly result: TxResult };

export type TxWatch = {
  /** Null when no block with it came in time. */
  within(milliseconds: number): Promise<Delivered | null>;
  end(): void;
};

/** Looks out from now on: begin before the transaction is handed in, or its block may be missed. */
export function watchForTx(raw: Bytes, onBlock: (listener: (block: BlockNote) => void) => () => void): TxWatch {
  const hash = toHex(sha256(raw));
  const found = Promise.withResolvers<Delivered>();
  const end = onBlock(({ height, block, results }) => {
    const index = block.data.txs.findIndex((tx) => tx.length === raw.length && toHex(sha256(tx)) === hash);
    if (index >= 0) found.resolve({ height, index, result: results.results[index]! });
  });
  return {
    end,
    async within(milliseconds) {
      const late = Promise.withResolvers<null>();
      const timer = setTimeout(() => late.resolve(null), milliseconds);
      try {
        return await Promise.race([found.promise, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
