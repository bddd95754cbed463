// A multisig key that is itself a member of one: its signatures are a tree, checked and paid for leaf by leaf.

import { beforeAll, expect, test } from "bun:test";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { executeTx, type Mode } from "../../src/chain/execute-tx.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { accountAddressOf } from "../../src/codec/key-address.ts";
import { BaseAccountSchema } from "../../src/gen/cosmos/auth/v1beta1/auth_pb.ts";
import { LegacyAminoPubKeySchema } from "../../src/gen/cosmos/crypto/multisig/keys_pb.ts";
import { MultiSignatureSchema } from "../../src/gen/cosmos/crypto/multisig/v1beta1/multisig_pb.ts";
import { SignMode } from "../../src/gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { AuthInfoSchema, type ModeInfo, ModeInfoSchema, TxBodySchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { getAuthParams, putAccount, putAuthParams } from "../../src/state/account.ts";
import { putBalance } from "../../src/state/bank.ts";
import { createBranch } from "../../src/store/branch.ts";
import type { Reader } from "../../src/store/store.ts";
import { DEV_BLOCK, devState } from "../harness/dev-state.ts";
import { DEV_CHAIN_ID, person, send } from "../harness/dev-txs.ts";
import { aminoSignature, keyAny } from "../harness/other-signatures.ts";
import { rawTx } from "../harness/signed-tx.ts";

const INNER = ["alice", "bob", "carol"];
const INNER_KEY = multisigOf(INNER.map((name) => keyAny(person(name))));
/** Two of two: dave, and two of the three inside. */
const KEY = multisigOf([keyAny(person("dave")), INNER_KEY]);
const ADDRESS = accountAddressOf(KEY);
const ACCOUNT = { chainId: DEV_CHAIN_ID, accountNumber: 900n, sequence: 0n };
const COST = 1000n;
const DEARER = 3000n;

let state: Reader;
/** The same, where a signature costs three times as much; the parameters are as long as before. */
let dearState: Reader;

beforeAll(async () => {
  const branch = createBranch(await devState());
  const { accountNumber } = ACCOUNT;
  const address = encodeAddress("cosmos", ADDRESS);
  putAccount(branch, ADDRESS, create(BaseAccountSchema, { address, accountNumber }));
  await putBalance(branch, ADDRESS, "uorr", 1_000n);
  const params = await getAuthParams(branch);
  expect(params.sigVerifyCostSecp256k1).toBe(COST);
  const dear = createBranch(branch);
  putAuthParams(dear, { ...params, sigVerifyCostSecp256k1: DEARER });
  state = branch;
  dearState = dear;
});

const run = (base: Reader, raw: Bytes, mode: Mode) => executeTx(base, DEV_BLOCK, raw, mode);

const CASES: [signing: string[], mode: Mode][] = [["alice", "carol"], ["bob", "carol"], INNER].flatMap((signing) =>
  (["deliver", "check", "simulate"] as const).map((mode): [string[], Mode] => [signing, mode]),
);

test.each(CASES)(
  "dave and %p inside: %s succeeds, and each set bit of the leaves is paid for",
  async (signing, mode) => {
    const raw = nestedTx(signing);
    const outcome = await run(state, raw, mode);
    expect([outcome.code, outcome.code === 0 ? "" : outcome.log]).toEqual([0, ""]);
    const dear = await run(dearState, raw, mode);
    expect(dear.gasUsed - outcome.gasUsed).toBe(BigInt(1 + signing.length) * (DEARER - COST));
  },
);

test("one more signature inside costs its check and its bytes, nothing else", async () => {
  const [two, three] = [nestedTx(["alice", "bob"]), nestedTx(INNER)];
  const [ofTwo, ofThree] = [await run(state, two, "deliver"), await run(state, three, "deliver")];
  expect(ofThree.gasUsed - ofTwo.gasUsed).toBe(COST + 10n * BigInt(three.length - two.length));
});

test("a simulation costs what the delivery does, and wants no right signature", async () => {
  const raw = nestedTx(["alice", "bob"]);
  const { gasUsed } = await run(state, raw, "deliver");
  expect((await run(state, raw, "simulate")).gasUsed).toBe(gasUsed);
  const wrong = nestedTx(["alice", "bob"], { bob: "erin" });
  expect(await run(state, wrong, "simulate")).toMatchObject({ code: 0, gasUsed });
});

const REFUSAL =
  "signature verification failed; please verify account number (900), sequence (0) and chain-id (orrery-1): unauthorized";

test.each<[name: string, signing: string[], forged: Record<string, string>]>([
  ["a stranger signs in a member's place inside", ["alice", "bob"], { bob: "erin" }],
  ["one of three is wrong, though two would do", INNER, { carol: "erin" }],
  ["two inside sign in each other's places", ["alice", "bob"], { alice: "bob", bob: "alice" }],
  ["too few inside", ["alice"], {}],
  ["a stranger signs for the plain member", ["alice", "bob"], { dave: "erin" }],
])("refused: %s", async (_name, signing, forged) => {
  const raw = nestedTx(signing, forged);
  for (const mode of ["deliver", "check"] as const) {
    const { code, codespace, log, changes } = await run(state, raw, mode);
    expect([codespace, code, log, changes.length]).toEqual(["sdk", 4, REFUSAL, 0]);
  }
});

/** A send by the account; `forged` names who signs in whose place. */
function nestedTx(signing: readonly string[], forged: Readonly<Record<string, string>> = {}): Bytes {
  const messages = [send(encodeAddress("cosmos", ADDRESS), person("bob").address, 3n)];
  const bodyBytes = toBinary(TxBodySchema, create(TxBodySchema, { messages })) as Bytes;
  const single = create(ModeInfoSchema, { sum: { case: "single", value: { mode: SignMode.LEGACY_AMINO_JSON } } });
  const inner = multiMode(
    INNER.map((name) => signing.includes(name)),
    signing.map(() => single),
  );
  const modeInfo = multiMode([true, true], [single, inner]);
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [{ publicKey: KEY, modeInfo, sequence: ACCOUNT.sequence }],
    fee: { amount: [{ denom: "uorr", amount: "500" }], gasLimit: 200_000n },
  });
  const authInfoBytes = toBinary(AuthInfoSchema, authInfo) as Bytes;
  const unsigned = rawTx(bodyBytes, authInfoBytes, [new Uint8Array(0)]);
  const by = (name: string) => aminoSignature(unsigned, KEY, ACCOUNT, person(forged[name] ?? name));
  return rawTx(bodyBytes, authInfoBytes, [together([by("dave"), together(signing.map(by))])]);
}

function multisigOf(publicKeys: Any[]): Any {
  return packAny(LegacyAminoPubKeySchema, create(LegacyAminoPubKeySchema, { threshold: 2, publicKeys }));
}

function multiMode(signed: readonly boolean[], modeInfos: ModeInfo[]): ModeInfo {
  const elems = Uint8Array.of(signed.reduce((bits, set, i) => (set ? bits | (0x80 >> i) : bits), 0));
  const bitarray = { extraBitsStored: signed.length, elems };
  return create(ModeInfoSchema, { sum: { case: "multi", value: { bitarray, modeInfos } } });
}

function together(signatures: Bytes[]): Bytes {
  return toBinary(MultiSignatureSchema, create(MultiSignatureSchema, { signatures })) as Bytes;
}
