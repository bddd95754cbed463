// Where transactions come in: what the doors hand them to.

import type { Bytes } from "../codec/bytes.ts";
import type { TxResult } from "../codec/tx-result.ts";

/** A transaction that was not even checked: sent before, too large, or no room for it. */
export class TxNotTaken extends Error {
  override readonly name = "TxNotTaken";
  readonly codespace: string;
  readonly code: number;

  constructor(codespace: string, code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.codespace = codespace;
    this.code = code;
  }
}

export type TxEntry = {
  /** Checks a transaction; with code 0 it waits for a block. Throws TxNotTaken. */
  add(tx: Bytes): Promise<TxResult>;
  /** Checks a transaction, and forgets it. */
  check(tx: Bytes): Promise<TxResult>;
  /** The oldest, up to `limit`. */
  waiting(limit: number): readonly Bytes[];
  size(): { readonly txs: number; readonly bytes: number };
};

const REFUSAL = "this node makes no blocks and takes no transactions: feature not supported";

/** Of a node that makes no blocks. */
export const NO_TX_ENTRY: TxEntry = {
  add: () => Promise.reject(new TxNotTaken("sdk", 37, REFUSAL)),
  check: () => Promise.reject(new TxNotTaken("sdk", 37, REFUSAL)),
  waiting: () => [],
  size: () => ({ txs: 0, bytes: 0 }),
};
