// The lists that the bank has beside those of the operations, held against the recorded state: who holds a token, and
// which tokens may be sent.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encodeAddress } from "../../src/codec/address.ts";
import { createNode, type Node } from "../../src/node.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { DEV_CHAIN_ID, person, send } from "../harness/dev-txs.ts";
import { type Door, directDoor, type JsonObject } from "../harness/door.ts";
import { readFixture } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { signedTx } from "../harness/signed-tx.ts";

const BANK = "/cosmos/bank/v1beta1";
const store = openMemoryStore();
let door: Door;
beforeAll(async () => {
  await loadRecording(store);
  door = directDoor(store);
});
afterAll(() => {
  expect(door.faults).toEqual([]);
});

type Owner = { readonly address: string; readonly balance: { readonly denom: string; readonly amount: string } };
type Holders = { denom_owners: Owner[]; pagination: { next_key: string | null; total: string } };

/** By denom, in the order of the recorded store: the balances tell who holds what. */
function recordedHolders(): Map<string, Owner[]> {
  const holders = new Map<string, Owner[]>();
  for (const [key, value] of readFixture<[string, string][]>("state/bank.json")) {
    if (!key.startsWith("02")) continue;
    const bytes = Buffer.from(key, "hex");
    const end = 2 + bytes[1]!;
    const address = encodeAddress("cosmos", bytes.subarray(2, end));
    const denom = bytes.toString("utf8", end);
    const owner = { address, balance: { denom, amount: Buffer.from(value, "hex").toString() } };
    holders.set(denom, [...(holders.get(denom) ?? []), owner]);
  }
  return holders;
}

const holders = recordedHolders();
const [common] = [...holders].sort(([, a], [, b]) => b.length - a.length)[0]!;

async function ask<T>(path: string, status = 200): Promise<T> {
  const reply = await door.get(path);
  expect([path, reply.status]).toEqual([path, status]);
  return reply.body as T;
}

describe("holders", () => {
  test("of every denom, raw, escaped and as a parameter", async () => {
    expect([...holders.keys()].filter((denom) => denom.includes("/")).length).toBeGreaterThan(1);
    for (const [denom, owners] of holders) {
      const escaped = encodeURIComponent(denom);
      for (const path of [
        `denom_owners/${denom}`,
        `denom_owners/${escaped}`,
        `denom_owners_by_query?denom=${escaped}`,
      ]) {
        const page = await ask<Holders>(`${BANK}/${path}${path.includes("?") ? "&" : "?"}pagination.count_total=true`);
        expect(page.denom_owners).toEqual(owners.slice(0, 100));
        expect(page.pagination.total).toBe(String(owners.length));
      }
    }
  });

  test("page by page, in both directions, and by offset", async () => {
    const all = holders.get(common)!;
    expect(all.length).toBeGreaterThan(100);
    for (const reverse of [false, true]) {
      const wanted = reverse ? all.toReversed() : all;
      const walked: Owner[] = [];
      let key: string | null = "";
      while (key !== null) {
        const query = `pagination.limit=40&pagination.reverse=${reverse}&pagination.key=${encodeURIComponent(key)}`;
        const page: Holders = await ask(`${BANK}/denom_owners/${common}?${query}`);
        walked.push(...page.denom_owners);
        key = page.pagination.next_key;
      }
      expect(walked).toEqual(wanted);
      const query = `pagination.offset=90&pagination.limit=7&pagination.reverse=${reverse}&pagination.count_total=true`;
      const page = await ask<Holders>(`${BANK}/denom_owners/${common}?${query}`);
      expect(page.denom_owners).toEqual(wanted.slice(90, 97));
      expect(page.pagination.total).toBe(String(all.length));
    }
    const key = (await ask<Holders>(`${BANK}/denom_owners/${common}?pagination.limit=1`)).pagination.next_key!;
    // As in the reference: the length of the address, then the address.
    expect(Buffer.from(key, "base64")[0]).toBe(20);
  });

  test("of a denom that nobody has, of one that begins like another, and of no denom", async () => {
    for (const denom of ["unothing", common.slice(0, -1), `${common}x`]) {
      expect(await ask<Holders>(`${BANK}/denom_owners/${denom}`)).toEqual({
        denom_owners: [],
        pagination: { next_key: null, total: "0" },
      });
    }
    for (const path of [
      "denom_owners/",
      "denom_owners/1",
      "denom_owners_by_query",
      "denom_owners_by_query?denom=%20",
    ]) {
      expect(await ask<JsonObject>(`${BANK}/${path}`, 400)).toMatchObject({ code: 3, details: [] });
    }
    for (const key of ["AAAA", "FA==", "AQI="]) {
      const refused = await ask<JsonObject>(`${BANK}/denom_owners/unothing?pagination.key=${key}`, 400);
      expect(refused.message).toStartWith("pagination.key: ");
    }
  });
});

describe("send enabled", () => {
  type Answer = { send_enabled: { denom: string; enabled: boolean }[]; pagination: JsonObject | null };
  const recorded = readFixture<[string, string][]>("state/bank.json")
    .filter(([key]) => key.startsWith("04"))
    .map(([key, value]) => ({ denom: Buffer.from(key.slice(2), "hex").toString(), enabled: value === "0801" }));

  test("all that is said, in pages", async () => {
    expect(recorded.map(({ enabled }) => enabled).sort()).toEqual([false, true]);
    const whole = { send_enabled: recorded, pagination: { next_key: null, total: "2" } };
    expect(await ask<Answer>(`${BANK}/send_enabled`)).toEqual(whole);
    const first = await ask<Answer>(`${BANK}/send_enabled?pagination.limit=1`);
    expect(first.send_enabled).toEqual(recorded.slice(0, 1));
    const key = encodeURIComponent(first.pagination!.next_key as string);
    expect((await ask<Answer>(`${BANK}/send_enabled?pagination.key=${key}`)).send_enabled).toEqual(recorded.slice(1));
    const last = await ask<Answer>(`${BANK}/send_enabled?pagination.offset=1&pagination.limit=1`);
    expect(last.send_enabled).toEqual(recorded.slice(1));
  });

  test("of some denoms, in their order, without pages; of the others nothing is said", async () => {
    const [a, b] = recorded.map(({ denom }) => encodeURIComponent(denom));
    expect(await ask<Answer>(`${BANK}/send_enabled?denoms=${b}&denoms=unothing&denoms=${a}`)).toEqual({
      send_enabled: recorded.toReversed(),
      pagination: null,
    });
    expect(await ask<Answer>(`${BANK}/send_enabled?denoms=unothing`)).toEqual({ send_enabled: [], pagination: null });
  });
});

test("the metadata of a token by query string is that by path", async () => {
  const { metadatas } = await ask<{ metadatas: { base: string }[] }>(`${BANK}/denoms_metadata`);
  expect(metadatas.length).toBe(4);
  for (const metadata of metadatas) {
    const query = `denom=${encodeURIComponent(metadata.base)}`;
    expect(await ask<JsonObject>(`${BANK}/denoms_metadata_by_query_string?${query}`)).toEqual({ metadata });
  }
  await ask(`${BANK}/denoms_metadata_by_query_string?denom=unothing`, 404);
  await ask(`${BANK}/denoms_metadata_by_query_string`, 400);
});

describe("holders of a chain that moves", () => {
  let node: Node;
  beforeAll(async () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const api = { host: "127.0.0.1", port: 0 };
    node = await createNode({ mode: "dev", engine: "memory", home: "", api, manual: true, log });
  });
  afterAll(() => node.close());

  test("a first coin makes a holder, from its height on", async () => {
    const count = async (height: bigint) => {
      const headers = { "x-cosmos-block-height": String(height) };
      const url = `${node.url}${BANK}/denom_owners/uorr?pagination.limit=1000&pagination.count_total=true`;
      const { denom_owners, pagination } = (await (await fetch(url, { headers })).json()) as Holders;
      expect(pagination.total).toBe(String(denom_owners.length));
      return denom_owners.map(({ address }) => address);
    };
    const before = node.head();
    const alice = person("alice");
    const stranger = encodeAddress("cosmos", new Uint8Array(20).fill(0xab));
    const signers = [{ ...alice, accountNumber: 0n, sequence: 0n }];
    const messages = [send(alice.address, stranger, 5n)];
    const tx = signedTx({ chainId: DEV_CHAIN_ID, messages, signers, gasLimit: 200_000n });
    const after = await node.produceBlock([tx]);
    expect(await count(before)).not.toContain(stranger);
    expect(await count(after)).toContain(stranger);
    expect((await count(after)).length).toBeGreaterThanOrEqual((await count(before)).length + 1);
  });
});
