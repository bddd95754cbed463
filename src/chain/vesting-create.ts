// MsgCreateVestingAccount: an account whose coins become free bit by bit, or all at once at the end.

import { create } from "@bufbuild/protobuf";
import type { Json } from "../codec/amino-json.ts";
import { aminoCoins } from "../codec/sign-doc.ts";
import {
  MsgCreateVestingAccountResponseSchema,
  MsgCreateVestingAccountSchema,
} from "../gen/cosmos/vesting/v1beta1/tx_pb.ts";
import {
  ContinuousVestingAccountSchema,
  DelayedVestingAccountSchema,
} from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import { checkNew, createVestingAccount } from "./create-vesting.ts";
import { failure, ROOT } from "./errors.ts";
import { addressOf, checkAddress, checkCoins, coinsOf } from "./message-checks.ts";
import { defineMessage } from "./message-type.ts";
import { checkNotBlocked, checkSendEnabled } from "./send-coins.ts";

export const vestingCreate = defineMessage({
  desc: MsgCreateVestingAccountSchema,
  response: MsgCreateVestingAccountResponseSchema,
  signers: ({ fromAddress }) => [fromAddress],

  validateBasic({ fromAddress, toAddress, amount, endTime }, prefix) {
    checkAddress(fromAddress, prefix, "invalid 'from' address");
    checkAddress(toAddress, prefix, "invalid 'to' address");
    checkCoins(amount);
    if (endTime <= 0n) throw failure(ROOT.invalidRequest, "invalid end time");
  },

  async handle(context, { fromAddress, toAddress, amount, endTime, delayed }) {
    const { bech32Prefix, time } = context.block;
    const coins = coinsOf(amount);
    const to = addressOf(toAddress, bech32Prefix);
    await checkSendEnabled(context, coins);
    checkNotBlocked(to, toAddress);
    await checkNew(context, to, toAddress);
    const move = { from: addressOf(fromAddress, bech32Prefix), to, coins, endTime };
    await createVestingAccount(context, move, (baseVestingAccount) =>
      delayed
        ? create(DelayedVestingAccountSchema, { baseVestingAccount })
        : create(ContinuousVestingAccountSchema, { baseVestingAccount, startTime: time.seconds }),
    );
  },

  amino: {
    type: "cosmos-sdk/MsgCreateVestingAccount",
    value: ({ fromAddress, toAddress, amount, endTime, delayed }): Json => ({
      from_address: fromAddress,
      to_address: toAddress,
      amount: aminoCoins(amount),
      ...(endTime === 0n ? {} : { end_time: String(endTime) }),
      ...(delayed ? { delayed } : {}),
    }),
  },
});
