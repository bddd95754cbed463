// What wallets ask beside the 18 operations: sending, looking up and searching transactions, single accounts and coins.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { toBase64, toHex } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { createNode, type Node } from "../../src/node.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { DEV_CHAIN_ID, person, send } from "../harness/dev-txs.ts";
import { type Door, directDoor, type Json, type JsonObject } from "../harness/door.ts";
import { KEYS, readFixture } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { signedTx } from "../harness/signed-tx.ts";

const store = openMemoryStore();
let door: Door;
beforeAll(async () => {
  await loadRecording(store);
  door = directDoor(store);
});
afterAll(() => {
  expect(door.faults).toEqual([]);
});

const TX = "/cosmos/tx/v1beta1/txs";
type Recorded = { hash: string; height: string; tx_result: JsonObject & { log: string; data: string } };
const recorded = readFixture<{ txs: Recorded[] }>("rpc/tx_search.json").txs;

describe("a transaction by its hash", () => {
  test.each(recorded.map((tx): [string, Recorded] => [tx.hash, tx]))("%s", async (hash, { height, tx_result }) => {
    const { status, body } = await door.get(`${TX}/${hash}`);
    expect(status).toBe(200);
    const { tx, tx_response } = body as { tx: JsonObject; tx_response: JsonObject };
    const block = readFixture<{ block: { block: { header: { time: string } } } }>(
      `rpc/blocks/${height.padStart(4, "0")}.json`,
    );
    expect(tx_response).toMatchObject({
      height,
      txhash: hash,
      codespace: "",
      code: 0,
      data: Buffer.from(tx_result.data, "base64").toString("hex").toUpperCase(),
      raw_log: tx_result.log,
      info: "",
      gas_wanted: tx_result.gas_wanted as string,
      gas_used: tx_result.gas_used as string,
      timestamp: block.block.block.header.time.replace(/\.\d+/, ""),
      events: tx_result.events as Json,
    });
    expect(tx_response.tx).toEqual({ "@type": "/cosmos.tx.v1beta1.Tx", ...tx });
    const logs = (JSON.parse(tx_result.log) as JsonObject[]).map((log) => ({ log: "", ...log }));
    expect(tx_response.logs).toEqual(logs);
    expect((await door.get(`${TX}/${hash.toLowerCase()}`)).status).toBe(200);
  });

  test("unknown, and no hash", async () => {
    const unknown = "AB".repeat(32);
    const missing = await door.get(`${TX}/${unknown}`);
    expect([missing.status, missing.body]).toEqual([
      404,
      { code: 5, message: `tx not found: ${unknown}`, details: [] },
    ]);
    for (const hash of ["block", "zz", "AB", `${unknown}00`, ""]) {
      expect(await door.get(`${TX}/${hash}`)).toMatchObject({ status: 400, body: { code: 3, details: [] } });
    }
  });
});

describe("a search", () => {
  const search = async (query: string) => {
    const { status, body } = await door.get(`${TX}?${query}`);
    expect(status).toBe(200);
    const { txs, tx_responses, pagination, total } = body as Record<string, JsonObject[]>;
    expect(pagination as Json).toBeNull();
    expect(txs).toHaveLength(tx_responses!.length);
    return { hashes: tx_responses!.map(({ txhash }) => txhash as string), total: total as Json };
  };
  const quoted = (text: string) => encodeURIComponent(text);

  test("by events, and by one query", async () => {
    const all = recorded.map(({ hash }) => hash);
    expect(await search(`query=${quoted("tx.height>0")}&limit=5`)).toEqual({ hashes: all, total: "23" });
    expect(await search(`events=${quoted("tx.height=7")}`)).toEqual({ hashes: [all[0]!], total: "1" });
    const two = `events=${quoted(`message.action='/cosmos.bank.v1beta1.MsgSend'`)}&events=${quoted("tx.height=7")}`;
    expect(await search(two)).toEqual({ hashes: [all[0]!], total: "1" });
    expect(await search(`events=${quoted("message.action='/cosmos.bank.v1beta1.MsgSend' AND tx.height=7")}`)).toEqual({
      hashes: [all[0]!],
      total: "1",
    });
  });

  test("pages and order", async () => {
    const query = `query=${quoted("tx.height>0")}`;
    const ascending = await search(`${query}&limit=100`);
    expect(ascending.hashes).toHaveLength(23);
    for (const order of ["ORDER_BY_DESC", "2"]) {
      const descending = await search(`${query}&order_by=${order}&page=2&limit=3`);
      expect(descending.hashes).toEqual(ascending.hashes.toReversed().slice(3, 6));
    }
    expect((await search(`${query}&pagination.limit=2`)).hashes).toHaveLength(2);
    expect(await search(`query=${quoted("tx.height>1000")}`)).toEqual({ hashes: [], total: "0" });
  });

  test.each([
    ["", "must declare at least one event to search"],
    ["events=nonsense", "invalid event; event nonsense should be of the format: {eventType}.{eventAttribute}={value}"],
    ["query=nonsense", "failed to parse query"],
    ["query=tx.height%3D7&page=2", "page should be within [1, 1] range, given 2"],
    ["query=tx.height%3D7&order_by=up", 'order_by: "up" is not valid'],
  ])("%s is refused", async (query, reason) => {
    const { status, body } = await door.get(`${TX}?${query}`);
    expect(status).toBe(400);
    expect((body as { message: string }).message).toContain(reason);
  });
});

describe("single things", () => {
  const { address } = KEYS.people.alice!;
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await door.get(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  test("an account, as the list has it", async () => {
    const list = (await get("/cosmos/auth/v1beta1/accounts?pagination.limit=1000")) as { accounts: JsonObject[] };
    const listed = list.accounts.find((account) => account.address === address)!;
    expect(await get(`/cosmos/auth/v1beta1/accounts/${address}`)).toEqual({ account: listed });
    const { "@type": type, ...info } = listed;
    expect(type).toBe("/cosmos.auth.v1beta1.BaseAccount");
    expect(await get(`/cosmos/auth/v1beta1/account_info/${address}`)).toEqual({ info });
    const modules = (await get("/cosmos/auth/v1beta1/module_accounts")) as { accounts: { name: string }[] };
    expect(modules.accounts.map(({ name }) => name)).toContain("fee_collector");
    expect(await get("/cosmos/auth/v1beta1/module_accounts/fee_collector")).toMatchObject({
      account: { name: "fee_collector" },
    });
    expect(await get("/cosmos/auth/v1beta1/bech32")).toEqual({ bech32_prefix: "cosmos" });
    expect(await get("/cosmos/auth/v1beta1/params")).toMatchObject({
      params: { max_memo_characters: expect.any(String) },
    });
  });

  test("coins, as the lists have them", async () => {
    const list = (await get(`/cosmos/bank/v1beta1/balances/${address}`)) as { balances: JsonObject[] };
    for (const balance of list.balances) {
      const query = `denom=${encodeURIComponent(balance.denom as string)}`;
      expect(await get(`/cosmos/bank/v1beta1/balances/${address}/by_denom?${query}`)).toEqual({ balance });
    }
    expect(await get(`/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=unothing`)).toEqual({
      balance: { denom: "unothing", amount: "0" },
    });
    const spendable = (await get(`/cosmos/bank/v1beta1/spendable_balances/${address}`)) as { balances: JsonObject[] };
    const [first] = spendable.balances;
    const query = `denom=${encodeURIComponent(first!.denom as string)}`;
    expect(await get(`/cosmos/bank/v1beta1/spendable_balances/${address}/by_denom?${query}`)).toEqual({
      balance: first!,
    });
    const supply = (await get("/cosmos/bank/v1beta1/supply")) as { supply: JsonObject[] };
    const [coin] = supply.supply;
    expect(
      await get(`/cosmos/bank/v1beta1/supply/by_denom?denom=${encodeURIComponent(coin!.denom as string)}`),
    ).toEqual({ amount: coin! });
    expect(await get("/cosmos/bank/v1beta1/params")).toEqual({
      params: { send_enabled: [], default_send_enabled: true },
    });
  });

  test("the node and its validators", async () => {
    expect(await get("/cosmos/base/tendermint/v1beta1/syncing")).toEqual({ syncing: false });
    for (const [height, shown] of [
      ["latest", "67"],
      ["66", "66"],
      ["67", "67"],
    ]) {
      const answer = (await get(`/cosmos/base/tendermint/v1beta1/validatorsets/${height}`)) as JsonObject;
      expect(answer).toMatchObject({ block_height: shown, pagination: { next_key: null, total: "4" } });
      const [first] = answer.validators as JsonObject[];
      expect(first).toEqual({
        address: expect.stringMatching(/^cosmosvalcons1/),
        pub_key: { "@type": "/cosmos.crypto.ed25519.PubKey", key: expect.any(String) },
        voting_power: expect.any(String),
        proposer_priority: expect.any(String),
      });
    }
  });

  test.each([
    ["/cosmos/auth/v1beta1/accounts/nonsense", 400],
    ["/cosmos/auth/v1beta1/module_accounts/nobody", 404],
    [`/cosmos/bank/v1beta1/balances/${address}/by_denom`, 400],
    ["/cosmos/bank/v1beta1/balances/nonsense/by_denom?denom=uorr", 400],
    ["/cosmos/bank/v1beta1/supply/by_denom?denom=", 400],
    ["/cosmos/base/tendermint/v1beta1/validatorsets/68", 400],
    ["/cosmos/base/tendermint/v1beta1/validatorsets/0", 400],
  ])("%s is %d", async (path, status) => {
    expect(await door.get(path)).toMatchObject({ status, body: { details: [] } });
  });

  test("a stranger's account", async () => {
    const stranger = KEYS.people.alice!.address.replace(/.{6}$/, "qqqqqq");
    expect((await door.get(`/cosmos/auth/v1beta1/accounts/${stranger}`)).status).toBe(400);
  });
});

describe("sending", () => {
  let node: Node;
  beforeAll(async () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const api = { host: "127.0.0.1", port: 0 };
    node = await createNode({ mode: "dev", engine: "memory", home: "", api, manual: true, log });
  });
  afterAll(() => node.close());

  const post = async (body: Json, headers: Record<string, string> = {}) => {
    const response = await fetch(node.url + TX, { method: "POST", body: JSON.stringify(body), headers });
    return { status: response.status, body: (await response.json()) as { tx_response: JsonObject; message: string } };
  };
  const tx = (sequence: bigint, amount: bigint) => {
    const [alice, bob] = [person("alice"), person("bob")];
    const signer = { ...alice, accountNumber: 0n, sequence };
    return signedTx({
      chainId: DEV_CHAIN_ID,
      messages: [send(alice.address, bob.address, amount)],
      signers: [signer],
      gasLimit: 200_000n,
    });
  };

  test("checked, then in the next block", async () => {
    const raw = tx(0n, 1n);
    const hash = toHex(sha256(raw)).toUpperCase();
    const sent = await post({ tx_bytes: toBase64(raw), mode: "BROADCAST_MODE_SYNC" });
    expect(sent.status).toBe(200);
    expect(sent.body.tx_response).toEqual({
      height: "0",
      txhash: hash,
      codespace: "",
      code: 0,
      data: "",
      raw_log: "[]",
      logs: [],
      info: "",
      gas_wanted: "0",
      gas_used: "0",
      tx: null,
      timestamp: "",
      events: [],
    });
    const again = await post({ txBytes: toBase64(raw), mode: 2 }, { "content-type": "text/plain" });
    expect(again.body.tx_response).toMatchObject({ code: 19, codespace: "sdk", txhash: hash });
    expect((await fetch(`${node.url}${TX}/${hash}`)).status).toBe(404);
    const height = await node.produceBlock();
    const found = (await (await fetch(`${node.url}${TX}/${hash}`)).json()) as { tx_response: JsonObject };
    expect(found.tx_response).toMatchObject({ code: 0, height: String(height), txhash: hash });
  });

  test("not waited for", async () => {
    const raw = tx(1n, 2n);
    const sent = await post({ tx_bytes: toBase64(raw), mode: "BROADCAST_MODE_ASYNC" });
    expect(sent.body.tx_response).toMatchObject({ code: 0, raw_log: "" });
    await node.txEntry.check(raw);
    expect(node.txEntry.size().txs).toBe(1);
    await node.produceBlock();
  });

  test("a refusal of the check is an answer with its code", async () => {
    const wrongSequence = await post({ tx_bytes: toBase64(tx(99n, 1n)), mode: "BROADCAST_MODE_SYNC" });
    expect(wrongSequence.status).toBe(200);
    expect(wrongSequence.body.tx_response).toMatchObject({ code: 32, codespace: "sdk" });
    const broken = await post({ tx_bytes: "AAAA", mode: "BROADCAST_MODE_SYNC" });
    expect(broken.body.tx_response).toMatchObject({ code: 2, codespace: "sdk" });
  });

  test.each<[body: Json, message: string]>([
    [{}, "tx_bytes: invalid empty tx"],
    [{ tx_bytes: "AAAA", mode: "BROADCAST_MODE_BLOCK" }, "unsupported return type block; supported types: sync, async"],
    [{ tx_bytes: "AAAA" }, "unsupported return type unspecified; supported types: sync, async"],
    [{ tx_bytes: "AAAA", mode: "FAST" }, "unsupported return type unspecified; supported types: sync, async"],
    [{ tx_bytes: 5, mode: 2 }, "body: "],
    [[], "body: "],
  ])("%j is refused", async (body, message) => {
    const refused = await post(body);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(message);
  });

  test("other methods than GET and POST", async () => {
    const response = await fetch(node.url + TX, { method: "DELETE" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });
});
