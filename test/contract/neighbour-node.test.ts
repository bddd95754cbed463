// Neighbours that tell of the node, turn one form into another, or read raw keys; and what unknown routes answer.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseAddress } from "../../src/codec/address.ts";
import { fromBase64, toBase64, toHex } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { createNode, type Node } from "../../src/node.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { type Door, directDoor, type Json, type JsonObject } from "../harness/door.ts";
import { KEYS, readFixture } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";

const AUTH = "/cosmos/auth/v1beta1";
const BASE = "/cosmos/base/tendermint/v1beta1";
const TX = "/cosmos/tx/v1beta1";
const { address } = KEYS.people.alice!;

const store = openMemoryStore();
let door: Door;
beforeAll(async () => {
  await loadRecording(store);
  door = directDoor(store);
});
afterAll(() => {
  expect(door.faults).toEqual([]);
});

async function ask(path: string, status = 200): Promise<JsonObject> {
  const reply = await door.get(path);
  expect([path, reply.status]).toEqual([path, status]);
  return reply.body as JsonObject;
}

async function post(path: string, body: Json, status = 200): Promise<JsonObject> {
  const reply = await door.send(path, { method: "POST", body: JSON.stringify(body) });
  expect([path, reply.status, reply.text]).toEqual([path, status, reply.text]);
  return reply.body as JsonObject;
}

describe("addresses", () => {
  const people = Object.values(KEYS.people);

  test("to bytes and back, in every spelling of a path", async () => {
    const seen = new Set<string>();
    for (const person of people) {
      const base64 = toBase64(parseAddress(person.address, "cosmos"));
      for (const char of base64) seen.add(char);
      for (const text of [person.address, person.address.toUpperCase()]) {
        expect(await ask(`${AUTH}/bech32/${text}`)).toEqual({ address_bytes: base64 });
      }
      const url = base64.replaceAll("+", "-").replaceAll("/", "_");
      for (const bytes of [base64, encodeURIComponent(base64), url, url.replace(/=+$/, "")]) {
        expect(await ask(`${AUTH}/bech32/${bytes}`)).toEqual({ address_string: person.address });
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(["/", "+", "="]));
  });

  test.each([
    ["", "address"],
    ["cosmos1nope", "address_string: invalid address: decoding bech32 failed"],
    [address.replace("cosmos", "osmo"), "address_string: invalid address: decoding bech32 failed: invalid checksum"],
    ["nope!", "address_bytes: illegal base64"],
    ["%0D%0A", "address_bytes: illegal base64"],
    ["A".repeat(344), "address_bytes: address max length is 255, got 258"],
  ])("%s is refused", async (text, message) => {
    const refused = await ask(`${AUTH}/bech32/${text}`, 400);
    expect(refused).toMatchObject({ code: 3, message: expect.stringContaining(message), details: [] });
  });

  test("by account number", async () => {
    const { accounts } = await ask(`${AUTH}/accounts?pagination.limit=1000`);
    const plain = (accounts as JsonObject[]).filter(({ account_number }) => account_number !== undefined);
    expect(plain.length).toBeGreaterThan(200);
    for (const account of plain) {
      const found = { account_address: account.address! };
      expect(await ask(`${AUTH}/address_by_id/${account.account_number}`)).toEqual(found);
      if (account.account_number === "0") continue;
      expect(await ask(`${AUTH}/address_by_id/0?account_id=${account.account_number}`)).toEqual(found);
    }
    expect((await ask(`${AUTH}/address_by_id/99999`, 404)).message).toContain("account number 99999");
    for (const id of ["-1", "x", ""]) {
      const message = `id: strconv.ParseInt: parsing "${id}": invalid syntax`;
      expect(await ask(`${AUTH}/address_by_id/${id}`, 400)).toEqual({ code: 3, message, details: [] });
    }
  });
});

describe("the node", () => {
  test("its status is the newest block, and the earliest height of the state", async () => {
    const { block } = (await ask(`${BASE}/blocks/latest`)) as { block: { header: JsonObject } };
    const { header } = block;
    expect(await ask("/cosmos/base/node/v1beta1/status")).toEqual({
      earliest_store_height: "66",
      height: "66",
      timestamp: header.time!,
      app_hash: header.app_hash!,
      validator_hash: header.next_validators_hash!,
    });
  });

  test("its configuration, as it was started", async () => {
    expect(await ask("/cosmos/base/node/v1beta1/config")).toEqual({
      minimum_gas_price: "",
      pruning_keep_recent: "0",
      pruning_interval: "0",
      halt_height: "0",
    });
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const minGasPrices = [
      { denom: "ucred", price: 10n ** 18n },
      { denom: "uorr", price: 25n * 10n ** 15n },
    ];
    const own = { engine: "memory", home: "", manual: true, keep: 7, minGasPrices } as const;
    const node: Node = await createNode({ mode: "dev", api: { host: "127.0.0.1", port: 0 }, log, ...own });
    const config = await (await fetch(`${node.url}/cosmos/base/node/v1beta1/config`)).json();
    await node.close();
    expect(config).toEqual({
      minimum_gas_price: "1.000000000000000000ucred,0.025000000000000000uorr",
      pruning_keep_recent: "7",
      pruning_interval: "1",
      halt_height: "0",
    });
  });

  test.each(["latest", "66"])("its validators in pages: %s", async (height) => {
    const path = `${BASE}/validatorsets/${height}`;
    const all = (await ask(path)).validators as JsonObject[];
    expect(all.length).toBe(4);
    for (const reverse of [false, true]) {
      const walked: Json[] = [];
      let key: string | null = "";
      while (key !== null) {
        const query = `pagination.limit=3&pagination.reverse=${reverse}&pagination.key=${encodeURIComponent(key)}`;
        const page = await ask(`${path}?${query}`);
        walked.push(...(page.validators as Json[]));
        key = (page.pagination as JsonObject).next_key as string | null;
      }
      expect(walked).toEqual(reverse ? all.toReversed() : all);
    }
    expect((await ask(`${path}?pagination.offset=3`)).validators).toEqual(all.slice(3));
    expect((await ask(`${path}?pagination.offset=9`)).validators).toEqual([]);
    await ask(`${path}?pagination.key=AAAA`, 400);
  });
});

describe("transactions", () => {
  type Recorded = { block: { block: { data: { txs: string[] } } } };
  const heights = Array.from({ length: 66 }, (_, i) => String(i + 1).padStart(4, "0"));
  const recorded = heights.flatMap((height) => readFixture<Recorded>(`rpc/blocks/${height}.json`).block.block.data.txs);

  test("from bytes to what the search shows, and back to the same bytes", async () => {
    expect(recorded.length).toBe(23);
    for (const tx_bytes of recorded) {
      const { tx } = await post(`${TX}/decode`, { tx_bytes });
      const hash = toHex(sha256(fromBase64(tx_bytes)));
      expect(tx).toEqual((await ask(`${TX}/txs/${hash}`)).tx!);
      expect(await post(`${TX}/encode`, { tx: tx! })).toEqual({ tx_bytes });
    }
  });

  test.each<[path: string, body: Json, message: string]>([
    ["decode", {}, "tx_bytes: invalid empty tx bytes"],
    ["decode", { tx_bytes: "AAAA" }, "tx parse error"],
    ["decode", { tx_bytes: 5 }, "body: "],
    ["encode", {}, "tx: invalid empty tx"],
    ["encode", { tx: "x" }, "body: "],
    [
      "encode",
      { tx: { body: { messages: [{ "@type": "/nothing.Msg" }] } } },
      "unable to resolve type URL /nothing.Msg",
    ],
  ])("%s %j is refused", async (path, body, message) => {
    const refused = await post(`${TX}/${path}`, body, 400);
    expect(refused).toMatchObject({ code: 3, message: expect.stringContaining(message) });
  });

  test("bytes with a field that no transaction has are refused, as a block would", async () => {
    const raw = Buffer.concat([Buffer.from(recorded[0]!, "base64"), Buffer.from("2a00", "hex")]);
    const refused = await post(`${TX}/decode`, { tx_bytes: raw.toString("base64") }, 400);
    expect(refused.message).toContain("errUnknownField");
  });
});

describe("raw keys", () => {
  const [key, value] = readFixture<[string, string][]>("state/bank.json")[0]!;
  const data = encodeURIComponent(Buffer.from(key, "hex").toString("base64"));

  test("one of a store, and one that is not there", async () => {
    const found = {
      code: 0,
      log: "",
      info: "",
      index: "0",
      key: Buffer.from(key, "hex").toString("base64"),
      value: Buffer.from(value, "hex").toString("base64"),
      proof_ops: null,
      height: "66",
      codespace: "",
    };
    expect(await ask(`${BASE}/abci_query?path=/store/bank/key&data=${data}`)).toEqual(found);
    expect(await ask(`${BASE}/abci_query?path=/store/bank/key&data=${data}&height=66`)).toEqual(found);
    const absent = await ask(`${BASE}/abci_query?path=/store/bank/key&data=AAAA`);
    expect(absent).toMatchObject({ code: 0, value: null });
  });

  test("refusals are answers with a code, but for paths that are not of a store", async () => {
    const future = await ask(`${BASE}/abci_query?path=/store/bank/key&data=${data}&height=67`);
    expect(future).toMatchObject({ code: 26, codespace: "sdk", value: null });
    const nothing = await ask(`${BASE}/abci_query?path=/store/nothing/key&data=${data}`);
    expect(nothing).toMatchObject({ code: 6, log: expect.stringContaining("no such store: nothing") });
    for (const path of ["", "/cosmos.bank.v1beta1.Query/Params", "/app/version"]) {
      expect(await ask(`${BASE}/abci_query?path=${path}`, 400)).toMatchObject({ code: 3 });
    }
  });
});

test("unknown routes: 501 below /cosmos, 404 elsewhere", async () => {
  const unknown = [
    "/cosmos/staking/v1beta1/validators",
    "/cosmos/gov/v1/proposals",
    `${TX}/encode/amino`,
    `${TX}/decode/amino`,
    `${AUTH}/nothing`,
    `/cosmos/bank/v1beta1/supply/`,
    `/cosmos/bank/v1beta1/balances/${address}/`,
    "/cosmos/",
  ];
  for (const path of unknown) {
    for (const method of ["GET", "POST"]) {
      const { status, body } = await door.send(path, { method });
      expect([path, status, body]).toEqual([path, 501, { code: 12, message: "Not Implemented", details: [] }]);
    }
  }
  for (const path of ["/nothing", "/cosmosx/bank", "/core/bank/v1beta1/params", "/ibc/core"]) {
    expect(await ask(path, 404)).toMatchObject({ code: 5, details: [] });
  }
});
