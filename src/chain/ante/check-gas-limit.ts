// The transaction must name a fee, and may not ask for more gas than a block has.

import type { TxContext } from "../context.ts";
import { failure, plainFailure, ROOT } from "../errors.ts";

export function checkGasLimit({ tx, block }: TxContext): void {
  const { fee } = tx.authInfo;
  // The reference panics here; these are the words that it has for the case and never gets to say.
  if (fee === undefined) throw plainFailure("missing fee");
  if (block.maxGas > 0n && fee.gasLimit > block.maxGas) {
    throw failure(ROOT.invalidGasLimit, `tx gas limit ${fee.gasLimit} exceeds block max gas ${block.maxGas}`);
  }
}
