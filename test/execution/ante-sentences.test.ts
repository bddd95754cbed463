// What a transaction is refused for before its messages, in the reference's words, with its codes; and in check and
// recheck what is looked at and what is not.

import { beforeAll, describe, expect, test } from "bun:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { BlockContext } from "../../src/chain/context.ts";
import { type ExecuteOptions, executeTx, type Mode } from "../../src/chain/execute-tx.ts";
import { parseAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { parseGasPrices } from "../../src/codec/gas-price.ts";
import { PubKeySchema as Ed25519Schema } from "../../src/gen/cosmos/crypto/ed25519/keys_pb.ts";
import { LegacyAminoPubKeySchema } from "../../src/gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema } from "../../src/gen/cosmos/crypto/secp256k1/keys_pb.ts";
import type { SignMode } from "../../src/gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { type AuthInfo, AuthInfoSchema, ModeInfoSchema, TxRawSchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { baseOf, decodeAccount, getAccount, putAccount } from "../../src/state/account.ts";
import { createBranch } from "../../src/store/branch.ts";
import type { Reader } from "../../src/store/store.ts";
import { DEV_BLOCK, devState, withChanges } from "../harness/dev-state.ts";
import { DEV_CHAIN_ID, person, send, signerOf } from "../harness/dev-txs.ts";
import { aminoSignedTx, multisigAddress, multisigTx } from "../harness/other-signatures.ts";
import { signedTx, type TxDraft, type TxSigner, unsignedTx } from "../harness/signed-tx.ts";

let state: Reader;
let alice: TxSigner & { readonly address: string };
let bob: typeof alice;
/** Has no key in the state yet. */
let dave: typeof alice;

beforeAll(async () => {
  state = await devState();
  alice = await signerOf(state, person("alice"));
  bob = await signerOf(state, person("bob"));
  dave = await signerOf(state, person("dave"));
});

const draft = (more: Partial<TxDraft> = {}): TxDraft => ({
  chainId: DEV_CHAIN_ID,
  messages: [send(alice.address, bob.address, 5n)],
  signers: [alice],
  gasLimit: 200_000n,
  fee: [{ denom: "uorr", amount: "500" }],
  ...more,
});

/** `sdk 4 sentence`, or `ok`. */
async function verdict(
  raw: Bytes,
  mode: Mode = "deliver",
  block: Partial<BlockContext> = {},
  options: ExecuteOptions = {},
  base: Reader = state,
): Promise<string> {
  const { code, codespace, log } = await executeTx(base, { ...DEV_BLOCK, ...block }, raw, mode, options);
  return code === 0 ? "ok" : `${codespace} ${code} ${log}`;
}

/** The same transaction with other auth info; its signatures are then wrong, which most steps do not look at. */
function withAuthInfo(raw: Bytes, change: (info: AuthInfo) => unknown, signatures?: readonly Uint8Array[]): Bytes {
  const parts = fromBinary(TxRawSchema, raw);
  const info = fromBinary(AuthInfoSchema, parts.authInfoBytes);
  change(info);
  parts.authInfoBytes = toBinary(AuthInfoSchema, info) as Bytes;
  if (signatures !== undefined) parts.signatures = signatures.map((bytes) => bytes as Bytes);
  return toBinary(TxRawSchema, parts) as Bytes;
}

const FILLED = new Uint8Array(64).fill(1);

type Row = readonly [name: string, raw: () => Bytes, wanted: () => string];

describe("delivered", () => {
  test.each<Row>([
    ["a good one", () => signedTx(draft()), () => "ok"],
    [
      "a good first one, which brings its key",
      () => signedTx(draft({ signers: [dave], messages: [send(dave.address, bob.address, 1n)] })),
      () => "ok",
    ],
    ["signed over amino JSON", () => aminoSignedTx(draft({ memo: '<&> "é" \u2028 \b' })), () => "ok"],
    [
      "gas above that of a block",
      () => signedTx(draft({ gasLimit: 30_000_001n })),
      () => "sdk 41 tx gas limit 30000001 exceeds block max gas 30000000: invalid gas limit",
    ],
    [
      "no fee at all",
      () => withAuthInfo(signedTx(draft()), (info) => delete info.fee),
      () => "undefined 1 missing fee",
    ],
    [
      "a fee without an amount",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info.fee!.amount[0]!, { amount: "" })),
      () => "sdk 13 invalid fee provided: null: insufficient fee",
    ],
    [
      "a negative fee",
      () => signedTx(draft({ fee: [{ denom: "uorr", amount: "-5" }] })),
      () => "sdk 13 invalid fee provided: -5uorr: insufficient fee",
    ],
    [
      "a fee out of order",
      () =>
        signedTx(
          draft({
            fee: [
              { denom: "uorr", amount: "5" },
              { denom: "uatom", amount: "5" },
            ],
          }),
        ),
      () => "sdk 13 invalid fee amount: 5uorr,5uatom: insufficient fee",
    ],
    ["a fee of zero", () => signedTx(draft({ fee: [{ denom: "uorr", amount: "0" }] })), () => "ok"],
    [
      "a payer that is no address",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info.fee!, { payer: "cosmos1x" })),
      () => "sdk 7 Invalid fee payer address (decoding bech32 failed: invalid separator index 6): invalid address",
    ],
    [
      "a payer that did not sign",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info.fee!, { payer: bob.address })),
      () => "sdk 4 wrong number of signers; expected 2, got 1: unauthorized",
    ],
    [
      "a granter without a grant",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info.fee!, { granter: bob.address })),
      () => `sdk 38 ${bob.address} does not allow to pay fees for ${alice.address}: fee-grant not found: not found`,
    ],
    [
      "a granter that is no address",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info.fee!, { granter: "nobody" })),
      () =>
        "sdk 7 Invalid fee granter address (decoding bech32 failed: invalid bech32 string length 6): invalid address",
    ],
    [
      "no gas",
      () => signedTx(draft({ gasLimit: 0n })),
      () => "sdk 11 out of gas in location: ReadFlat; gasWanted: 0, gasUsed: 1000: out of gas",
    ],
    [
      "a memo of 257 bytes in fewer characters",
      () => signedTx(draft({ memo: `${"é".repeat(128)}x` })),
      () => "sdk 12 maximum number of characters is 256 but received 257 characters: memo too large",
    ],
    [
      "a timeout that has passed",
      () => signedTx(draft({ timeoutHeight: 4n })),
      () => "sdk 30 block height: 5, timeout height: 4: tx timeout height",
    ],
    ["a timeout at this very height", () => signedTx(draft({ timeoutHeight: 5n })), () => "ok"],
    [
      "a fee beyond the balance",
      () => signedTx(draft({ fee: [{ denom: "unothing", amount: "5" }] })),
      () => "sdk 5 spendable balance  is smaller than 5unothing: insufficient funds: insufficient funds",
    ],
    [
      "another one's key",
      () =>
        withAuthInfo(signedTx(draft()), (info) =>
          Object.assign(info.signerInfos[0]!, { publicKey: keyOf(bob.publicKey) }),
        ),
      () => `sdk 8 pubKey does not match signer address ${alice.address} with signer index: 0: invalid pubkey`,
    ],
    [
      "a key of a wrong length",
      () =>
        withAuthInfo(signedTx(draft()), (info) =>
          Object.assign(info.signerInfos[0]!, { publicKey: keyOf(new Uint8Array(32)) }),
        ),
      () => "sdk 8 a public key of 32 bytes, expected 33: invalid pubkey",
    ],
    [
      "a first one that does not bring its key",
      () =>
        withAuthInfo(
          signedTx(draft({ signers: [dave], messages: [send(dave.address, bob.address, 1n)] })),
          (info) => delete info.signerInfos[0]!.publicKey,
        ),
      () => "sdk 8 unrecognized public key type: <nil>: invalid pubkey",
    ],
    [
      "a sender without an account",
      () => signedTx(draft({ messages: [send(multisigAddress({ threshold: 1, members: [alice] }), bob.address, 1n)] })),
      () => {
        const nobody = multisigAddress({ threshold: 1, members: [alice] });
        return `sdk 9 fee payer address: ${nobody} does not exist: unknown address`;
      },
    ],
    [
      "a sequence too high",
      () => signedTx(draft({ signers: [{ ...alice, sequence: alice.sequence + 1n }] })),
      () =>
        `sdk 32 account sequence mismatch, expected ${alice.sequence}, got ${alice.sequence + 1n}: incorrect account sequence`,
    ],
    [
      "a signature for another chain",
      () => signedTx(draft({ chainId: "other-1" })),
      () =>
        `sdk 4 signature verification failed; please verify account number (${alice.accountNumber}) and chain-id (orrery-1): unauthorized`,
    ],
    [
      "an amino signature for another chain",
      () => aminoSignedTx(draft({ chainId: "other-1" })),
      () =>
        `sdk 4 signature verification failed; please verify account number (${alice.accountNumber}), sequence (${alice.sequence}) and chain-id (orrery-1): unauthorized`,
    ],
    [
      "no mode",
      () => withAuthInfo(signedTx(draft()), (info) => delete info.signerInfos[0]!.modeInfo),
      () => "undefined 1 got empty SignatureData",
    ],
    [
      "an empty mode",
      () =>
        withAuthInfo(signedTx(draft()), (info) =>
          Object.assign(info.signerInfos[0]!, { modeInfo: create(ModeInfoSchema) }),
        ),
      () => "sdk 18 the mode info names neither a single nor a multi mode: invalid request",
    ],
    [
      "a mode that nobody can sign in",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info.signerInfos[0]!, { modeInfo: single(2) })),
      () =>
        `sdk 4 signature verification failed; please verify account number (${alice.accountNumber}) and chain-id (orrery-1): unauthorized`,
    ],
    [
      "fewer signer infos than signers",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info, { signerInfos: [] })),
      () => "sdk 4 invalid number of signer;  expected: 1, got 0: unauthorized",
    ],
    [
      "more signer infos than signers",
      () => withAuthInfo(signedTx(draft()), (info) => void info.signerInfos.push(info.signerInfos[0]!)),
      () => "sdk 18 2 signer infos for 1 signers: invalid request",
    ],
    [
      "a key of eight members",
      () => withAuthInfo(signedTx(draft()), (info) => Object.assign(info.signerInfos[0]!, { publicKey: manyKeys(8) })),
      () => `sdk 8 pubKey does not match signer address ${alice.address} with signer index: 0: invalid pubkey`,
    ],
  ])("%s", async (_name, raw, wanted) => {
    expect(await verdict(raw())).toBe(wanted());
  });

  test("an ed25519 account is refused, and pays for the attempt", async () => {
    const branch = createBranch(state);
    const account = decodeAccount((await getAccount(state, parseAddress(alice.address, "cosmos")))!);
    baseOf(account).pubKey = packAny(Ed25519Schema, create(Ed25519Schema, { key: new Uint8Array(32) }));
    putAccount(branch, parseAddress(alice.address, "cosmos"), account);
    const refused = await verdict(signedTx(draft()), "deliver", {}, {}, branch);
    expect(refused).toBe("sdk 8 ED25519 public keys are unsupported: invalid pubkey");
  });

  test("the same transaction does not count twice", async () => {
    const raw = signedTx(draft());
    const first = await executeTx(state, DEV_BLOCK, raw, "deliver");
    const again = await verdict(raw, "deliver", {}, {}, withChanges(state, first.changes));
    const { sequence } = alice;
    expect(again).toBe(
      `sdk 32 account sequence mismatch, expected ${sequence + 1n}, got ${sequence}: incorrect account sequence`,
    );
  });
});

describe("a multisig account", () => {
  const multisig = { threshold: 2, members: ["alice", "bob", "carol"].map(person) };
  const from = { ...person("alice"), address: multisigAddress(multisig) };
  const txOf = async (signing: readonly number[], threshold = 2) => {
    const account = await signerOf(state, from);
    const messages = [send(from.address, bob.address, 3n)];
    return multisigTx({ ...draft(), messages }, { ...multisig, threshold }, signing, account);
  };

  test.each([[[0, 1]], [[0, 2]], [[1, 2]], [[0, 1, 2]]])("members %p sign", async (signing) => {
    expect(await verdict(await txOf(signing))).toBe("ok");
  });

  test("one of two is too few", async () => {
    expect(await verdict(await txOf([1]))).toStartWith("sdk 4 signature verification failed");
  });

  test("another threshold is another key", async () => {
    expect(await verdict(await txOf([1], 1))).toStartWith("sdk 8 pubKey does not match signer address");
  });

  test("bits without signatures, and a single signature, are refused in words", async () => {
    const raw = await txOf([0, 1]);
    const extra = (info: AuthInfo) => {
      const { sum } = info.signerInfos[0]!.modeInfo!;
      if (sum.case === "multi") sum.value.bitarray!.elems = Uint8Array.of(0xe0);
    };
    expect(await verdict(withAuthInfo(raw, extra))).toBe(
      "sdk 18 bit 2 is set, but its signature is missing: invalid request",
    );
    const alone = (info: AuthInfo) => Object.assign(info.signerInfos[0]!, { modeInfo: single(1) });
    expect(await verdict(withAuthInfo(raw, alone))).toBe(
      "undefined 1 expected *signing.MultiSignatureData, got, *signing.SingleSignatureData",
    );
  });
});

describe("the other modes", () => {
  test("a check runs no message, and keeps fee and sequence", async () => {
    const raw = signedTx(draft({ messages: [send(alice.address, bob.address, 10n ** 30n)] }));
    const { code, log, changes, data } = await executeTx(state, DEV_BLOCK, raw, "check");
    expect([code, log, data.length]).toEqual([0, "[]", 0]);
    expect(changes.length).toBeGreaterThan(0);
  });

  test.each<[prices: string, fee: [denom: string, amount: string][], wanted: string]>([
    ["0.025uorr", [["uorr", "5000"]], "ok"],
    ["0.025uorr", [["uorr", "4999"]], "got: 4999uorr required: 5000uorr"],
    ["0.0250000000001uorr", [["uorr", "5000"]], "got: 5000uorr required: 5001uorr"],
    ["0.025uorr", [], "got:  required: 5000uorr"],
    ["0.025uorr", [["upoint", "999"]], "got: 999upoint required: 5000uorr"],
    ["0.5ucred,0.025uorr", [["uorr", "5000"]], "ok"],
    ["0.5ucred,0.025uorr", [["upoint", "1"]], "got: 1upoint required: 100000ucred,5000uorr"],
    ["0uorr", [], "ok"],
  ])("gas at %s, offered %p", async (prices, fee, wanted) => {
    const minGasPrices = parseGasPrices(prices)!;
    const raw = signedTx(draft({ fee: fee.map(([denom, amount]) => ({ denom, amount })) }));
    const sentence = wanted === "ok" ? "ok" : `sdk 13 insufficient fees; ${wanted}: insufficient fee`;
    expect(await verdict(raw, "check", {}, { minGasPrices })).toBe(sentence);
    expect(await verdict(raw, "recheck", {}, { minGasPrices })).toBe(sentence);
    // The price is the node's own: what is in a block is executed, and a simulation is free.
    expect(await verdict(raw, "deliver", {}, { minGasPrices })).toBe("ok");
    expect(await verdict(raw, "simulate", {}, { minGasPrices })).toBe("ok");
  });

  test("a recheck looks at the sequence, but not at signatures again", async () => {
    const otherChain = signedTx(draft({ chainId: "other-1" }));
    expect(await verdict(otherChain, "check")).toStartWith("sdk 4 signature verification failed");
    expect(await verdict(otherChain, "recheck")).toBe("ok");
    const late = signedTx(draft({ signers: [{ ...alice, sequence: 99n }] }));
    expect(await verdict(late, "recheck")).toStartWith("sdk 32 account sequence mismatch");
  });

  test("a recheck does not judge the form again, and still throws at nothing", async () => {
    const raw = withAuthInfo(signedTx(draft()), (info) => Object.assign(info.fee!, { payer: "nobody" }));
    expect(await verdict(raw, "recheck")).toBe("undefined 1 decoding bech32 failed: invalid bech32 string length 6");
  });

  test("a simulation wants no key and no signature, but the sequence, unless it is told not to", async () => {
    const raw = unsignedTx(draft({ signers: [{ ...bob, sequence: 99n, accountNumber: 0n }] }));
    expect(await verdict(raw, "simulate")).toStartWith("sdk 32 account sequence mismatch");
    expect(await verdict(raw, "simulate", {}, { skipSequenceCheck: true })).toBe("ok");
    const { facts } = await executeTx(state, DEV_BLOCK, raw, "simulate");
    expect(facts).toEqual({ expectedSequence: alice.sequence });
  });

  test("eight keys are too many, also for a simulation", async () => {
    const raw = withAuthInfo(
      unsignedTx(draft()),
      (info) => Object.assign(info.signerInfos[0]!, { publicKey: manyKeys(8) }),
      [FILLED],
    );
    expect(await verdict(raw, "simulate")).toBe(
      "sdk 14 signatures: 8, limit: 7: maximum number of signatures exceeded",
    );
  });
});

function keyOf(key: Uint8Array) {
  return packAny(PubKeySchema, create(PubKeySchema, { key: key as Bytes }));
}

function manyKeys(count: number) {
  const publicKeys = Array.from({ length: count }, (_, i) => keyOf(new Uint8Array(33).fill(i + 1)));
  return packAny(LegacyAminoPubKeySchema, create(LegacyAminoPubKeySchema, { threshold: 1, publicKeys }));
}

function single(mode: number) {
  return create(ModeInfoSchema, { sum: { case: "single", value: { mode: mode as SignMode } } });
}
