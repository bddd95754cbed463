// Blocks: transactions one after the other, the gas of a block, and the fees that move on.

import { beforeAll, describe, expect, test } from "bun:test";
import { createExecuteBlock } from "../../src/chain/execute-block.ts";
import { executeTx } from "../../src/chain/execute-tx.ts";
import { verifySecp256k1 } from "../../src/chain/secp256k1.ts";
import { encodeAddress, parseAddress } from "../../src/codec/address.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { moduleAddress } from "../../src/codec/key-address.ts";
import { decodeAccount, getAccount } from "../../src/state/account.ts";
import { getBalance } from "../../src/state/bank.ts";
import { createBranch } from "../../src/store/branch.ts";
import type { Reader } from "../../src/store/store.ts";
import { DEV_BLOCK, devState } from "../harness/dev-state.ts";
import { DEV_CHAIN_ID, person, send, sendTx, signerOf } from "../harness/dev-txs.ts";
import { signedTx } from "../harness/signed-tx.ts";

let state: Reader;

beforeAll(async () => {
  state = await devState();
});

const blocks = (maxGas = -1n) => createExecuteBlock({ bech32Prefix: "cosmos", maxGas, verify: verifySecp256k1 });
const header = (height: bigint) => ({
  chainId: DEV_CHAIN_ID,
  height,
  time: DEV_BLOCK.time,
  proposerAddress: new Uint8Array(20),
});

/** `count` sends of one account, one sequence after the other. */
async function sends(count: number, gasLimit = 200_000n): Promise<Bytes[]> {
  const alice = await signerOf(state, person("alice"));
  return Array.from({ length: count }, (_, i) => {
    const signer = { ...alice, sequence: alice.sequence + BigInt(i) };
    return sendTx(signer, person("bob"), 10n, { gasLimit });
  });
}

test("each transaction sees those before it, and bytes that are none change nothing", async () => {
  const branch = createBranch(state);
  const [first, second] = (await sends(2)) as [Bytes, Bytes];
  const { results } = await blocks()(branch, header(2n), [first, Uint8Array.of(1, 2, 3), first, second]);
  expect(results.map(({ code, codespace }) => `${codespace} ${code}`)).toEqual([" 0", "sdk 2", "sdk 32", " 0"]);
  expect(results[1]).toMatchObject({
    gasWanted: 0n,
    gasUsed: 0n,
    events: [],
    log: expect.stringContaining("tx parse error"),
  });
  // Only the first fee of a block finds the collector empty, and pays for its entry.
  expect(results[0]!.gasUsed - results[3]!.gasUsed).toBeGreaterThan(2000n);
  const bob = (await signerOf(state, person("bob"))).address;
  expect(
    results[0]!.events.some(({ attributes }) => attributes.some(({ value, index }) => value === bob && index)),
  ).toBe(true);
});

test("gas above 63 bits is refused, and its record wraps as the reference's does", async () => {
  const alice = await signerOf(state, person("alice"));
  const messages = [send(alice.address, person("bob").address, 1n)];
  const raw = signedTx({ chainId: DEV_CHAIN_ID, messages, signers: [alice], gasLimit: (1n << 64n) - 1n });
  const { results } = await blocks()(createBranch(state), header(2n), [raw]);
  expect(results[0]).toMatchObject({ code: 18, gasWanted: -1n, gasUsed: 0n });
  expect(results[0]!.log).toBe("invalid gas supplied; 18446744073709551615 > 9223372036854775807: invalid request");
});

describe("the gas of a block", () => {
  test("may be used up exactly; then nothing more is looked at", async () => {
    const txs = await sends(3, 100_000n);
    const free = await blocks()(createBranch(state), header(2n), txs);
    const [first, second] = free.results.map(({ gasUsed }) => gasUsed) as [bigint, bigint];
    const { results } = await blocks(first + second)(createBranch(state), header(2n), txs);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 11]);
    expect(results[2]).toMatchObject({
      codespace: "sdk",
      log: "no block gas left to run tx: out of gas",
      gasWanted: 0n,
      gasUsed: 0n,
      events: [],
    });
  });

  test("is passed: messages are undone, fee and sequence stay", async () => {
    // More gas than one of them asks for, or it would be refused for that, and less than three of them use.
    const branch = createBranch(state);
    const { results } = await blocks(150_000n)(branch, header(2n), await sends(3, 150_000n));
    const passing = results.findIndex(({ code }) => code === 11);
    const { log, gasWanted, gasUsed, events } = results[passing]!;
    expect(log).toBe(
      `out of gas in location: block gas meter; gasWanted: ${gasWanted}, gasUsed: ${gasUsed}: out of gas`,
    );
    expect(events.map(({ type }) => type)).toContain("tx");
    const bob = parseAddress(person("bob").address, "cosmos");
    const delivered = results.filter(({ code }) => code === 0).length;
    expect(await getBalance(branch, bob, "uorr")).toBe(
      (await getBalance(state, bob, "uorr")) + 10n * BigInt(delivered),
    );
    expect(await getBalance(branch, moduleAddress("fee_collector"), "uorr")).toBe(500n * BigInt(passing + 1));
  });
});

describe("a transaction that fails, and also takes more than the block has left, fails for the latter", () => {
  test.each([
    ["in its messages", 0n, 10n ** 30n, 5],
    ["before them", 7n, 1n, 32],
  ])("%s", async (_name, ahead, amount, ownCode) => {
    const alice = await signerOf(state, person("alice"));
    const raw = sendTx({ ...alice, sequence: alice.sequence + ahead }, person("bob"), amount);
    const run = (gasLeft: bigint | null) => executeTx(state, { ...DEV_BLOCK, gasLeft }, raw, "deliver");
    const free = await run(null);
    const enough = await run(free.gasUsed);
    const tooLittle = await run(free.gasUsed - 1n);
    expect([free.code, enough.code, tooLittle.code]).toEqual([ownCode, ownCode, 11]);
    expect(tooLittle.log).toStartWith("out of gas in location: block gas meter;");
    expect([tooLittle.events, tooLittle.changes]).toEqual([free.events, free.changes]);
  });
});

describe("fees", () => {
  test("move on to distribution in the next block, whose account is made at its first use", async () => {
    const branch = createBranch(state);
    const execute = blocks();
    expect((await execute(branch, header(1n), await sends(2))).beginBlockEvents).toEqual([]);
    expect(await getAccount(branch, moduleAddress("distribution"))).toBeNull();
    const { beginBlockEvents } = await execute(branch, header(2n), []);
    expect(await getBalance(branch, moduleAddress("fee_collector"), "uorr")).toBe(0n);
    expect(await getBalance(branch, moduleAddress("distribution"), "uorr")).toBe(1000n);
    const account = decodeAccount((await getAccount(branch, moduleAddress("distribution")))!);
    expect(account).toMatchObject({
      $typeName: "cosmos.auth.v1beta1.ModuleAccount",
      name: "distribution",
      permissions: [],
    });
    expect(beginBlockEvents.map(({ type, attributes }) => [type, attributes.at(-1)!.value])).toEqual([
      ["coin_spent", "1000uorr"],
      ["coin_received", "1000uorr"],
      ["transfer", "1000uorr"],
      ["message", encodeAddress("cosmos", moduleAddress("fee_collector"))],
    ]);
  });

  test("that are none are told of too, as the reference does", async () => {
    const { beginBlockEvents } = await blocks()(createBranch(state), header(2n), []);
    expect(beginBlockEvents.map(({ attributes }) => attributes.at(-1)!.value).slice(0, 3)).toEqual(["", "", ""]);
  });
});
