// Transactions of one signer, in direct mode.

import { create, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { PubKeySchema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { AuthInfoSchema, ModeInfoSchema, TxBodySchema, TxRawSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { packAny } from "./any.ts";
import type { Bytes } from "./bytes.ts";
import type { Coin } from "./coin.ts";
import { sha256 } from "./hash.ts";
import { directSignBytes } from "./sign-doc.ts";

export type SigningKey = {
  readonly privateKey: Bytes;
  /** Compressed secp256k1. */
  readonly publicKey: Bytes;
};

export type TxDraft = {
  readonly messages: readonly Any[];
  readonly memo: string;
  readonly fee: readonly Coin[];
  readonly gasLimit: bigint;
};

/** Whose key signs, and what the signature covers besides the transaction. */
export type TxSigner = {
  readonly key: SigningKey;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
};

export function signTx(draft: TxDraft, signer: TxSigner): Bytes {
  const { bodyBytes, authInfoBytes } = partsOf(draft, signer);
  const signed = sha256(directSignBytes(bodyBytes, authInfoBytes, signer));
  return rawTx(bodyBytes, authInfoBytes, secp256k1.sign(signed, signer.key.privateKey, { prehash: false }));
}

/** For a simulation, which wants no signature. */
export function unsignedTx(draft: TxDraft, signer: TxSigner): Bytes {
  const { bodyBytes, authInfoBytes } = partsOf(draft, signer);
  return rawTx(bodyBytes, authInfoBytes, new Uint8Array(0));
}

function partsOf({ messages, memo, fee, gasLimit }: TxDraft, { key, sequence }: TxSigner) {
  const body = create(TxBodySchema, { messages: [...messages], memo });
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [
      {
        publicKey: packAny(PubKeySchema, create(PubKeySchema, { key: key.publicKey })),
        modeInfo: create(ModeInfoSchema, { sum: { case: "single", value: { mode: SignMode.DIRECT } } }),
        sequence,
      },
    ],
    fee: { amount: fee.map(({ denom, amount }) => ({ denom, amount: String(amount) })), gasLimit },
  });
  return {
    bodyBytes: toBinary(TxBodySchema, body) as Bytes,
    authInfoBytes: toBinary(AuthInfoSchema, authInfo) as Bytes,
  };
}

function rawTx(bodyBytes: Bytes, authInfoBytes: Bytes, signature: Uint8Array): Bytes {
  return toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [signature] })) as Bytes;
}
