// Transactions for tests, with real signatures of single keys.

import { create, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { sign } from "tiny-secp256k1";
import { routeMessage } from "../../src/chain/messages.ts";
import { packAny } from "../../src/codec/any.ts";
import { type Bytes, fromHex, toHex } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { directSignBytes, signBytes } from "../../src/codec/sign-doc.ts";
import { decodeTx } from "../../src/codec/tx.ts";
import { PubKeySchema } from "../../src/gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../../src/gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { AuthInfoSchema, ModeInfoSchema, TxBodySchema, TxRawSchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";

export type SigningKey = { readonly publicKey: Bytes; readonly privateKeyHex: string };

export type TxSigner = SigningKey & { readonly accountNumber: bigint; readonly sequence: bigint };

export type TxDraft = {
  readonly chainId: string;
  readonly messages: readonly Any[];
  /** In the order in which the messages name them; the first pays. */
  readonly signers: readonly TxSigner[];
  readonly gasLimit: bigint;
  readonly fee?: readonly { readonly denom: string; readonly amount: string }[];
  readonly memo?: string;
  readonly timeoutHeight?: bigint;
};

/** Signed by everyone, in direct mode. */
export function signedTx(draft: TxDraft): Bytes {
  const { bodyBytes, authInfoBytes } = partsOf(draft, SignMode.DIRECT);
  const signatures = draft.signers.map((signer) => {
    return signatureOf(signer, directSignBytes(bodyBytes, authInfoBytes, { ...signer, chainId: draft.chainId }));
  });
  return rawTx(bodyBytes, authInfoBytes, signatures);
}

/** Signed by everyone over amino JSON, as hardware wallets do. */
export function aminoSignedTx(draft: TxDraft): Bytes {
  const { bodyBytes, authInfoBytes } = partsOf(draft, SignMode.LEGACY_AMINO_JSON);
  const tx = decodeTx(rawTx(bodyBytes, authInfoBytes, []));
  const amino = tx.messages.map((each) => {
    const { type, message } = routeMessage(each);
    return type.amino === null ? null : { type: type.amino.type, value: type.amino.value(message) };
  });
  const signatures = draft.signers.map((signer, index) => {
    const publicKey = { typeUrl: "", value: new Uint8Array(0) };
    const who = { ...signer, address: "", chainId: draft.chainId, isFeePayer: index === 0, publicKey };
    const signed = signBytes(SignMode.LEGACY_AMINO_JSON, tx, who, () => amino);
    if (signed === null) throw new Error("this transaction cannot be signed as amino JSON");
    return signatureOf(signer, signed);
  });
  return rawTx(bodyBytes, authInfoBytes, signatures);
}

/** A key signs a digest always alike, so whoever makes the same transactions again need not wait for it again. */
const made = new Map<string, Bytes>();
const MOST_REMEMBERED = 20_000;

export function signatureOf({ privateKeyHex }: SigningKey, signed: Bytes): Bytes {
  const digest = sha256(signed);
  const question = privateKeyHex + toHex(digest);
  const known = made.get(question);
  if (known !== undefined) return known;
  if (made.size >= MOST_REMEMBERED) made.clear();
  const signature = sign(digest, fromHex(privateKeyHex)) as Bytes;
  made.set(question, signature);
  return signature;
}

/** As a wallet sends it to a simulation: one empty signature for each signer. */
export function unsignedTx(draft: TxDraft): Bytes {
  const { bodyBytes, authInfoBytes } = partsOf(draft, SignMode.DIRECT);
  return rawTx(
    bodyBytes,
    authInfoBytes,
    draft.signers.map(() => new Uint8Array(0)),
  );
}

export function rawTx(bodyBytes: Uint8Array, authInfoBytes: Uint8Array, signatures: readonly Uint8Array[]): Bytes {
  return toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [...signatures] })) as Bytes;
}

export function partsOf(draft: TxDraft, mode: SignMode): { readonly bodyBytes: Bytes; readonly authInfoBytes: Bytes } {
  const body = create(TxBodySchema, {
    messages: [...draft.messages],
    memo: draft.memo ?? "",
    timeoutHeight: draft.timeoutHeight ?? 0n,
  });
  const modeInfo = create(ModeInfoSchema, { sum: { case: "single", value: { mode } } });
  const authInfo = create(AuthInfoSchema, {
    signerInfos: draft.signers.map(({ publicKey, sequence }) => ({
      publicKey: packAny(PubKeySchema, create(PubKeySchema, { key: publicKey })),
      modeInfo,
      sequence,
    })),
    fee: { amount: (draft.fee ?? []).map((coin) => ({ ...coin })), gasLimit: draft.gasLimit },
  });
  return {
    bodyBytes: toBinary(TxBodySchema, body) as Bytes,
    authInfoBytes: toBinary(AuthInfoSchema, authInfo) as Bytes,
  };
}
