// MsgMultiSend: coins from one account to many.

import { type Coin, formatCoins, normalizeCoins } from "../codec/coin.ts";
import { aminoCoins } from "../codec/sign-doc.ts";
import type { Input, Output } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import { MsgMultiSendResponseSchema, MsgMultiSendSchema } from "../gen/cosmos/bank/v1beta1/tx_pb.ts";
import { failure, ROOT } from "./errors.ts";
import { event } from "./events.ts";
import { addressOf, checkAddress, checkCoins, coinsOf } from "./message-checks.ts";
import { defineMessage } from "./message-type.ts";
import { addCoins, checkNotBlocked, checkSendEnabled, ensureAccount, subtractCoins } from "./send-coins.ts";

export const bankMultiSend = defineMessage({
  desc: MsgMultiSendSchema,
  response: MsgMultiSendResponseSchema,
  signers: ({ inputs }) => inputs.map(({ address }) => address),

  validateBasic({ inputs, outputs }, prefix) {
    if (inputs.length === 0) throw failure(ROOT.noInputs);
    if (inputs.length > 1) throw failure(ROOT.multipleSenders);
    if (outputs.length === 0) throw failure(ROOT.noOutputs);
    for (const { address, coins } of inputs) {
      checkAddress(address, prefix, "invalid input address");
      checkCoins(coins);
    }
    for (const { address, coins } of outputs) {
      checkAddress(address, prefix, "invalid output address");
      checkCoins(coins);
    }
    if (totalOf(inputs) !== totalOf(outputs)) throw failure(ROOT.sumsDiffer);
  },

  async handle(context, { inputs, outputs }) {
    const prefix = context.block.bech32Prefix;
    const given = inputs.map(({ address, coins }) => ({ text: address, coins: coinsOf(coins) }));
    const taken = outputs.map(({ address, coins }) => {
      return { text: address, address: addressOf(address, prefix), coins: coinsOf(coins) };
    });
    for (const { coins } of given) await checkSendEnabled(context, coins);
    for (const { address, text } of taken) checkNotBlocked(address, text);
    for (const { text, coins } of given) {
      await subtractCoins(context, addressOf(text, prefix), coins);
      context.emit(event("message", ["sender", text]));
    }
    for (const { text, address, coins } of taken) {
      await addCoins(context, address, coins);
      context.emit(event("transfer", ["recipient", text], ["amount", formatCoins(coins)]));
      await ensureAccount(context, address);
    }
  },

  amino: {
    type: "cosmos-sdk/MsgMultiSend",
    value: ({ inputs, outputs }) => ({ inputs: inputs.map(aminoParty), outputs: outputs.map(aminoParty) }),
  },
});

function totalOf(parties: readonly (Input | Output)[]): string {
  return formatCoins(normalizeCoins(parties.flatMap(({ coins }): Coin[] => coinsOf(coins))));
}

function aminoParty({ address, coins }: Input | Output) {
  return { address, coins: aminoCoins(coins) };
}
