// What the creations of vesting accounts share: the receiver must be new, and gets its coins with the account.

import { create } from "@bufbuild/protobuf";
import { encodeAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { Coin } from "../codec/coin.ts";
import { BaseAccountSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { type BaseVestingAccount, BaseVestingAccountSchema } from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import { type Account, getAccount, nextAccountNumber, putAccount } from "../state/account.ts";
import type { MessageContext } from "./context.ts";
import { failure, ROOT } from "./errors.ts";
import { sendCoins } from "./send-coins.ts";

export async function checkNew({ state }: MessageContext, address: Bytes, text: string): Promise<void> {
  if ((await getAccount(state, address)) !== null) {
    throw failure(ROOT.invalidRequest, `account ${text} already exists`);
  }
}

/** `accountOf` makes the account of its kind around the part that all vesting accounts share. */
export async function createVestingAccount(
  context: MessageContext,
  { from, to, coins, endTime }: { from: Bytes; to: Bytes; coins: readonly Coin[]; endTime: bigint },
  accountOf: (base: BaseVestingAccount) => Account,
): Promise<void> {
  const { state, block } = context;
  const accountNumber = await nextAccountNumber(state);
  const baseAccount = create(BaseAccountSchema, { address: encodeAddress(block.bech32Prefix, to), accountNumber });
  const originalVesting = coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }));
  putAccount(state, to, accountOf(create(BaseVestingAccountSchema, { baseAccount, originalVesting, endTime })));
  await sendCoins(context, from, to, coins);
}
