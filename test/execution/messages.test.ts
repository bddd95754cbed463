// Bank and vesting messages in a transaction: what they refuse, what they leave behind, and what they tell.

import { beforeAll, describe, expect, test } from "bun:test";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { executeTx, type TxOutcome } from "../../src/chain/execute-tx.ts";
import { encodeAddress, parseAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import { moduleAddress } from "../../src/codec/key-address.ts";
import { MsgMultiSendSchema, MsgSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { MsgDelegateSchema } from "../../src/gen/cosmos/staking/v1beta1/tx_pb.ts";
import {
  MsgCreatePeriodicVestingAccountSchema as Periodic,
  MsgCreatePermanentLockedAccountSchema as Permanent,
  MsgCreateVestingAccountSchema as Vesting,
} from "../../src/gen/cosmos/vesting/v1beta1/tx_pb.ts";
import { decodeAccount, getAccount } from "../../src/state/account.ts";
import { getBalance, putSendEnabled } from "../../src/state/bank.ts";
import { createBranch } from "../../src/store/branch.ts";
import type { Reader } from "../../src/store/store.ts";
import { DEV_BLOCK, devState, withChanges } from "../harness/dev-state.ts";
import { DEV_CHAIN_ID, person, signerOf } from "../harness/dev-txs.ts";
import { signedTx } from "../harness/signed-tx.ts";

const ALICE = person("alice").address;
const BOB = person("bob").address;
const NEW = encodeAddress("cosmos", new Uint8Array(20).fill(7));
const COINS = [{ denom: "uorr", amount: "60" }];

let state: Reader;

beforeAll(async () => {
  const branch = createBranch(await devState());
  putSendEnabled(branch, "ufrozen", false);
  state = branch;
});

const message = <D extends DescMessage>(desc: D, init: MessageInitShape<D>): Any => packAny(desc, create(desc, init));

async function run(...messages: Any[]): Promise<TxOutcome> {
  const signer = await signerOf(state, person("alice"));
  const raw = signedTx({ chainId: DEV_CHAIN_ID, messages, signers: [signer], gasLimit: 500_000n });
  return executeTx(state, DEV_BLOCK, raw, "deliver");
}

const send = (init: MessageInitShape<typeof MsgSendSchema>) =>
  message(MsgSendSchema, { fromAddress: ALICE, toAddress: BOB, amount: COINS, ...init } as typeof init);
const vesting = (init: MessageInitShape<typeof Vesting>) =>
  message(Vesting, { fromAddress: ALICE, toAddress: NEW, amount: COINS, endTime: 9n, ...init } as typeof init);
const permanent = (init: MessageInitShape<typeof Permanent>) =>
  message(Permanent, { fromAddress: ALICE, toAddress: NEW, amount: COINS, ...init } as typeof init);
const periodic = (init: MessageInitShape<typeof Periodic>) =>
  message(Periodic, {
    fromAddress: ALICE,
    toAddress: NEW,
    startTime: 100n,
    vestingPeriods: [{ length: 5n, amount: COINS }],
    ...init,
  } as typeof init);
const multi = (inputs: readonly Party[], outputs: readonly Party[]) =>
  message(MsgMultiSendSchema, { inputs: inputs.map(party), outputs: outputs.map(party) });
type Party = readonly [address: string, amount: string, denom?: string];
const party = ([address, amount, denom = "uorr"]: Party) => ({ address, coins: [{ denom, amount }] });

const EMPTY_ADDRESS = "empty address string is not allowed";
const collector = encodeAddress("cosmos", moduleAddress("fee_collector"));
const failed = "failed to execute message; message index: 0: ";

describe("refused", () => {
  test.each<[verdict: string, message: () => Any]>([
    [`sdk 7 invalid from address: ${EMPTY_ADDRESS}: invalid address`, () => send({ fromAddress: "" })],
    [`sdk 7 invalid to address: ${EMPTY_ADDRESS}: invalid address`, () => send({ toAddress: " " })],
    ["sdk 10 : invalid coins", () => send({ amount: [] })],
    ["sdk 10 0uorr: invalid coins", () => send({ amount: [{ denom: "uorr", amount: "0" }] })],
    ["sdk 10 -1uorr: invalid coins", () => send({ amount: [{ denom: "uorr", amount: "-1" }] })],
    ["sdk 10 1x: invalid coins", () => send({ amount: [{ denom: "x", amount: "1" }] })],
    ["sdk 10 uorr without an amount: invalid coins", () => send({ amount: [{ denom: "uorr", amount: "" }] })],
    [`sdk 4 ${failed}${collector} is not allowed to receive funds: unauthorized`, () => send({ toAddress: collector })],
    [
      `bank 5 ${failed}ufrozen transfers are currently disabled: send transactions are disabled`,
      () => send({ amount: [{ denom: "ufrozen", amount: "1" }] }),
    ],
    [
      `sdk 5 ${failed}spendable balance  is smaller than 1unothing: insufficient funds`,
      () => send({ amount: [{ denom: "unothing", amount: "1" }] }),
    ],
    ["bank 2 no inputs to send transaction", () => multi([], [[BOB, "1"]])],
    [
      "bank 9 multiple senders not allowed",
      () =>
        multi(
          [
            [ALICE, "1"],
            [BOB, "1"],
          ],
          [[BOB, "2"]],
        ),
    ],
    ["bank 3 no outputs to send transaction", () => multi([[ALICE, "1"]], [])],
    [
      "bank 4 sum inputs != sum outputs",
      () =>
        multi(
          [[ALICE, "3"]],
          [
            [BOB, "1"],
            [NEW, "1"],
          ],
        ),
    ],
    ["bank 4 sum inputs != sum outputs", () => multi([[ALICE, "3"]], [[BOB, "3", "uatom"]])],
    [`sdk 7 invalid input address: ${EMPTY_ADDRESS}: invalid address`, () => multi([["", "1"]], [[BOB, "1"]])],
    [`sdk 7 invalid output address: ${EMPTY_ADDRESS}: invalid address`, () => multi([[ALICE, "1"]], [["", "1"]])],
    ["sdk 10 0uorr: invalid coins", () => multi([[ALICE, "1"]], [[BOB, "0"]])],
    [
      `sdk 4 ${failed}${collector} is not allowed to receive funds: unauthorized`,
      () => multi([[ALICE, "1"]], [[collector, "1"]]),
    ],
    [`sdk 7 invalid 'from' address: ${EMPTY_ADDRESS}: invalid address`, () => vesting({ fromAddress: "" })],
    [`sdk 7 invalid 'to' address: ${EMPTY_ADDRESS}: invalid address`, () => vesting({ toAddress: "" })],
    ["sdk 18 invalid end time: invalid request", () => vesting({ endTime: -1n })],
    [`sdk 18 ${failed}account ${BOB} already exists: invalid request`, () => vesting({ toAddress: BOB })],
    [`sdk 7 invalid sender address: ${EMPTY_ADDRESS}: invalid address`, () => permanent({ fromAddress: "" })],
    [`sdk 7 invalid recipient address: ${EMPTY_ADDRESS}: invalid address`, () => permanent({ toAddress: "" })],
    ["sdk 10 : invalid coins", () => permanent({ amount: [] })],
    [`undefined 1 ${EMPTY_ADDRESS}`, () => periodic({ toAddress: "" })],
    ["undefined 1 invalid start time of 0, length must be greater than 0", () => periodic({ startTime: 0n })],
    [
      "undefined 1 invalid period length of 0 in period 0, length must be greater than 0",
      () => periodic({ vestingPeriods: [{ length: 0n, amount: COINS }] }),
    ],
    ["sdk 10 : invalid coins", () => periodic({ vestingPeriods: [{ length: 1n, amount: [] }] })],
    [
      "sdk 18 the periods end beyond the last second that can be stored: invalid request",
      () => periodic({ vestingPeriods: [{ length: 2n ** 63n - 1n, amount: COINS }] }),
    ],
    [`sdk 18 ${failed}account ${BOB} already exists: invalid request`, () => periodic({ toAddress: BOB })],
    [
      "sdk 6 can't route message /cosmos.staking.v1beta1.MsgDelegate: unknown request",
      () => message(MsgDelegateSchema, {}),
    ],
  ])("%s", async (verdict, make) => {
    const { code, codespace, log, data } = await run(make());
    expect(`${codespace} ${code} ${log}`).toBe(verdict);
    expect(data.length).toBe(0);
  });

  test("the second message takes the first one back, but not fee and sequence", async () => {
    const { code, log, facts, changes } = await run(send({}), send({ amount: [{ denom: "unothing", amount: "1" }] }));
    expect([code, facts]).toEqual([5, { messageIndex: 1 }]);
    expect(log).toStartWith("failed to execute message; message index: 1: spendable balance  is smaller");
    const after = withChanges(state, changes);
    const balance = (reader: Reader) => getBalance(reader, parseAddress(BOB, "cosmos"), "uorr");
    expect(await balance(after)).toBe(await balance(state));
    const { sequence } = await signerOf(state, person("alice"));
    expect((await signerOf(after, person("alice"))).sequence).toBe(sequence + 1n);
  });
});

describe("a created vesting account", () => {
  const created = async (make: Any) => {
    const outcome = await run(make);
    expect(outcome.log).toStartWith("[{");
    const after = withChanges(state, outcome.changes);
    const account = decodeAccount((await getAccount(after, parseAddress(NEW, "cosmos")))!);
    return { account, balance: await getBalance(after, parseAddress(NEW, "cosmos"), "uorr"), outcome };
  };
  const original = expect.objectContaining({
    originalVesting: [expect.objectContaining(COINS[0]!)],
    delegatedFree: [],
    delegatedVesting: [],
  });

  test("continuous, from the time of the block", async () => {
    const { account, balance } = await created(vesting({ endTime: 2_000_000_000n }));
    expect(account).toMatchObject({
      $typeName: "cosmos.vesting.v1beta1.ContinuousVestingAccount",
      startTime: DEV_BLOCK.time.seconds,
      baseVestingAccount: { endTime: 2_000_000_000n },
    });
    expect(account).toMatchObject({ baseVestingAccount: original });
    expect(balance).toBe(60n);
  });

  test("delayed, also with an end that has passed", async () => {
    const { account } = await created(vesting({ endTime: 1n, delayed: true }));
    expect(account).toMatchObject({
      $typeName: "cosmos.vesting.v1beta1.DelayedVestingAccount",
      baseVestingAccount: { endTime: 1n },
    });
  });

  test("locked for good", async () => {
    const { account } = await created(permanent({}));
    expect(account).toMatchObject({
      $typeName: "cosmos.vesting.v1beta1.PermanentLockedAccount",
      baseVestingAccount: { endTime: 0n },
    });
  });

  test("periodic: the periods add up", async () => {
    const vestingPeriods = [
      { length: 5n, amount: [{ denom: "uorr", amount: "1" }] },
      { length: 7n, amount: [{ denom: "uorr", amount: "2" }] },
    ];
    const { account, balance } = await created(periodic({ vestingPeriods }));
    expect(account).toMatchObject({
      $typeName: "cosmos.vesting.v1beta1.PeriodicVestingAccount",
      startTime: 100n,
      baseVestingAccount: { endTime: 112n, originalVesting: [{ denom: "uorr", amount: "3" }] },
    });
    expect(balance).toBe(3n);
  });

  test("without periods it is made all the same, and the events tell of no coins", async () => {
    const { balance, outcome } = await created(periodic({ vestingPeriods: [] }));
    expect(balance).toBe(0n);
    const spent = outcome.events.findLast(({ type }) => type === "coin_spent")!;
    expect(spent.attributes[1]).toEqual({ key: "amount", value: "", index: true });
    // The log leaves an empty value out.
    expect(outcome.log).toContain(
      `{"type":"coin_spent","attributes":[{"key":"spender","value":"${ALICE}"},{"key":"amount"}]}`,
    );
  });
});

test("an address in capitals is the same account; blocked texts and multi sends repeat it as it was written", async () => {
  const upper = BOB.toUpperCase();
  const sent = await run(send({ toAddress: upper }));
  expect(sent.events.findLast(({ type }) => type === "transfer")!.attributes[0]!.value).toBe(BOB);
  const many = await run(multi([[ALICE, "2"]], [[upper, "2"]]));
  expect(many.events.findLast(({ type }) => type === "transfer")!.attributes[0]!.value).toBe(upper);
  expect(many.events.findLast(({ type }) => type === "coin_received")!.attributes[0]!.value).toBe(BOB);
  expect((await run(send({ toAddress: collector.toUpperCase() }))).log).toContain(
    `${collector.toUpperCase()} is not allowed`,
  );
});

test("the governance account takes coins", async () => {
  expect((await run(send({ toAddress: encodeAddress("cosmos", moduleAddress("gov")) }))).code).toBe(0);
});

test("a simulation has an end, also where its messages have none", async () => {
  const outputs = Array.from({ length: 2_700 }, (_, i): Party => {
    const bytes = new Uint8Array(20).fill(9);
    new DataView(bytes.buffer).setUint32(0, i);
    return [encodeAddress("cosmos", bytes), "1"];
  });
  const signer = await signerOf(state, person("alice"));
  const messages = [multi([[ALICE, "2700"]], outputs)];
  const raw = signedTx({ chainId: DEV_CHAIN_ID, messages, signers: [signer], gasLimit: 1n });
  expect(raw.length).toBeLessThan(192 * 1024);
  const { code, log, gasWanted, gasUsed } = await executeTx(state, DEV_BLOCK, raw, "simulate");
  expect([code, gasWanted]).toEqual([11, 2n ** 64n - 1n]);
  expect(gasUsed).toBeGreaterThan(50_000_000n);
  expect(gasUsed).toBeLessThan(50_010_000n);
  expect(log).toMatch(/^out of gas in location: \w+; gasWanted: 50000000, gasUsed: \d+: out of gas$/);
});
