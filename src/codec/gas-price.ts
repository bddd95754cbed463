// Prices of gas: decimal amounts of coins for one unit, as operators set them and nodes ask for them.

import { type Coin, isDenom } from "./coin.ts";

/** `price` counts in units of 10^-18, which is as fine as the reference reckons. */
export type GasPrice = { readonly denom: string; readonly price: bigint };

/** `0.025uorr,1ucred`: sorted by denom, prices of zero dropped. Null for any other text, and for a denom given twice. */
export function parseGasPrices(text: string): GasPrice[] | null {
  if (text === "") return [];
  const prices: GasPrice[] = [];
  for (const part of text.split(",")) {
    const match = PRICE.exec(part);
    if (match === null || !isDenom(match[3]!)) return null;
    const [, whole, fraction = "", denom] = match;
    if (prices.some((other) => other.denom === denom)) return null;
    prices.push({ denom: denom!, price: BigInt(whole! + fraction.padEnd(DECIMALS, "0")) });
  }
  return prices.filter(({ price }) => price > 0n).sort((a, b) => (a.denom < b.denom ? -1 : 1));
}

/** What so much gas costs in each of the denoms, rounded up; one of them is enough. */
export function feesFor(prices: readonly GasPrice[], gas: bigint): Coin[] {
  return prices.map(({ denom, price }) => ({ denom, amount: (price * gas + ONE - 1n) / ONE }));
}

/** As the reference prints them: all decimals, the denom behind. */
export function printGasPrices(prices: readonly GasPrice[]): string {
  return prices.map(({ denom, price }) => `${price / ONE}.${digits(price % ONE)}${denom}`).join(",");
}

function digits(fraction: bigint): string {
  return String(fraction).padStart(DECIMALS, "0");
}

const DECIMALS = 18;
const ONE = 10n ** BigInt(DECIMALS);
const PRICE = /^([0-9]{1,30})(?:\.([0-9]{1,18}))?([a-zA-Z].*)$/;
