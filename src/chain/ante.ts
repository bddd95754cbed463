// What every transaction goes through before its messages: the reference's steps, in its order. Each finishes its work
// for all signers before the next one begins.

import { chargeSignatures } from "./ante/charge-signatures.ts";
import { chargeSize } from "./ante/charge-size.ts";
import { checkForm } from "./ante/check-form.ts";
import { checkGasLimit } from "./ante/check-gas-limit.ts";
import { checkMemo } from "./ante/check-memo.ts";
import { checkSequences } from "./ante/check-sequences.ts";
import { checkTimeout } from "./ante/check-timeout.ts";
import { countKeys } from "./ante/count-keys.ts";
import { deductFee } from "./ante/deduct-fee.ts";
import { raiseSequences } from "./ante/raise-sequences.ts";
import { storeKeys } from "./ante/store-keys.ts";
import type { TxContext } from "./context.ts";

/** Throws ChainError; what it did until then is dropped with the branch it worked on. */
export type AnteStep = (context: TxContext) => void | Promise<void>;

const STEPS: readonly AnteStep[] = [
  checkGasLimit,
  checkForm,
  checkTimeout,
  checkMemo,
  chargeSize,
  deductFee,
  storeKeys,
  countKeys,
  chargeSignatures,
  checkSequences,
  raiseSequences,
];

export async function runAnte(context: TxContext): Promise<void> {
  for (const step of STEPS) await step(context);
}
