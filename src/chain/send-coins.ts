// Moving coins: the reference's reads and writes, in its order, because each of them costs gas.

import { create } from "@bufbuild/protobuf";
import { encodeAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import { areValidCoins, type Coin, formatCoins } from "../codec/coin.ts";
import { BaseAccountSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { accountKey, decodeAccount, getAccount, nextAccountNumber, putAccount } from "../state/account.ts";
import { getBalance, getBankParams, isSendEnabled, putBalance } from "../state/bank.ts";
import { lockedCoins } from "../state/vesting.ts";
import type { MessageContext } from "./context.ts";
import { failure, ROOT } from "./errors.ts";
import { event } from "./events.ts";
import { isBlocked } from "./module-accounts.ts";

/** What moving coins needs of a context: the begin of a block has no gas and no transaction. */
export type SendContext = Pick<MessageContext, "state" | "emit"> & {
  readonly block: Pick<MessageContext["block"], "bech32Prefix" | "time">;
};

/** Throws at the first denom that may not be sent. */
export async function checkSendEnabled({ state }: SendContext, coins: readonly Coin[]): Promise<void> {
  if (coins.length === 0) return;
  const { defaultSendEnabled } = await getBankParams(state);
  for (const { denom } of coins) {
    if (await isSendEnabled(state, denom, defaultSendEnabled)) continue;
    throw failure(ROOT.sendDisabled, `${denom} transfers are currently disabled`);
  }
}

/** `text`: the address as the message writes it. */
export function checkNotBlocked(address: Bytes, text: string): void {
  if (isBlocked(address)) throw failure(ROOT.unauthorized, `${text} is not allowed to receive funds`);
}

export async function sendCoins(context: SendContext, from: Bytes, to: Bytes, coins: readonly Coin[]): Promise<void> {
  await subtractCoins(context, from, coins);
  await addCoins(context, to, coins);
  await ensureAccount(context, to);
  const sender = textOf(context, from);
  const amount = formatCoins(coins);
  context.emit(
    event("transfer", ["recipient", textOf(context, to)], ["sender", sender], ["amount", amount]),
    event("message", ["sender", sender]),
  );
}

/** What is locked by vesting at the time of the block cannot be taken. */
export async function subtractCoins(context: SendContext, from: Bytes, coins: readonly Coin[]): Promise<void> {
  if (!areValidCoins(coins)) throw failure(ROOT.invalidCoins, formatCoins(coins));
  const { state, block } = context;
  const account = await getAccount(state, from);
  const locked = account === null ? NOTHING : lockedCoins(decodeAccount(account), block.time.seconds);
  for (const { denom, amount } of coins) {
    const balance = await getBalance(state, from, denom);
    const held = locked.get(denom) ?? 0n;
    if (held > balance) {
      const sums = `${held}${denom} > ${balance}${denom}`;
      throw failure(ROOT.insufficientFunds, `locked amount exceeds account balance funds: ${sums}`);
    }
    const spendable = balance - held;
    if (spendable < amount) {
      // The reference prints the spendable amount as a set of coins, and a set has no zeros.
      const shown = spendable === 0n ? "" : `${spendable}${denom}`;
      throw failure(ROOT.insufficientFunds, `spendable balance ${shown} is smaller than ${amount}${denom}`);
    }
    await putBalance(state, from, denom, balance - amount);
  }
  context.emit(event("coin_spent", ["spender", textOf(context, from)], ["amount", formatCoins(coins)]));
}

export async function addCoins(context: SendContext, to: Bytes, coins: readonly Coin[]): Promise<void> {
  if (!areValidCoins(coins)) throw failure(ROOT.invalidCoins, formatCoins(coins));
  const { state } = context;
  for (const { denom, amount } of coins) {
    const balance = await getBalance(state, to, denom);
    await putBalance(state, to, denom, balance + amount);
  }
  context.emit(event("coin_received", ["receiver", textOf(context, to)], ["amount", formatCoins(coins)]));
}

/** Whoever receives coins for the first time gets an account, under the next number. */
export async function ensureAccount({ state, block }: SendContext, address: Bytes): Promise<void> {
  if (await state.has(accountKey(address))) return;
  const accountNumber = await nextAccountNumber(state);
  const text = encodeAddress(block.bech32Prefix, address);
  putAccount(state, address, create(BaseAccountSchema, { address: text, accountNumber }));
}

const NOTHING: ReadonlyMap<string, bigint> = new Map();

function textOf({ block }: SendContext, address: Bytes): string {
  return encodeAddress(block.bech32Prefix, address);
}
