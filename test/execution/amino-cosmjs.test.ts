// What is signed as amino JSON, held against CosmJS's own words for it, for random transactions: the messages that it has
// converters for (sends, sends to many, vesting accounts), and the keys and signatures of several people together.
//
// Two differences are known, and both are CosmJS's from the reference. It writes `"delayed":false` and `"end_time":"0"`
// where the reference leaves them out, so that such a message signed by it is refused there as here; and it does not
// spell out U+2028, U+2029, \b and \f in the way of Go. Those are left out of the random transactions, and the first is
// shown by a test of its own.

import { expect, test } from "bun:test";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  makeSignDoc,
  pubkeyToAddress,
  Secp256k1Wallet,
  type StdFee,
  serializeSignDoc,
} from "@cosmjs/amino";
import {
  AminoTypes,
  createBankAminoConverters,
  createVestingAminoConverters,
  makeMultisignedTxBytes,
} from "@cosmjs/stargate";
import fc from "fast-check";
import { routeMessage } from "../../src/chain/messages.ts";
import { verifySecp256k1 } from "../../src/chain/secp256k1.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import { type Bytes, fromHex, utf8Decode } from "../../src/codec/bytes.ts";
import { accountAddressOf } from "../../src/codec/key-address.ts";
import { signBytes } from "../../src/codec/sign-doc.ts";
import { signatureData } from "../../src/codec/signature-data.ts";
import { type DecodedTx, decodeTx } from "../../src/codec/tx.ts";
import { verifySignatures } from "../../src/codec/verify-signature.ts";
import { MsgMultiSendSchema, MsgSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { SignMode } from "../../src/gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { AuthInfoSchema, TxBodySchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { MsgCreateVestingAccountSchema } from "../../src/gen/cosmos/vesting/v1beta1/tx_pb.ts";
import { rawTx } from "../harness/signed-tx.ts";
import { CAST } from "../simulation/cast.ts";

const CHAIN = "orrery-1";
const TYPES = new AminoTypes({ ...createBankAminoConverters(), ...createVestingAminoConverters() });
/** Founders and newcomers with keys of their own. */
const PEOPLE = CAST.filter(({ multisig }) => multisig === undefined);

type Draft = { readonly desc: DescMessage; readonly value: Record<string, unknown> };

const address = fc.constantFrom(...PEOPLE.map((actor) => actor.address));
const coin = fc.record({
  denom: fc.stringMatching(/^[a-z][a-z0-9/:._-]{2,20}$/),
  amount: fc.bigInt({ min: 0n, max: 1n << 200n }).map(String),
});
const coins = fc.array(coin, { maxLength: 3 });
const party = fc.record({ address, coins });

const message: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({ fromAddress: address, toAddress: address, amount: coins }).map(draftOf(MsgSendSchema)),
  fc
    .record({ inputs: fc.array(party, { maxLength: 2 }), outputs: fc.array(party, { maxLength: 4 }) })
    .map(draftOf(MsgMultiSendSchema)),
  fc
    .record({
      fromAddress: address,
      toAddress: address,
      amount: coins,
      endTime: fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }),
      delayed: fc.constant(true),
    })
    .map(draftOf(MsgCreateVestingAccountSchema)),
);

const transaction = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 3 }),
  memo: fc.string({ unit: "grapheme" }).filter((text) => !/[\u2028\u2029\b\f]/.test(text)),
  fee: fc.record({ amount: coins, gas: fc.bigInt({ min: 0n, max: 1n << 40n }).map(String) }),
  timeout: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 1n << 50n })),
  accountNumber: fc.nat(),
  sequence: fc.nat(),
});

type Transaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

test("the bytes to sign are CosmJS's, for random transactions", () => {
  fc.assert(
    fc.property(transaction, (given) => {
      const ours = aminoBytes(decodeTx(rawTx(bodyOf(given), authInfoOf(given.fee), [])), given);
      expect(utf8Decode(ours!)).toBe(utf8Decode(cosmjsBytes(given)));
    }),
    { numRuns: 300 },
  );
});

test("CosmJS signs a member that the reference leaves out: not delayed", () => {
  const [{ address: fromAddress }, { address: toAddress }] = PEOPLE as [(typeof PEOPLE)[0], (typeof PEOPLE)[0]];
  const value = { fromAddress, toAddress, amount: [], endTime: 5n, delayed: false };
  const given: Transaction = {
    messages: [draftOf(MsgCreateVestingAccountSchema)(value)],
    memo: "",
    fee: { amount: [], gas: "1" },
    timeout: 0n,
    accountNumber: 1,
    sequence: 2,
  };
  const ours = utf8Decode(aminoBytes(decodeTx(rawTx(bodyOf(given), authInfoOf(given.fee), [])), given)!);
  expect(ours).not.toContain("delayed");
  expect(utf8Decode(cosmjsBytes(given))).toBe(
    ours.replace('"amount":[],"end_time"', '"amount":[],"delayed":false,"end_time"'),
  );
});

test("several people together: the address and the signatures of CosmJS's multisig are right here", async () => {
  const shared = fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 7 }).chain((members) =>
    fc.record({
      members: fc.constant(members),
      threshold: fc.integer({ min: 1, max: members.length }),
      signing: fc.subarray(members, { minLength: 1 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(transaction, shared, async (given, { members, threshold, signing }) => {
      const key = createMultisigThresholdPubkey(
        members.map(({ publicKey }) => encodeSecp256k1Pubkey(publicKey)),
        threshold,
      );
      const doc = signDocOf(given);
      const signatures = new Map<string, Uint8Array>();
      for (const member of signing) {
        const wallet = await Secp256k1Wallet.fromKey(fromHex(member.privateKeyHex), "cosmos");
        const { signature } = await wallet.signAmino(member.address, doc);
        signatures.set(member.address, Uint8Array.fromBase64(signature.signature));
      }
      const tx = decodeTx(makeMultisignedTxBytes(key, given.sequence, given.fee, bodyOf(given), signatures) as Bytes);
      const { publicKey, modeInfo } = tx.authInfo.signerInfos[0]!;
      expect(encodeAddress("cosmos", accountAddressOf(publicKey!))).toBe(pubkeyToAddress(key, "cosmos"));
      const data = signatureData(modeInfo!, tx.signatures[0]!);
      const isRight = verifySignatures(publicKey!, data, () => aminoBytes(tx, given), verifySecp256k1);
      expect(isRight).toBe(signing.length >= threshold);
    }),
    { numRuns: 25 },
  );
}, 30_000);

function draftOf<D extends DescMessage>(desc: D) {
  return (value: MessageInitShape<D>): Draft => ({ desc, value: { ...value } });
}

function bodyOf({ messages, memo, timeout }: Transaction): Bytes {
  const body = create(TxBodySchema, {
    messages: messages.map(({ desc, value }) => packAny(desc, create(desc, value))),
    memo,
    timeoutHeight: timeout,
  });
  return toBinary(TxBodySchema, body) as Bytes;
}

function authInfoOf({ amount, gas }: StdFee): Bytes {
  const fee = { amount: amount.map((each) => ({ ...each })), gasLimit: BigInt(gas) };
  return toBinary(AuthInfoSchema, create(AuthInfoSchema, { fee })) as Bytes;
}

function aminoBytes(tx: DecodedTx, { accountNumber, sequence }: Transaction): Bytes | null {
  const amino = tx.messages.map(routeMessage).map(({ type, message: each }) => {
    return { type: type.amino!.type, value: type.amino!.value(each) };
  });
  const who = { chainId: CHAIN, accountNumber: BigInt(accountNumber), sequence: BigInt(sequence), address: "" };
  const signer = { ...who, isFeePayer: true, publicKey: { typeUrl: "", value: new Uint8Array(0) } };
  return signBytes(SignMode.LEGACY_AMINO_JSON, tx, signer, () => amino);
}

function signDocOf({ messages, fee, memo, accountNumber, sequence, timeout }: Transaction) {
  const amino = messages.map(({ desc, value }) => TYPES.toAmino({ typeUrl: `/${desc.typeName}`, value }));
  return makeSignDoc(amino, fee, CHAIN, memo, accountNumber, sequence, timeout);
}

function cosmjsBytes(given: Transaction): Bytes {
  return serializeSignDoc(signDocOf(given)) as Bytes;
}
