// A transaction may name the last height at which it counts.

import type { TxContext } from "../context.ts";
import { failure, ROOT } from "../errors.ts";

export function checkTimeout({ tx, block }: TxContext): void {
  const { timeoutHeight } = tx.body;
  if (timeoutHeight > 0n && block.height > timeoutHeight) {
    throw failure(ROOT.txTimeout, `block height: ${block.height}, timeout height: ${timeoutHeight}`);
  }
}
