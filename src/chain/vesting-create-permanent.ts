// MsgCreatePermanentLockedAccount: an account whose first coins can be delegated, but never sent.

import { create } from "@bufbuild/protobuf";
import { aminoCoins } from "../codec/sign-doc.ts";
import {
  MsgCreatePermanentLockedAccountResponseSchema,
  MsgCreatePermanentLockedAccountSchema,
} from "../gen/cosmos/vesting/v1beta1/tx_pb.ts";
import { PermanentLockedAccountSchema } from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import { checkNew, createVestingAccount } from "./create-vesting.ts";
import { addressOf, checkAddress, checkCoins, coinsOf } from "./message-checks.ts";
import { defineMessage } from "./message-type.ts";
import { checkNotBlocked, checkSendEnabled } from "./send-coins.ts";

export const vestingCreatePermanent = defineMessage({
  desc: MsgCreatePermanentLockedAccountSchema,
  response: MsgCreatePermanentLockedAccountResponseSchema,
  signers: ({ fromAddress }) => [fromAddress],

  validateBasic({ fromAddress, toAddress, amount }, prefix) {
    checkAddress(fromAddress, prefix, "invalid sender address");
    checkAddress(toAddress, prefix, "invalid recipient address");
    checkCoins(amount);
  },

  async handle(context, { fromAddress, toAddress, amount }) {
    const { bech32Prefix } = context.block;
    const coins = coinsOf(amount);
    const to = addressOf(toAddress, bech32Prefix);
    await checkSendEnabled(context, coins);
    checkNotBlocked(to, toAddress);
    await checkNew(context, to, toAddress);
    const move = { from: addressOf(fromAddress, bech32Prefix), to, coins, endTime: 0n };
    await createVestingAccount(context, move, (baseVestingAccount) =>
      create(PermanentLockedAccountSchema, { baseVestingAccount }),
    );
  },

  amino: {
    type: "cosmos-sdk/MsgCreatePermLockedAccount",
    value: ({ fromAddress, toAddress, amount }) => ({
      from_address: fromAddress,
      to_address: toAddress,
      amount: aminoCoins(amount),
    }),
  },
});
