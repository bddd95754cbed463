// MsgSend: coins from one account to another.

import { aminoCoins } from "../codec/sign-doc.ts";
import { MsgSendResponseSchema, MsgSendSchema } from "../gen/cosmos/bank/v1beta1/tx_pb.ts";
import { addressOf, checkAddress, checkCoins, coinsOf } from "./message-checks.ts";
import { defineMessage } from "./message-type.ts";
import { checkNotBlocked, checkSendEnabled, sendCoins } from "./send-coins.ts";

export const bankSend = defineMessage({
  desc: MsgSendSchema,
  response: MsgSendResponseSchema,
  signers: ({ fromAddress }) => [fromAddress],

  validateBasic({ fromAddress, toAddress, amount }, prefix) {
    checkAddress(fromAddress, prefix, "invalid from address");
    checkAddress(toAddress, prefix, "invalid to address");
    checkCoins(amount);
  },

  async handle(context, { fromAddress, toAddress, amount }) {
    const prefix = context.block.bech32Prefix;
    const coins = coinsOf(amount);
    const to = addressOf(toAddress, prefix);
    await checkSendEnabled(context, coins);
    checkNotBlocked(to, toAddress);
    await sendCoins(context, addressOf(fromAddress, prefix), to, coins);
  },

  amino: {
    type: "cosmos-sdk/MsgSend",
    value: ({ fromAddress, toAddress, amount }) => ({
      from_address: fromAddress,
      to_address: toAddress,
      amount: aminoCoins(amount),
    }),
  },
});
