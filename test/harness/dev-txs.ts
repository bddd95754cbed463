// Transactions of the people of the development chain: their accounts as the chain has them, their keys, their messages.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type DevAccount, devAccounts } from "../../src/chain/dev-accounts.ts";
import { parseAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { MsgSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { baseOf, decodeAccount, getAccount } from "../../src/state/account.ts";
import type { Reader } from "../../src/store/store.ts";
import { signedTx, type TxDraft, type TxSigner } from "./signed-tx.ts";

export const DEV_CHAIN_ID = "orrery-1";
const DEV_PEOPLE = devAccounts("cosmos");

export const person = (name: string): DevAccount => DEV_PEOPLE.find((account) => account.name === name)!;

/** As the state has it now. */
export async function signerOf(reader: Reader, account: DevAccount): Promise<TxSigner & DevAccount> {
  const stored = await getAccount(reader, parseAddress(account.address, "cosmos"));
  if (stored === null) throw new Error(`${account.name} has no account`);
  const { accountNumber, sequence } = baseOf(decodeAccount(stored));
  return { ...account, accountNumber, sequence };
}

export function send(from: string, to: string, amount: bigint, denom = "uorr") {
  const message = { fromAddress: from, toAddress: to, amount: [{ denom, amount: String(amount) }] };
  return packAny(MsgSendSchema, create(MsgSendSchema, message as MessageInitShape<typeof MsgSendSchema>));
}

/** A send between two of them, with a fee that no default minds. */
export function sendTx(
  signer: TxSigner & DevAccount,
  to: DevAccount,
  amount: bigint,
  more: Partial<TxDraft> = {},
): Bytes {
  return signedTx({
    chainId: DEV_CHAIN_ID,
    messages: [send(signer.address, to.address, amount)],
    signers: [signer],
    gasLimit: 200_000n,
    fee: [{ denom: "uorr", amount: "500" }],
    ...more,
  });
}
