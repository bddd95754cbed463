// Coins: the rule for denominations, amounts of up to 256 bits, and sorted lists of both.

import type { Bytes } from "./bytes.ts";
import { LENGTH_DELIMITED, WireReader } from "./wire.ts";

export type Coin = { readonly denom: string; readonly amount: bigint };

/** The largest amount: 256 bits. */
export const MAX_AMOUNT = (1n << 256n) - 1n;

export function isDenom(text: string): boolean {
  return DENOM.test(text);
}

/** A decimal amount as the chain writes it: no sign, no leading zeros, at most 256 bits. Null for anything else. */
export function parseAmount(text: string): bigint | null {
  if (!CANONICAL_AMOUNT.test(text) || text.length > MAX_DIGITS) return null;
  const amount = BigInt(text);
  return amount <= MAX_AMOUNT ? amount : null;
}

/** True when every denom is valid and above the one before it, and every amount is positive. */
export function areValidCoins(coins: readonly Coin[]): boolean {
  return coins.every(({ denom, amount }, i) => {
    const isAbove = i === 0 || coins[i - 1]!.denom < denom;
    return isAbove && isDenom(denom) && amount > 0n && amount <= MAX_AMOUNT;
  });
}

/** Amounts of the same denom added up, zeros dropped, sorted: the one form that a set of coins has. */
export function normalizeCoins(coins: Iterable<Coin>): Coin[] {
  const sums = new Map<string, bigint>();
  for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([denom, amount]) => ({ denom, amount }))
    .sort((a, b) => (a.denom < b.denom ? -1 : 1));
}

/** As events and error sentences write them: `1aaa,20uorr`; empty for none. */
export function formatCoins(coins: readonly Coin[]): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(",");
}

/** The inverse of formatCoins, for command lines and settings. Null unless the text is a valid list. */
export function parseCoins(text: string): Coin[] | null {
  if (text === "") return [];
  const coins: Coin[] = [];
  for (const part of text.split(",")) {
    const match = COIN.exec(part);
    const amount = parseAmount(match?.[1] ?? "");
    if (match === null || amount === null) return null;
    coins.push({ denom: match[2]!, amount });
  }
  return areValidCoins(coins) ? coins : null;
}

/** cosmos.base.v1beta1.Coin. Throws on bytes that are not a coin; a missing amount is zero. */
export function decodeCoin(bytes: Bytes): Coin {
  let denom = "";
  let amount = 0n;
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === DENOM_TAG) denom = reader.string();
    else if (tag === AMOUNT_TAG) amount = amountOf(reader.string());
    else reader.skip(tag & 7);
  }
  return { denom, amount };
}

const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;
const COIN = /^([0-9]+)([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;
const CANONICAL_AMOUNT = /^(?:0|[1-9][0-9]*)$/;
// Checked before the conversion, whose cost grows with the square of the digits.
const MAX_DIGITS = MAX_AMOUNT.toString().length;
const DENOM_TAG = 8 + LENGTH_DELIMITED;
const AMOUNT_TAG = 16 + LENGTH_DELIMITED;

function amountOf(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`not an amount: ${JSON.stringify(text.slice(0, MAX_DIGITS))}`);
  return amount;
}
