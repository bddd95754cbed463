// Coins and addresses in a genesis file, with the reference's rules and sentences.

import { AddressError, parseAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import { type Coin, isDenom, MAX_AMOUNT } from "../codec/coin.ts";
import type { GenesisValue } from "./genesis-json.ts";

/** Each amount positive, each denom valid and above the one before it. `owner` names the entry in errors. */
export function readCoins(json: GenesisValue, owner = ""): Coin[] {
  const coins: Coin[] = [];
  for (const item of json.list()) {
    const coin = readCoin(item, owner);
    const before = coins.at(-1);
    if (coin.amount <= 0n) throw item.error(`coin ${coin.amount}${coin.denom} amount is not positive`, owner);
    if (before?.denom === coin.denom) throw item.error(`duplicate denomination ${coin.denom}`, owner);
    if (before !== undefined && coin.denom < before.denom) {
      throw item.error(`denomination ${coin.denom} is not sorted`, owner);
    }
    coins.push(coin);
  }
  return coins;
}

/** As the messages of accounts hold them. */
export function asMessages(coins: readonly Coin[]): { denom: string; amount: string }[] {
  return coins.map(({ denom, amount }) => ({ denom, amount: amount.toString() }));
}

export function readAddress(json: GenesisValue, prefix: string): { text: string; bytes: Bytes } {
  const text = json.string();
  try {
    return { text, bytes: parseAddress(text, prefix) };
  } catch (error) {
    if (error instanceof AddressError) throw json.error(`invalid address: ${error.message}`, text);
    throw error;
  }
}

function readCoin(json: GenesisValue, owner: string): Coin {
  const { denom, amount } = json.members("denom", "amount");
  const name = denom.string();
  if (!isDenom(name)) throw json.error(`invalid denom: ${name}`, owner);
  const digits = amount.string();
  if (!AMOUNT.test(digits)) throw json.error(`amount ${JSON.stringify(digits)} of ${name} is not an integer`, owner);
  const number = BigInt(digits);
  if (number > MAX_AMOUNT) throw json.error(`amount of ${name} is out of range`, owner);
  return { denom: name, amount: number };
}

// Long enough for every amount; the limit keeps the conversion cheap.
const AMOUNT = /^-?\d{1,100}$/;
