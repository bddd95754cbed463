// A good transaction on the recorded state, run with every gas limit at which it stops somewhere else: the ledger of
// its charges is the documented one, and each stop reports its place and what was used.

import { beforeAll, describe, expect, test } from "bun:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { BlockContext } from "../../src/chain/context.ts";
import { executeTx, type TxOutcome } from "../../src/chain/execute-tx.ts";
import { verifySecp256k1 } from "../../src/chain/secp256k1.ts";
import { packAny } from "../../src/codec/any.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { directSignBytes } from "../../src/codec/sign-doc.ts";
import { WireWriter } from "../../src/codec/wire.ts";
import { PubKeySchema } from "../../src/gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { SignerInfoSchema, TxBodySchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { getBlockMeta } from "../../src/state/block.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import type { Snapshot } from "../../src/store/store.ts";
import { send } from "../harness/dev-txs.ts";
import { readFixture } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { rawTx } from "../harness/signed-tx.ts";

type Keys = { readonly people: Record<string, { readonly mnemonic: string; readonly address: string }> };

const { alice, bob } = readFixture<Keys>("keys.json").people as Record<"alice" | "bob", Keys["people"][string]>;
const secret = HDKey.fromMasterSeed(mnemonicToSeedSync(alice.mnemonic)).derive("m/44'/118'/0'/0/0").privateKey!;

/** tx-execution.md, 9.3, without what a simulation adds: what is charged for each access, in order. */
const LEDGER: readonly (readonly [gas: number, ...places: string[]])[] = [
  [1042, ...read(1, 13)],
  [3120, "txSize"],
  // The fee: payer, collector, locked coins, the payer's balance down, the collector's up.
  [1534, ...read(21, 157)],
  [1378, ...read(21, 105)],
  [1534, ...read(21, 157)],
  [1114, ...read(26, 12)],
  [3140, ...write(26, 12)],
  [1000, "Has"],
  [1078, ...read(26, 0)],
  [2870, ...write(26, 3)],
  [1000, "Has"],
  [2840, ...write(27, 1)],
  [1000, "Has"],
  // Key, number of keys, cost of the signature, sequence, its raise.
  [1534, ...read(21, 157)],
  [1042, ...read(1, 13)],
  [1042, ...read(1, 13)],
  [1534, ...read(21, 157)],
  [1000, "ante verify: secp256k1"],
  [1534, ...read(21, 157)],
  [1534, ...read(21, 157)],
  [7340, ...write(21, 157)],
  [3230, ...write(21, 20)],
  // The message.
  [1009, ...read(1, 2)],
  [1000, "Has"],
  [1534, ...read(21, 157)],
  [1114, ...read(26, 12)],
  [3140, ...write(26, 12)],
  [1000, "Has"],
  [1099, ...read(26, 7)],
  [2990, ...write(26, 7)],
  [1000, "Has"],
  [1000, "Has"],
];
const TOTAL = BigInt(LEDGER.reduce((sum, [gas]) => sum + gas, 0));
/** What is used before the message begins. */
const ANTE = BigInt(LEDGER.slice(0, 22).reduce((sum, [gas]) => sum + gas, 0));

let state: Snapshot;
let block: BlockContext;

beforeAll(async () => {
  const store = openMemoryStore({ keep: "all" });
  await loadRecording(store);
  state = store.at(66n);
  const { time } = await getBlockMeta(state, 66n);
  const rules = { bech32Prefix: "cosmos", maxGas: -1n, gasLeft: null, verify: verifySecp256k1 };
  block = { ...rules, chainId: "reference-1", height: 67n, time };
});

const run = (gasLimit: bigint): Promise<TxOutcome> => executeTx(state, block, txWithLimit(gasLimit), "deliver");

test("the whole transaction uses what the ledger adds up to, and exactly that much gas is enough", async () => {
  for (const limit of [200_000n, TOTAL]) {
    const { code, log, gasUsed, gasWanted } = await run(limit);
    expect([code, gasUsed, gasWanted]).toEqual([0, TOTAL, limit]);
    expect(log).toStartWith("[{");
  }
});

describe("at every boundary", () => {
  test("the charges are those of the ledger", async () => {
    const steps = LEDGER.flatMap(([, ...places]) => places);
    expect(await chargesUntilDone()).toEqual(steps);
  });

  test("a limit that is one too small stops at the same place", async () => {
    let limit = 0n;
    while (limit < TOTAL) {
      const { gasUsed, log } = await run(limit);
      const justBelow = await run(gasUsed - 1n);
      expect(justBelow.gasUsed).toBe(gasUsed);
      expect(placeOf(justBelow)).toBe(/location: (.*);/.exec(log)![1]!);
      limit = gasUsed;
    }
  });

  test("before the message nothing is kept, after that fee, key and sequence are", async () => {
    const early = await run(ANTE - 1n);
    expect([early.code, early.changes.length, early.events.length]).toEqual([11, 0, 0]);
    const late = await run(ANTE);
    expect([late.code, late.codespace, late.gasUsed]).toEqual([11, "sdk", ANTE + 1000n]);
    expect(late.changes.length).toBeGreaterThan(0);
    expect(late.events.map(({ type }) => type)).toEqual([
      "coin_spent",
      "coin_received",
      "transfer",
      "message",
      "tx",
      "tx",
      "tx",
    ]);
    const paid = late.events[4]!.attributes.map(({ key, value }) => [key, value]);
    expect(paid).toEqual([
      ["fee", "500uorr"],
      ["fee_payer", alice.address],
    ]);
  });
});

/** The places where it stops, one after the other: each limit is what the stop before had used. */
async function chargesUntilDone(): Promise<string[]> {
  const places: string[] = [];
  let limit = 0n;
  for (;;) {
    const outcome = await run(limit);
    if (outcome.code === 0) return places;
    expect(outcome.gasUsed).toBeGreaterThan(limit);
    places.push(placeOf(outcome));
    limit = outcome.gasUsed;
  }
}

function placeOf({ code, log, gasWanted, gasUsed }: TxOutcome): string {
  const place = /^out of gas in location: (.*); gasWanted: (\d+), gasUsed: (\d+): out of gas$/.exec(log);
  expect([code, place?.[2], place?.[3]]).toEqual([11, String(gasWanted), String(gasUsed)]);
  return place![1]!;
}

/** A read of nothing has no third charge that could stop it: an empty value costs nothing. */
function read(_key: number, value: number): string[] {
  return value === 0 ? ["ReadFlat", "ReadPerByte"] : ["ReadFlat", "ReadPerByte", "ReadPerByte"];
}

function write(_key: number, _value: number): string[] {
  return ["WriteFlat", "WritePerByte", "WritePerByte"];
}

/** The limit always takes three bytes, more than it needs for small ones, so that all of them are of one size. */
function txWithLimit(gasLimit: bigint): Bytes {
  const body = create(TxBodySchema, { messages: [send(alice.address, bob.address, 1n)] });
  const bodyBytes = toBinary(TxBodySchema, body) as Bytes;
  const publicKey = packAny(PubKeySchema, create(PubKeySchema, { key: secp256k1.getPublicKey(secret) }));
  const signer = create(SignerInfoSchema, {
    publicKey,
    modeInfo: { sum: { case: "single", value: { mode: 1 } } },
    sequence: 17n,
  });
  const coin = new WireWriter().stringField(1, "uorr").stringField(2, "500").finish();
  const limit = Number(gasLimit);
  const digits = Uint8Array.of((limit & 127) | 128, ((limit >> 7) & 127) | 128, limit >> 14);
  const fee = new WireWriter().messageField(1, coin).tag(2, 0).raw(digits).finish();
  const authInfo = new WireWriter().messageField(1, toBinary(SignerInfoSchema, signer) as Bytes).messageField(2, fee);
  const authInfoBytes = authInfo.finish();
  const signed = directSignBytes(bodyBytes, authInfoBytes, { chainId: "reference-1", accountNumber: 0n });
  return rawTx(bodyBytes, authInfoBytes, [secp256k1.sign(sha256(signed), secret, { prehash: false })]);
}
