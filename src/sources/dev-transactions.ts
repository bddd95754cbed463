// Transactions of the people of the development chain, so that a new one has something to show: a payment, a payment
// to several, and a change of an identity.

import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { type DevAccount, devAccounts } from "../chain/dev-accounts.ts";
import { parseAddress } from "../codec/address.ts";
import { packAny } from "../codec/any.ts";
import { type Bytes, fromHex } from "../codec/bytes.ts";
import { signTx } from "../codec/sign-tx.ts";
import { MsgMultiSendSchema, MsgSendSchema } from "../gen/cosmos/bank/v1beta1/tx_pb.ts";
import { MsgUpdateDidDocumentSchema } from "../gen/orrery/identity/v1/tx_pb.ts";
import { baseOf, decodeAccount, getAccount } from "../state/account.ts";
import { decodeDocument, getDocument } from "../state/identity.ts";
import type { Reader } from "../store/store.ts";

export type DevChain = { readonly chainId: string; readonly bech32Prefix: string };

const FEE = [{ denom: "uorr", amount: 5_000n }];
const GAS_LIMIT = 400_000n;

/** Signed, for the block after the one whose state `view` shows. Each is of another signer, so their order is free. */
export async function devTransactions(view: Reader, { chainId, bech32Prefix }: DevChain): Promise<Bytes[]> {
  const people = new Map(devAccounts(bech32Prefix).map((account) => [account.name, account]));
  const [alice, bob, carol, dave] = ["alice", "bob", "carol", "dave"].map((name) => people.get(name)!) as Four;
  const signed = async (signer: DevAccount, message: Any, memo: string) => {
    const stored = await getAccount(view, parseAddress(signer.address, bech32Prefix));
    const { accountNumber, sequence } = baseOf(decodeAccount(stored!));
    const key = { privateKey: fromHex(signer.privateKeyHex), publicKey: signer.publicKey };
    const draft = { messages: [message], memo, fee: FEE, gasLimit: GAS_LIMIT };
    return signTx(draft, { key, chainId, accountNumber, sequence });
  };
  return [
    await signed(alice, payment(alice, bob), "lunch on Tuesday"),
    await signed(bob, paymentToEach(bob, [carol, dave]), "shared rent"),
    await signed(carol, await newAlias(view, carol), "a second name"),
  ];
}

type Four = [DevAccount, DevAccount, DevAccount, DevAccount];

function payment(from: DevAccount, to: DevAccount): Any {
  const message = { fromAddress: from.address, toAddress: to.address, amount: [{ denom: "uorr", amount: "2500000" }] };
  return packAny(MsgSendSchema, create(MsgSendSchema, message));
}

function paymentToEach(from: DevAccount, receivers: readonly DevAccount[]): Any {
  const coins = (amount: number) => [{ denom: "uorr", amount: String(amount) }];
  const message = create(MsgMultiSendSchema, {
    inputs: [{ address: from.address, coins: coins(1_000_000 * receivers.length) }],
    outputs: receivers.map(({ address }) => ({ address, coins: coins(1_000_000) })),
  });
  return packAny(MsgMultiSendSchema, message);
}

async function newAlias(view: Reader, { address }: DevAccount): Promise<Any> {
  const document = decodeDocument((await getDocument(view, `did:orr:${address}`))!);
  document.alsoKnownAs.push("https://social.example.com/@carol");
  return packAny(MsgUpdateDidDocumentSchema, create(MsgUpdateDidDocumentSchema, { creator: address, document }));
}
