// One coin at a time: a balance, what of it can be spent, a supply; and the rules of the bank module.

import { create, toBinary } from "@bufbuild/protobuf";
import { invalid } from "../api/errors.ts";
import type { NeighbourRequest } from "../api/neighbours.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import { isDenom } from "../codec/coin.ts";
import { WireWriter } from "../codec/wire.ts";
import { QueryParamsResponseSchema } from "../gen/cosmos/bank/v1beta1/query_pb.ts";
import {
  getBalances,
  getBalance as readBalance,
  getBankParams as readBankParams,
  getSupply as readSupply,
} from "../state/bank.ts";
import { spendable } from "../state/vesting.ts";
import type { Snapshot } from "../store/store.ts";
import { addressOf, lockedOf } from "./bank.ts";

/** A denom that is not held is a coin of zero. */
export async function getBalance(
  view: Snapshot,
  { address, denom }: NeighbourRequest<"getBalance">,
  prefix: string,
): Promise<Bytes> {
  refuseNoDenom(denom);
  return coinResponse(denom, await readBalance(view, addressOf(address, prefix), denom));
}

export async function getSpendableBalance(
  view: Snapshot,
  { address, denom }: NeighbourRequest<"getSpendableBalance">,
  prefix: string,
): Promise<Bytes> {
  refuseNoDenom(denom);
  const holder = addressOf(address, prefix);
  const locked = await lockedOf(view, holder);
  const balances = await getBalances(view, holder, [denom, ...locked.keys()]);
  return coinResponse(denom, spendable(balances, locked).get(denom) ?? 0n);
}

export async function getSupply(view: Snapshot, { denom }: NeighbourRequest<"getSupply">): Promise<Bytes> {
  refuseNoDenom(denom);
  return coinResponse(denom, await readSupply(view, denom));
}

export async function getBankParams(view: Snapshot): Promise<Bytes> {
  const params = await readBankParams(view);
  return toBinary(QueryParamsResponseSchema, create(QueryParamsResponseSchema, { params })) as Bytes;
}

function refuseNoDenom(denom: string): void {
  if (!isDenom(denom)) throw invalid("denom", `invalid denom: ${denom}`);
}

/** The coin is field 1 of each of these responses. */
function coinResponse(denom: string, amount: bigint): Bytes {
  const coin = new WireWriter(64).messageField(1, utf8Encode(denom)).messageField(2, utf8Encode(String(amount)));
  return new WireWriter(80).messageField(1, coin.finish()).finish();
}
