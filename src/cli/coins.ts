// Coins on the command line, and as messages hold them.

import { create } from "@bufbuild/protobuf";
import type { Coin } from "../codec/coin.ts";
import { CoinSchema, type Coin as ProtoCoin } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import type { NeededFlag } from "./flags.ts";
import { parseCoinList } from "./values.ts";

export const amount: NeededFlag<readonly Coin[]> = {
  placeholder: "COINS",
  about: "how much, such as 5uorr or 5uorr,1ucred",
  fallback: null,
  parse: parseCoinList,
  variable: false,
  needed: true,
};

export function protoCoins(coins: readonly Coin[]): ProtoCoin[] {
  return coins.map((coin) => create(CoinSchema, { denom: coin.denom, amount: String(coin.amount) }));
}
