// `orrery tx send`: coins from one account to another.

import { create } from "@bufbuild/protobuf";
import { packAny } from "../codec/any.ts";
import { MsgSendSchema } from "../gen/cosmos/bank/v1beta1/tx_pb.ts";
import { amount, protoCoins } from "./coins.ts";
import { defineCall } from "./command.ts";
import type { NeededFlag } from "./flags.ts";
import { sendTx, TX_FLAGS } from "./send-tx.ts";
import { parseText } from "./values.ts";

const to: NeededFlag<string> = {
  placeholder: "ADDRESS",
  about: "who receives; with --from, the name of a sample account will do",
  fallback: null,
  parse: parseText,
  variable: false,
  needed: true,
};

export const sendCommand = defineCall({
  name: "tx send",
  summary: "Send coins to an account",
  about: "For example: orrery tx send --from alice --to bob --amount 5uorr",
  flags: { to, amount, ...TX_FLAGS },
  run: (values) =>
    sendTx(values, (sender) => {
      const toAddress = sender.addressOf(values.to);
      const message = { fromAddress: sender.address, toAddress, amount: protoCoins(values.amount) };
      return [packAny(MsgSendSchema, create(MsgSendSchema, message))];
    }),
});
