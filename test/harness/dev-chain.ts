// The development chain: its genesis and some blocks, one of them with transactions, made by the embedded validator.

import { devAccounts, devVestingAccounts } from "../../src/chain/dev-accounts.ts";
import { utf8Encode } from "../../src/codec/bytes.ts";
import type { Store } from "../../src/store/store.ts";
import { richTxs } from "./rich-block.ts";
import { openSolo } from "./solo-chain.ts";

export const DEV_HEIGHT = 5;

/** Commits heights 1 to DEV_HEIGHT; the third one holds three transactions, one of which cannot be decoded. */
export async function loadDevChain(store: Store): Promise<void> {
  const solo = await openSolo(store);
  for (let height = 2; height <= DEV_HEIGHT; height++) {
    await solo.produceBlock(height === 3 ? [...richTxs(), utf8Encode("no transaction")] : []);
  }
  await solo.stop();
}

export const DEV_ADDRESSES = [...devAccounts("cosmos"), ...devVestingAccounts("cosmos")].map(({ address }) => address);
