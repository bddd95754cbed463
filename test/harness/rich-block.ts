// A block that carries every structure of parts 2.5 and 2.6 of the interface document: both kinds of evidence, both
// kinds of validator keys, every flag of a signature, and transactions with all that a transaction can hold.

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { packAny } from "../../src/codec/any.ts";
import { type Bytes, utf8Encode } from "../../src/codec/bytes.ts";
import type { Commit, CommitSig } from "../../src/codec/commit.ts";
import type { Evidence } from "../../src/codec/evidence.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { publicKey } from "../../src/codec/public-key.ts";
import { newValidator } from "../../src/codec/validator.ts";
import type { Vote } from "../../src/codec/vote.ts";
import { MsgSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { LegacyAminoPubKeySchema } from "../../src/gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema } from "../../src/gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { SignMode } from "../../src/gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { ModeInfoSchema, TxSchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { ABSENT_SIGNATURE } from "./absent-signature.ts";
import { addressText } from "./sample-state.ts";
import { headerOf, type TestBlock, VALIDATOR } from "./test-chain.ts";

const HASH = sha256(utf8Encode("some block"));
const BLOCK_ID = { hash: HASH, partSetHeader: { total: 2, hash: HASH } };
const TIME = { seconds: 1_800_000_123n, nanos: 987_654_321 };
const SIGNATURE = new Uint8Array(64).fill(9);
const SECP_VALIDATOR = newValidator(publicKey("secp256k1", new Uint8Array(33).fill(3)), 5n, -4n);

export function richBlock(): TestBlock {
  return { txs: [...richTxs()], evidence: richEvidence(), lastCommit: richCommit() };
}

/** The first one has everything; the second one has nothing that may be left out. */
export function richTxs(): readonly [Bytes, Bytes] {
  const key = packAny(PubKeySchema, create(PubKeySchema, { key: new Uint8Array(33).fill(2) }));
  const multisig = create(LegacyAminoPubKeySchema, { threshold: 1, publicKeys: [key] });
  const send = packAny(
    MsgSendSchema,
    create(MsgSendSchema, {
      fromAddress: addressText("base"),
      toAddress: addressText("keyed"),
      amount: [{ denom: "uorr", amount: "10" }],
    }),
  );
  const single = (mode: SignMode) => create(ModeInfoSchema, { sum: { case: "single", value: { mode } } });
  const bitarray = { extraBitsStored: 3, elems: Uint8Array.of(96) };
  const multi = create(ModeInfoSchema, {
    sum: { case: "multi", value: { bitarray, modeInfos: [single(SignMode.LEGACY_AMINO_JSON)] } },
  });
  const full = txBytes({
    body: {
      messages: [send],
      memo: "all of it",
      timeoutHeight: 77n,
      extensionOptions: [send],
      nonCriticalExtensionOptions: [send],
    },
    authInfo: {
      signerInfos: [
        { publicKey: key, modeInfo: single(SignMode.DIRECT), sequence: 4n },
        { publicKey: packAny(LegacyAminoPubKeySchema, multisig), modeInfo: multi, sequence: 5n },
        { modeInfo: single(SignMode.UNSPECIFIED) },
      ],
      fee: {
        amount: [{ denom: "uorr", amount: "5" }],
        gasLimit: 200_000n,
        payer: addressText("base"),
        granter: addressText("keyed"),
      },
      tip: { amount: [{ denom: "ucred", amount: "1" }], tipper: addressText("base") },
    },
    signatures: [SIGNATURE, SIGNATURE, new Uint8Array(0)],
  });
  return [full, txBytes({ body: { messages: [send] }, authInfo: { fee: {} } })];
}

function txBytes(tx: MessageInitShape<typeof TxSchema>): Bytes {
  return toBinary(TxSchema, create(TxSchema, tx)) as Bytes;
}

function richEvidence(): Evidence[] {
  const vote = (type: number, validatorIndex: number): Vote => ({
    type,
    height: 9n,
    round: 1,
    blockId: BLOCK_ID,
    timestamp: TIME,
    validatorAddress: VALIDATOR.address,
    validatorIndex,
    signature: SIGNATURE,
  });
  const power = { totalVotingPower: 15n, timestamp: TIME };
  const validators = [VALIDATOR, SECP_VALIDATOR];
  const signedHeader = { header: headerOf(9n), commit: richCommit() };
  return [
    {
      type: "duplicate-vote",
      value: { voteA: vote(2, 1), voteB: vote(0, 0), validatorPower: 10n, ...power },
    },
    {
      type: "light-client-attack",
      value: {
        conflictingBlock: { signedHeader, validatorSet: { validators, proposer: SECP_VALIDATOR } },
        commonHeight: 8n,
        byzantineValidators: validators,
        ...power,
      },
    },
  ];
}

function richCommit(): Commit {
  const signed = (flag: number): CommitSig => ({
    flag,
    validatorAddress: VALIDATOR.address,
    timestamp: TIME,
    signature: SIGNATURE,
  });
  return { height: 9n, round: 1, blockId: BLOCK_ID, signatures: [signed(2), signed(3), ABSENT_SIGNATURE, signed(0)] };
}
