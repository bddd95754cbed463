// Transactions signed in the other ways that there are: amino JSON, and by the members of a multisig key.

import { create, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { routeMessage } from "../../src/chain/messages.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { accountAddressOf } from "../../src/codec/key-address.ts";
import { signBytes } from "../../src/codec/sign-doc.ts";
import { decodeTx } from "../../src/codec/tx.ts";
import { LegacyAminoPubKeySchema } from "../../src/gen/cosmos/crypto/multisig/keys_pb.ts";
import { MultiSignatureSchema } from "../../src/gen/cosmos/crypto/multisig/v1beta1/multisig_pb.ts";
import { PubKeySchema } from "../../src/gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../../src/gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { AuthInfoSchema, ModeInfoSchema, TxBodySchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { partsOf, rawTx, type SigningKey, signatureOf, type TxDraft } from "./signed-tx.ts";

type Facts = { readonly chainId: string; readonly accountNumber: bigint; readonly sequence: bigint };

/** By its only signer. */
export function aminoSignedTx(draft: TxDraft): Bytes {
  const [signer] = draft.signers;
  const { bodyBytes, authInfoBytes } = partsOf(draft, SignMode.LEGACY_AMINO_JSON);
  const unsigned = rawTx(bodyBytes, authInfoBytes, [new Uint8Array(0)]);
  const facts = { chainId: draft.chainId, accountNumber: signer!.accountNumber, sequence: signer!.sequence };
  return rawTx(bodyBytes, authInfoBytes, [aminoSignature(unsigned, keyAny(signer!), facts, signer!)]);
}

export type Multisig = { readonly threshold: number; readonly members: readonly SigningKey[] };

function multisigKey({ threshold, members }: Multisig): Any {
  return packAny(
    LegacyAminoPubKeySchema,
    create(LegacyAminoPubKeySchema, { threshold, publicKeys: members.map(keyAny) }),
  );
}

export function multisigAddress(multisig: Multisig): string {
  return encodeAddress("cosmos", accountAddressOf(multisigKey(multisig)));
}

/** `signing`: the positions of the members that sign, ascending. */
export function multisigTx(
  draft: Omit<TxDraft, "signers">,
  multisig: Multisig,
  signing: readonly number[],
  { accountNumber, sequence }: { readonly accountNumber: bigint; readonly sequence: bigint },
): Bytes {
  const { memo = "", timeoutHeight = 0n } = draft;
  const body = create(TxBodySchema, { messages: [...draft.messages], memo, timeoutHeight });
  const single = create(ModeInfoSchema, { sum: { case: "single", value: { mode: SignMode.LEGACY_AMINO_JSON } } });
  const bitarray = {
    extraBitsStored: multisig.members.length,
    elems: Uint8Array.of(signing.reduce((bits, i) => bits | (1 << (7 - i)), 0)),
  };
  const modeInfo = create(ModeInfoSchema, {
    sum: { case: "multi", value: { bitarray, modeInfos: signing.map(() => single) } },
  });
  const publicKey = multisigKey(multisig);
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [{ publicKey, modeInfo, sequence }],
    fee: { amount: (draft.fee ?? []).map((coin) => ({ ...coin })), gasLimit: draft.gasLimit },
  });
  const bodyBytes = toBinary(TxBodySchema, body) as Bytes;
  const authInfoBytes = toBinary(AuthInfoSchema, authInfo) as Bytes;
  const unsigned = rawTx(bodyBytes, authInfoBytes, [new Uint8Array(0)]);
  const facts = { chainId: draft.chainId, accountNumber, sequence };
  const signatures = signing.map((i) => aminoSignature(unsigned, publicKey, facts, multisig.members[i]!));
  const whole = toBinary(MultiSignatureSchema, create(MultiSignatureSchema, { signatures }));
  return rawTx(bodyBytes, authInfoBytes, [whole]);
}

export function aminoSignature(unsigned: Bytes, publicKey: Any, facts: Facts, key: SigningKey): Bytes {
  const tx = decodeTx(unsigned);
  const address = encodeAddress("cosmos", accountAddressOf(publicKey));
  const messages = () =>
    tx.messages.map(routeMessage).map(({ type, message }) => {
      return type.amino === null ? null : { type: type.amino.type, value: type.amino.value(message) };
    });
  const signer = { ...facts, address, isFeePayer: true, publicKey };
  return signatureOf(key, signBytes(SignMode.LEGACY_AMINO_JSON, tx, signer, messages)!);
}

export function keyAny({ publicKey }: SigningKey): Any {
  return packAny(PubKeySchema, create(PubKeySchema, { key: publicKey }));
}
