// At the begin of a block the fees of the block before go on to the module that would share them out. Validators have
// no rewards on this chain, but gas depends on it: who pays the first fee into an empty account pays for its entry.

import type { Bytes } from "../codec/bytes.ts";
import type { Coin } from "../codec/coin.ts";
import { amountOf, balancesOf, denomOfBalanceKey } from "../state/bank.ts";
import { keyAfter, prefixEnd } from "../store/key-range.ts";
import { DISTRIBUTION, ensureModuleAccount, FEE_COLLECTOR } from "./module-accounts.ts";
import { type SendContext, sendCoins } from "./send-coins.ts";

/** Not in the first block: there is no block before it whose fees could be shared. */
const FIRST_HEIGHT = 2n;
const PAGE = 1000;

export async function sweepFees(context: SendContext & { readonly block: { readonly height: bigint } }): Promise<void> {
  const { state, block } = context;
  if (block.height < FIRST_HEIGHT) return;
  const collector = await ensureModuleAccount(state, FEE_COLLECTOR, block.bech32Prefix);
  const fees = await allBalances(context, collector);
  const distribution = await ensureModuleAccount(state, DISTRIBUTION, block.bech32Prefix);
  await sendCoins(context, collector, distribution, fees);
}

async function allBalances({ state }: SendContext, address: Bytes): Promise<Coin[]> {
  const { prefix } = balancesOf(address);
  const coins: Coin[] = [];
  const end = prefixEnd(prefix);
  for (let start = prefix; ; ) {
    const entries = await state.range({ start, end, limit: PAGE });
    for (const [key, amount] of entries) coins.push({ denom: denomOfBalanceKey(key), amount: amountOf(amount) });
    const last = entries.at(-1);
    if (entries.length < PAGE || last === undefined) return coins;
    start = keyAfter(last[0]);
  }
}
