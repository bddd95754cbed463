// Whether the parts of the transaction fit together: gas, fee, fee payer, and as many signatures as signers.

import { formatCoins } from "../../codec/coin.ts";
import type { TxContext } from "../context.ts";
import { failure, ROOT } from "../errors.ts";
import { addressError, coinsOf } from "../message-checks.ts";

const LARGEST_GAS = (1n << 63n) - 1n;

export function checkForm(context: TxContext): void {
  if (!context.rules.checksForm) return;
  const { tx, block } = context;
  const { gasLimit, amount, payer } = tx.authInfo.fee!;
  if (gasLimit > LARGEST_GAS) {
    throw failure(ROOT.invalidRequest, `invalid gas supplied; ${gasLimit} > ${LARGEST_GAS}`);
  }
  if (amount.some((coin) => coin.amount === "")) throw failure(ROOT.insufficientFee, "invalid fee provided: null");
  const coins = coinsOf(amount);
  if (coins.some((coin) => coin.amount < 0n)) {
    throw failure(ROOT.insufficientFee, `invalid fee provided: ${formatCoins(coins)}`);
  }
  const reason = payer === "" ? null : addressError(payer, block.bech32Prefix);
  if (reason !== null) throw failure(ROOT.invalidAddress, `Invalid fee payer address (${reason})`);
  if (tx.signatures.length === 0) throw failure(ROOT.noSignatures);
  const { signers } = context;
  if (tx.signatures.length !== signers.length) {
    const counts = `expected ${signers.length}, got ${tx.signatures.length}`;
    throw failure(ROOT.unauthorized, `wrong number of signers; ${counts}`);
  }
}
