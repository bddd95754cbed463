// The genesis of a real chain gives the pairs that the real node has, wherever no transaction touched them.

import { expect, test } from "bun:test";
import genesisJson from "../../test/fixtures/rpc/genesis.json";
import accPairs from "../../test/fixtures/state/acc.json";
import bankPairs from "../../test/fixtures/state/bank.json";
import { parseAddress } from "../codec/address.ts";
import { fromHex, toHex, utf8Encode } from "../codec/bytes.ts";
import { parseRecordedHeight } from "../codec/comet-json.ts";
import { moduleAddress } from "../codec/key-address.ts";
import { accountKey, accountNumberKey, baseOf, decodeAccount } from "../state/account.ts";
import { SPACE, spaceKey } from "../state/keys.ts";
import { type Genesis, genesisChanges, parseGenesis } from "./genesis.ts";

const node = new Map([...pairs(SPACE.acc, accPairs), ...pairs(SPACE.bank, bankPairs)]);
const genesis = parseGenesis(genesisJson);
const ours = await written(genesis);

test("the head of the file", () => {
  expect(genesis).toMatchObject({
    chainId: "reference-1",
    time: { seconds: 1767323045n, nanos: 123456789 },
    initialHeight: 1n,
    bech32Prefix: "cosmos",
    identity: null,
  });
  expect(genesis.params.block).toEqual({ maxBytes: 22020096n, maxGas: 30000000n });
});

test("all 245 accounts and the fee collector have the node's numbers", () => {
  expect(genesis.auth.accounts).toHaveLength(245);
  for (let number = 0n; number <= 245n; number++) {
    const key = toHex(accountNumberKey(number));
    expect(ours.get(key)).toBe(node.get(key)!);
  }
  const collector = toHex(accountKey(moduleAddress("fee_collector")));
  expect(ours.get(collector)).toBe(node.get(collector)!);
  // The node has ten more: five of modules that this node does not run, and five made by transactions.
  expect(ours.get(toHex(spaceKey(SPACE.acc, utf8Encode("globalAccountNumber"))))).toBe("08f601");
});

test("every account that has signed nothing is the node's, byte for byte", () => {
  let equal = 0;
  for (const { address } of genesis.auth.accounts) {
    const key = toHex(accountKey(address));
    const { sequence } = baseOf(decodeAccount(fromHex(node.get(key)!)));
    if (sequence === 0n) expect(ours.get(key)).toBe(node.get(key)!);
    if (sequence === 0n) equal++;
  }
  expect(equal).toBe(236);
});

test("parameters, supply, metadata and send-enabled entries are the node's", () => {
  const kinds = ["6100", "6200", "6201", "6204", "6205"];
  const chosen = (all: Map<string, string>) => [...all].filter(([key]) => kinds.includes(key.slice(0, 4))).sort();
  expect(chosen(ours)).toEqual(chosen(node));
  expect(chosen(ours)).toHaveLength(1 + 150 + 4 + 2 + 1);
});

test("balances and holders' entries of all whom no coin left or reached are the node's", async () => {
  const touched = await addressesInEvents();
  const isUntouched = (key: string) => ![...touched].some((address) => key.includes(address));
  const chosen = (all: Map<string, string>) =>
    [...all].filter(([key]) => (key.startsWith("6202") || key.startsWith("6203")) && isUntouched(key)).sort();
  expect(chosen(ours)).toEqual(chosen(node));
  expect(chosen(ours).length).toBeGreaterThan(800);
});

test("numbers that are given twice go to the first, and the others get the lowest free ones", () => {
  const changed = structuredClone(genesisJson) as { app_state: { auth: { accounts: { address?: string }[] } } };
  const listed = changed.app_state.auth.accounts.slice(0, 6);
  const addresses = listed.map(({ address }) => address);
  changed.app_state.auth.accounts = [5, 0, 0, 3, 5, 0].map((number, i) => {
    return { ...listed[i]!, account_number: `${number}` };
  });
  const { accounts } = parseGenesis(changed).auth;
  const numbers = addresses.map((address) => {
    return baseOf(accounts.find(({ text }) => text === address)!.account).accountNumber;
  });
  expect(numbers).toEqual([5n, 0n, 1n, 3n, 4n, 2n]);
  expect(accounts.map(({ account }) => baseOf(account).accountNumber)).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
});

test("a fee collector that the file lists is not made again", async () => {
  const changed = structuredClone(genesisJson) as { app_state: { auth: { accounts: unknown[] } } };
  changed.app_state.auth.accounts.push({
    "@type": "/cosmos.auth.v1beta1.ModuleAccount",
    base_account: { address: "cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta" },
    name: "fee_collector",
    permissions: [],
  });
  const pairsWithIt = await written(parseGenesis(changed));
  expect(pairsWithIt).toEqual(ours);
});

test("another prefix by option must be that of all addresses", () => {
  expect(() => parseGenesis(genesisJson, { bech32Prefix: "orr" })).toThrow("expected orr, got cosmos");
});

function pairs(space: typeof SPACE.acc | typeof SPACE.bank, json: string[][]): [string, string][] {
  return json.map(([key, value]) => [toHex(spaceKey(space, fromHex(key!))), value!]);
}

async function written(parsed: Genesis): Promise<Map<string, string>> {
  return new Map((await genesisChanges(parsed)).map(([key, value]) => [toHex(key), toHex(value!)]));
}

/** In hex: whoever spent or received in any block, and the validators, whose stakes left before the first one. */
async function addressesInEvents(): Promise<Set<string>> {
  const found = new Set<string>();
  const add = (text: string) => found.add(toHex(parseAddress(text, "cosmos")));
  for (let height = 1; height <= 66; height++) {
    const name = `../../test/fixtures/rpc/blocks/${String(height).padStart(4, "0")}.json`;
    const { results } = parseRecordedHeight(await Bun.file(new URL(name, import.meta.url)).json());
    const { beginBlockEvents, endBlockEvents, txs } = results;
    for (const { type, attributes } of [...beginBlockEvents, ...endBlockEvents, ...txs.flatMap((tx) => tx.events)]) {
      if (type !== "coin_spent" && type !== "coin_received") continue;
      for (const { key, value } of attributes) if (key === "spender" || key === "receiver") add(value);
    }
  }
  for (const { body } of genesisJson.app_state.genutil.gen_txs) {
    for (const { delegator_address } of body.messages) add(delegator_address);
  }
  // Both pools of the stakes got theirs at genesis, too.
  for (const name of ["bonded_tokens_pool", "not_bonded_tokens_pool"]) found.add(toHex(moduleAddress(name)));
  return found;
}
