// The fee goes to the account that collects fees, whatever becomes of the messages.

import type { Bytes } from "../../codec/bytes.ts";
import { areValidCoins, type Coin, formatCoins } from "../../codec/coin.ts";
import { feesFor } from "../../codec/gas-price.ts";
import { getAccount } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { ChainError, failure, isOutOfGas, ROOT } from "../errors.ts";
import { event } from "../events.ts";
import { chargeAbsentRead } from "../gas.ts";
import { addressError, addressOf, coinsOf } from "../message-checks.ts";
import { ensureModuleAccount, FEE_COLLECTOR } from "../module-accounts.ts";
import { sendCoins } from "../send-coins.ts";

export async function deductFee(context: TxContext): Promise<void> {
  const fee = coinsOf(context.tx.authInfo.fee?.amount ?? []);
  refuseLowFee(context, fee);
  const payer = context.feePayer;
  refuseGranter(context, payer);
  const text = context.addressText(payer);
  if ((await getAccount(context.state, payer)) === null) {
    throw failure(ROOT.unknownAddress, `fee payer address: ${text} does not exist`);
  }
  if (fee.some(({ amount }) => amount !== 0n)) await payFee(context, payer, fee);
  context.emit(event("tx", ["fee", formatCoins(fee)], ["fee_payer", text]));
}

/** One coin that covers the whole gas limit at its price is enough. */
function refuseLowFee({ rules: { minGasPrices }, tx }: TxContext, fee: readonly Coin[]): void {
  if (minGasPrices.length === 0) return;
  const required = feesFor(minGasPrices, tx.authInfo.fee?.gasLimit ?? 0n);
  const covers = ({ denom, amount }: Coin) =>
    required.some((least) => least.denom === denom && least.amount > 0n && amount >= least.amount);
  if (fee.some(covers)) return;
  throw failure(ROOT.insufficientFee, `insufficient fees; got: ${formatCoins(fee)} required: ${formatCoins(required)}`);
}

async function payFee(context: TxContext, payer: Bytes, fee: readonly Coin[]): Promise<void> {
  if (!areValidCoins(fee)) throw failure(ROOT.insufficientFee, `invalid fee amount: ${formatCoins(fee)}`);
  try {
    const collector = await ensureModuleAccount(context.state, FEE_COLLECTOR, context.block.bech32Prefix);
    await sendCoins(context, payer, collector, fee);
  } catch (error) {
    if (!(error instanceof ChainError) || isOutOfGas(error)) throw error;
    throw failure(ROOT.insufficientFunds, error.message);
  }
}

/** This chain keeps no grants of fees: another payer by grant is refused as one who has not granted anything. */
function refuseGranter(context: TxContext, payer: Bytes): void {
  const granter = context.tx.authInfo.fee?.granter ?? "";
  if (granter === "") return;
  const { bech32Prefix } = context.block;
  const reason = addressError(granter, bech32Prefix);
  // The reference panics at such an address.
  if (reason !== null) throw failure(ROOT.invalidAddress, `Invalid fee granter address (${reason})`);
  const address = addressOf(granter, bech32Prefix);
  const names = [context.addressText(address), context.addressText(payer)] as const;
  if (names[0] === names[1]) return;
  // One kind byte, and both addresses with their lengths before them.
  chargeAbsentRead(context.gas, 1 + (1 + payer.length) + (1 + address.length));
  throw failure(ROOT.notFound, "fee-grant not found").wrap(`${names[0]} does not allow to pay fees for ${names[1]}`);
}
