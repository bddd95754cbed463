// The bytes that a signature covers, in each of the modes in which a transaction may be signed.

import { toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { Coin } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { SignMode } from "../gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { TipSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { type Json, sortedJson } from "./amino-json.ts";
import { type Bytes, utf8Encode } from "./bytes.ts";
import type { PubKeyAny } from "./key-address.ts";
import type { DecodedTx } from "./tx.ts";
import { WireWriter } from "./wire.ts";

/** Who signs, where: signatures cover it, so that they count once and on one chain. */
export type Signer = {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  /** As the chain writes it. */
  readonly address: string;
  readonly isFeePayer: boolean;
  readonly publicKey: PubKeyAny;
};

/** A message in amino JSON: a type and a value. Null for a message that has no such form. */
export type AminoMessage = { readonly type: string; readonly value: Json };

/** Null where this mode cannot sign this transaction: no signature can be right then. */
export function signBytes(
  mode: number,
  tx: DecodedTx,
  signer: Signer,
  aminoMessages: () => readonly (AminoMessage | null)[],
): Bytes | null {
  switch (mode) {
    case SignMode.DIRECT:
      return directSignBytes(tx.bodyBytes, tx.authInfoBytes, signer);
    case SignMode.DIRECT_AUX:
      return signer.isFeePayer ? null : auxSignBytes(tx, signer);
    case SignMode.LEGACY_AMINO_JSON: {
      const messages = aminoMessages();
      // What JSON cannot show must not be signed by it.
      if (tx.hasIgnoredFields || !messages.every((message) => message !== null)) return null;
      return utf8Encode(aminoSignDoc(tx, signer, messages));
    }
    default:
      return null;
  }
}

/** SignDoc, over the parts as they came. */
export function directSignBytes(
  bodyBytes: Bytes,
  authInfoBytes: Bytes,
  { chainId, accountNumber }: Pick<Signer, "chainId" | "accountNumber">,
): Bytes {
  const doc = new WireWriter(bodyBytes.length + authInfoBytes.length + 64);
  doc.bytesField(1, bodyBytes).bytesField(2, authInfoBytes);
  return doc.stringField(3, chainId).varintField(4, accountNumber).finish();
}

/** SignDocDirectAux: without the fee, which another signer answers for. */
function auxSignBytes({ bodyBytes, authInfo }: DecodedTx, signer: Signer): Bytes {
  const { typeUrl, value } = signer.publicKey;
  const doc = new WireWriter(bodyBytes.length + 256).bytesField(1, bodyBytes);
  doc.messageField(2, toBinary(AnySchema, { $typeName: AnySchema.typeName, typeUrl, value }) as Bytes);
  doc.stringField(3, signer.chainId).varintField(4, signer.accountNumber).varintField(5, signer.sequence);
  if (authInfo.tip !== undefined) doc.messageField(6, toBinary(TipSchema, authInfo.tip) as Bytes);
  return doc.finish();
}

export function aminoSignDoc(tx: DecodedTx, signer: Signer, messages: readonly AminoMessage[]): string {
  const { memo, timeoutHeight } = tx.body;
  const { tip } = tx.authInfo;
  return sortedJson({
    account_number: String(signer.accountNumber),
    chain_id: signer.chainId,
    fee: aminoFee(tx, signer),
    memo,
    msgs: messages,
    sequence: String(signer.sequence),
    ...(timeoutHeight === 0n ? {} : { timeout_height: String(timeoutHeight) }),
    ...(tip === undefined ? {} : { tip: { amount: aminoCoins(tip.amount), tipper: tip.tipper } }),
  });
}

/** Coins as amino JSON writes them; an empty list is a list. */
export function aminoCoins(coins: readonly Coin[]): Json {
  return coins.map(({ denom, amount }) => ({ amount, denom }));
}

/** Whoever gives a tip does not answer for the fee, and does not sign it. */
function aminoFee({ authInfo: { fee, tip } }: DecodedTx, signer: Signer): Json {
  if (tip !== undefined && tip.tipper === signer.address) return { amount: [], gas: "0" };
  return {
    amount: aminoCoins(fee?.amount ?? []),
    gas: String(fee?.gasLimit ?? 0n),
    ...(fee?.payer ? { payer: fee.payer } : {}),
    ...(fee?.granter ? { granter: fee.granter } : {}),
  };
}
