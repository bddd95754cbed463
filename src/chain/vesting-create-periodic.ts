// MsgCreatePeriodicVestingAccount: an account whose coins become free period by period.

import { create } from "@bufbuild/protobuf";
import { formatCoins, MAX_AMOUNT, normalizeCoins } from "../codec/coin.ts";
import { aminoCoins } from "../codec/sign-doc.ts";
import {
  MsgCreatePeriodicVestingAccountResponseSchema,
  MsgCreatePeriodicVestingAccountSchema,
} from "../gen/cosmos/vesting/v1beta1/tx_pb.ts";
import { PeriodicVestingAccountSchema } from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import { checkNew, createVestingAccount } from "./create-vesting.ts";
import { failure, plainFailure, ROOT } from "./errors.ts";
import { addressError, addressOf, checkCoins, coinsOf } from "./message-checks.ts";
import { defineMessage } from "./message-type.ts";
import { checkNotBlocked, checkSendEnabled } from "./send-coins.ts";

const MAX_TIME = (1n << 63n) - 1n;

export const vestingCreatePeriodic = defineMessage({
  desc: MsgCreatePeriodicVestingAccountSchema,
  response: MsgCreatePeriodicVestingAccountResponseSchema,
  signers: ({ fromAddress }) => [fromAddress],

  validateBasic({ fromAddress, toAddress, startTime, vestingPeriods }, prefix) {
    for (const text of [fromAddress, toAddress]) {
      const reason = addressError(text, prefix);
      if (reason !== null) throw plainFailure(reason);
    }
    if (startTime < 1n) throw plainFailure(`invalid start time of ${startTime}, length must be greater than 0`);
    for (const [i, { length, amount }] of vestingPeriods.entries()) {
      checkCoins(amount);
      if (length < 1n) {
        throw plainFailure(`invalid period length of ${length} in period ${i}, length must be greater than 0`);
      }
    }
    checkSums(
      startTime,
      vestingPeriods.map(({ length }) => length),
      totalOf(vestingPeriods),
    );
  },

  async handle(context, { fromAddress, toAddress, startTime, vestingPeriods }) {
    const { bech32Prefix } = context.block;
    const to = addressOf(toAddress, bech32Prefix);
    checkNotBlocked(to, toAddress);
    await checkNew(context, to, toAddress);
    const coins = totalOf(vestingPeriods);
    await checkSendEnabled(context, coins);
    const endTime = vestingPeriods.reduce((end, { length }) => end + length, startTime);
    const move = { from: addressOf(fromAddress, bech32Prefix), to, coins, endTime };
    await createVestingAccount(context, move, (baseVestingAccount) =>
      create(PeriodicVestingAccountSchema, { baseVestingAccount, startTime, vestingPeriods }),
    );
  },

  amino: {
    type: "cosmos-sdk/MsgCreatePeriodVestAccount",
    value: ({ fromAddress, toAddress, startTime, vestingPeriods }) => ({
      from_address: fromAddress,
      to_address: toAddress,
      start_time: String(startTime),
      vesting_periods:
        vestingPeriods.length === 0
          ? null
          : vestingPeriods.map(({ length, amount }) => ({ amount: aminoCoins(amount), length: String(length) })),
    }),
  },
});

type Periods = readonly { readonly amount: Parameters<typeof coinsOf>[0] }[];

function totalOf(periods: Periods) {
  return normalizeCoins(periods.flatMap(({ amount }) => coinsOf(amount)));
}

/** Beyond 64 bits of time or 256 bits of coins the reference wraps around or panics; neither can be meant. */
function checkSums(startTime: bigint, lengths: readonly bigint[], coins: ReturnType<typeof totalOf>): void {
  if (lengths.reduce((end, length) => end + length, startTime) > MAX_TIME) {
    throw failure(ROOT.invalidRequest, "the periods end beyond the last second that can be stored");
  }
  if (coins.some(({ amount }) => amount > MAX_AMOUNT)) throw failure(ROOT.invalidCoins, formatCoins(coins));
}
