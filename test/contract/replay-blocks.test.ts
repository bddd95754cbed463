// The recorded chain executed anew from its genesis, block by block with the recorded times: every transaction of bank
// and vesting must give the recorded result, and the trees of both stores the recorded roots.
//
// What is prepared by hand, because it is the work of modules that Orrery does not have, is done by `prepareGenesis` and
// `prepareDelegation` below:
// - at the genesis: the accounts of five modules, made in the reference's order after that of the fee collector; and
//   what the four genesis transactions of the validators come to: the key stored, the sequence raised to 1, the stake
//   moved to the bonded pool;
// - at height 57: a delegation, whose message Orrery does not execute: the fee paid, the sequence raised, the coins
//   moved to the bonded pool.

import { beforeAll, describe, expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { createExecuteBlock } from "../../src/chain/execute-block.ts";
import { genesisChanges, parseGenesis } from "../../src/chain/genesis.ts";
import { verifySecp256k1 } from "../../src/chain/secp256k1.ts";
import { encodeAddress, parseAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import { blockCodec } from "../../src/codec/block.ts";
import { fromBase64, toHex } from "../../src/codec/bytes.ts";
import { commitmentProofCodec } from "../../src/codec/ics23.ts";
import { moduleAddress } from "../../src/codec/key-address.ts";
import type { TxResult } from "../../src/codec/tx-result.ts";
import { ModuleAccountSchema } from "../../src/gen/cosmos/auth/v1beta1/auth_pb.ts";
import { PubKeySchema } from "../../src/gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { readRecording } from "../../src/sources/recording.ts";
import { baseOf, decodeAccount, getAccount, nextAccountNumber, putAccount } from "../../src/state/account.ts";
import { getBalance, putBalance } from "../../src/state/bank.ts";
import { deriveAll } from "../../src/state/derive.ts";
import { SPACE } from "../../src/state/keys.ts";
import { type Branch, createBranch } from "../../src/store/branch.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import type { Reader } from "../../src/store/store.ts";
import { FIXTURES, readFixture } from "../harness/fixtures.ts";

const PREFIX = "cosmos";
const DELEGATION_HEIGHT = 57n;
/** In the order in which the reference makes them. */
const MODULES: readonly (readonly [name: string, ...permissions: string[]])[] = [
  ["distribution"],
  ["bonded_tokens_pool", "burner", "staking"],
  ["not_bonded_tokens_pool", "burner", "staking"],
  ["gov", "burner"],
  ["mint", "minter"],
];
const BONDED = moduleAddress("bonded_tokens_pool");

const recording = readRecording(FIXTURES);
const executeBlock = createExecuteBlock({ bech32Prefix: PREFIX, maxGas: -1n, verify: verifySecp256k1 });
const replayed = new Map<bigint, readonly TxResult[]>();
const roots = new Map<bigint, { [store: string]: string }>();
const store = openMemoryStore({ keep: "all" });

beforeAll(async () => {
  for (const { height, block } of recording.run) {
    const { header, data } = blockCodec.decode(block);
    const before: Reader = store.head() === null ? NOTHING : store.at(store.head()!);
    const branch = createBranch(before);
    if (store.head() === null) await prepareGenesis(branch);
    const delegates = height === DELEGATION_HEIGHT;
    const { results } = await executeBlock(branch, header, delegates ? [] : data.txs);
    if (delegates) await prepareDelegation(branch);
    replayed.set(height, results);
    const changes = branch.changes();
    const derived = await deriveAll(before, changes, height);
    roots.set(height, Object.fromEntries(derived.roots.map(({ name, rootHash }) => [name, toHex(rootHash)])));
    await store.commit(height, [...changes, ...derived.changes]);
  }
});

const withTxs = recording.run.filter(
  ({ height, results }) => results.results.length > 0 && height !== DELEGATION_HEIGHT,
);

describe("every recorded transaction but the delegation", () => {
  test("there are 22 of them, in 18 blocks", () => {
    expect(withTxs.map(({ height }) => Number(height))).toEqual([
      7, 10, 13, 16, 19, 22, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 60,
    ]);
    expect(withTxs.flatMap(({ results }) => results.results)).toHaveLength(22);
  });

  test.each(withTxs.map(({ height, results }) => ({ height, results: results.results })))(
    "height $height gives the same results",
    ({ height, results }) => {
      expect(replayed.get(height)).toEqual([...results]);
    },
  );
});

test("the fees of a block move on in the next one, with the recorded events", async () => {
  const branch = createBranch(store.at(7n));
  const { header } = blockCodec.decode(recording.run[7]!.block);
  const { beginBlockEvents } = await executeBlock(branch, header, []);
  // Before them the reference tells of its mint, after them of rewards: modules that Orrery does not have.
  expect(beginBlockEvents).toEqual(recording.run[7]!.results.beginBlockEvents.slice(5, 9));
});

describe("the state", () => {
  test("is the recorded one at the last height, pair by pair", async () => {
    for (const [space, pairs] of [
      [SPACE.acc, 514],
      [SPACE.bank, 1433],
    ] as const) {
      const range = { start: Uint8Array.of(space), end: Uint8Array.of(space + 1), limit: 10_000 };
      const found = await store.at(66n).range(range);
      const wanted = recording.run.at(-1)!.changes.filter(([key]) => key[0] === space);
      expect(found.length).toBe(pairs);
      expect(found.map(([key, value]) => [toHex(key), toHex(value)])).toEqual(
        wanted.map(([key, value]) => [toHex(key), toHex(value!)]),
      );
    }
  });

  test.each(recordedRoots())("has the recorded root of $store at height $height", ({ store: name, height, root }) => {
    expect(roots.get(height)![name]).toBe(root);
  });
});

async function prepareGenesis(branch: Branch): Promise<void> {
  const genesis = readFixture<{ app_state: { genutil: { gen_txs: GenesisTx[] } } }>("rpc/genesis.json");
  for (const [key, value] of await genesisChanges(parseGenesis(genesis))) branch.set(key, value!);
  for (const [name, ...permissions] of MODULES) {
    const address = moduleAddress(name);
    const baseAccount = { address: encodeAddress(PREFIX, address), accountNumber: await nextAccountNumber(branch) };
    putAccount(branch, address, create(ModuleAccountSchema, { name, permissions, baseAccount }));
  }
  for (const { body, auth_info } of genesis.app_state.genutil.gen_txs) {
    const { delegator_address, value } = body.messages[0]!;
    const key = create(PubKeySchema, { key: fromBase64(auth_info.signer_infos[0]!.public_key.key) });
    await delegate(branch, delegator_address, BigInt(value.amount), 0n, packAny(PubKeySchema, key));
  }
}

type GenesisTx = {
  body: { messages: { delegator_address: string; value: { amount: string } }[] };
  auth_info: { signer_infos: { public_key: { key: string } }[] };
};

/** Who, how much and for which fee stands in the events that the reference recorded. */
async function prepareDelegation(branch: Branch): Promise<void> {
  const [result] = recording.run[Number(DELEGATION_HEIGHT) - 1]!.results.results;
  const attribute = (type: string, key: string) =>
    result!.events.find((event) => event.type === type)!.attributes.find((entry) => entry.key === key)!.value;
  const fee = BigInt(/^(\d+)uorr$/.exec(attribute("tx", "fee"))![1]!);
  const amount = BigInt(/^(\d+)uorr$/.exec(attribute("delegate", "amount"))![1]!);
  await delegate(branch, attribute("tx", "fee_payer"), amount, fee);
}

async function delegate(
  branch: Branch,
  from: string,
  amount: bigint,
  fee: bigint,
  key?: ReturnType<typeof packAny>,
): Promise<void> {
  const address = parseAddress(from, PREFIX);
  const account = decodeAccount((await getAccount(branch, address))!);
  if (key !== undefined) baseOf(account).pubKey = key;
  baseOf(account).sequence += 1n;
  putAccount(branch, address, account);
  const collector = moduleAddress("fee_collector");
  await putBalance(branch, address, "uorr", (await getBalance(branch, address, "uorr")) - amount - fee);
  await putBalance(branch, BONDED, "uorr", (await getBalance(branch, BONDED, "uorr")) + amount);
  if (fee > 0n) await putBalance(branch, collector, "uorr", (await getBalance(branch, collector, "uorr")) + fee);
}

/** The second step of a recorded proof shows the root of its store under the app hash. */
function recordedRoots(): { store: string; height: bigint; root: string }[] {
  type Proof = { store: string; height: number; answer: { response: { proofOps: { ops: { data: string }[] } } } };
  const found = new Map<string, { store: string; height: bigint; root: string }>();
  for (const { store: name, height, answer } of readFixture<Proof[]>("rpc/proofs.json")) {
    const { exist } = commitmentProofCodec.decode(fromBase64(answer.response.proofOps.ops[1]!.data));
    found.set(`${name} ${height}`, { store: name, height: BigInt(height), root: toHex(exist!.value) });
  }
  return [...found.values()];
}

const NOTHING: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};
