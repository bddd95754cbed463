// What several messages check in the same way: addresses and coins.

import { AddressError, parseAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import { areValidCoins, type Coin, formatCoins } from "../codec/coin.ts";
import type { Coin as CoinMessage } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { failure, plainFailure, ROOT } from "./errors.ts";

/** `what` goes before the reason: `invalid to address`. */
export function checkAddress(text: string, bech32Prefix: string, what: string): void {
  const reason = addressError(text, bech32Prefix);
  if (reason !== null) throw failure(ROOT.invalidAddress, `${what}: ${reason}`);
}

/** The reason why it is no address; null if it is one. */
export function addressError(text: string, bech32Prefix: string): string | null {
  try {
    parseAddress(text, bech32Prefix);
    return null;
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}

/** An address that was checked before. */
export function addressOf(text: string, bech32Prefix: string): Bytes {
  try {
    return parseAddress(text, bech32Prefix);
  } catch (error) {
    if (error instanceof AddressError) throw plainFailure(error.message);
    throw error;
  }
}

/** Sorted, each denom once, and all of them positive; at least one. */
export function checkCoins(messages: readonly CoinMessage[]): void {
  const coins = coinsOf(messages);
  if (coins.length === 0 || !areValidCoins(coins)) throw failure(ROOT.invalidCoins, formatCoins(coins));
}

/** The decoder let integers and nothing else through; a coin without an amount makes the reference panic. */
export function coinsOf(messages: readonly CoinMessage[]): Coin[] {
  return messages.map(({ denom, amount }) => {
    if (amount === "") throw failure(ROOT.invalidCoins, `${denom} without an amount`);
    return { denom, amount: BigInt(amount) };
  });
}
