// `orrery tx multi-send`: the same coins to each of several accounts, in one message.

import { create } from "@bufbuild/protobuf";
import { packAny } from "../codec/any.ts";
import { MsgMultiSendSchema } from "../gen/cosmos/bank/v1beta1/tx_pb.ts";
import { amount, protoCoins } from "./coins.ts";
import { defineCall } from "./command.ts";
import type { NeededFlag } from "./flags.ts";
import { sendTx, TX_FLAGS } from "./send-tx.ts";
import { parseNames } from "./values.ts";

const to: NeededFlag<readonly string[]> = {
  placeholder: "ADDRESS,…",
  about: "who receives; with --from, names of sample accounts will do",
  fallback: null,
  parse: parseNames,
  variable: false,
  needed: true,
};

export const multiSendCommand = defineCall({
  name: "tx multi-send",
  summary: "Send the same coins to each of several accounts",
  about: "For example: orrery tx multi-send --from alice --to bob,carol --amount 5uorr gives 5uorr to each of the two.",
  flags: { to, amount, ...TX_FLAGS },
  run: (values) =>
    sendTx(values, (sender) => {
      const total = values.amount.map((coin) => ({ ...coin, amount: coin.amount * BigInt(values.to.length) }));
      const message = {
        inputs: [{ address: sender.address, coins: protoCoins(total) }],
        outputs: values.to.map((each) => ({ address: sender.addressOf(each), coins: protoCoins(values.amount) })),
      };
      return [packAny(MsgMultiSendSchema, create(MsgMultiSendSchema, message))];
    }),
});
