// Transactions through the RPC door of a node that makes blocks, and the news of them on a node beside it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bytes, fromBase64, fromHex, toBase64, toHex } from "../../src/codec/bytes.ts";
import { parseGasPrices } from "../../src/codec/gas-price.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { verifyMerkleProof } from "../../src/codec/verify-proof.ts";
import { createNode, type Node } from "../../src/node.ts";
import { DEV_CHAIN_ID, person, send } from "../harness/dev-txs.ts";
import type { Json, JsonObject } from "../harness/door.ts";
import { readFixture } from "../harness/fixtures.ts";
import { signedTx } from "../harness/signed-tx.ts";

const ANYWHERE = { host: "127.0.0.1", port: 0 };
const log = { debug() {}, info() {}, warn() {}, error() {} };
const home = mkdtempSync(join(tmpdir(), "orrery-rpc-"));

let node: Node;
beforeAll(async () => {
  node = await createNode({ mode: "dev", home, api: null, rpc: ANYWHERE, manual: true, log });
});
afterAll(async () => {
  await node.close();
  rmSync(home, { recursive: true });
});

async function post(method: string, params: Json = {}, url = node.rpcUrl!): Promise<JsonObject> {
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
}

const result = async (method: string, params?: Json) => (await post(method, params)).result as JsonObject;

let sequence = 0n;

/** The next transaction of one person; its sequence counts up with each that is made. */
function nextTx(amount: bigint, gasLimit = 200_000n): Bytes {
  const [alice, bob] = [person("alice"), person("bob")];
  const signers = [{ ...alice, accountNumber: 0n, sequence: sequence++ }];
  return signedTx({ chainId: DEV_CHAIN_ID, messages: [send(alice.address, bob.address, amount)], signers, gasLimit });
}

const hashOf = (tx: Bytes) => toHex(sha256(tx)).toUpperCase();

test("checked, waiting, in a block, with a proof of its place", async () => {
  const [first, second] = [nextTx(1n), nextTx(2n)];
  expect(await result("check_tx", { tx: toBase64(first) })).toMatchObject({
    code: 0,
    gas_wanted: "200000",
    sender: "",
  });
  expect(await result("num_unconfirmed_txs")).toEqual({ n_txs: "0", total: "0", total_bytes: "0", txs: null });
  for (const tx of [first, second]) {
    expect(await result("broadcast_tx_sync", { tx: toBase64(tx) })).toEqual({
      code: 0,
      data: "",
      log: "[]",
      codespace: "",
      hash: hashOf(tx),
    });
  }
  expect(await result("unconfirmed_txs", { limit: "1" })).toEqual({
    n_txs: "1",
    total: "2",
    total_bytes: String(first.length + second.length),
    txs: [toBase64(first)],
  });
  expect(await post("broadcast_tx_sync", { tx: toBase64(first) })).toMatchObject({
    error: { code: -32603, message: "Internal error", data: "tx already exists in cache" },
  });
  const height = await node.produceBlock();
  const header = ((await result("header", { height: String(height) })).header as { data_hash: string }).data_hash;
  for (const [index, tx] of [first, second].entries()) {
    const found = await result("tx", { hash: toBase64(sha256(tx)), prove: true });
    expect(found).toMatchObject({ height: String(height), index, tx: toBase64(tx), tx_result: { code: 0 } });
    const { root_hash, data, proof } = found.proof as { root_hash: string; data: string; proof: JsonObject };
    expect([root_hash, data]).toEqual([header, toBase64(tx)]);
    const place = {
      total: Number(proof.total),
      index: Number(proof.index),
      leafHash: fromBase64(proof.leaf_hash as string),
      aunts: (proof.aunts as string[]).map(fromBase64),
    };
    expect(verifyMerkleProof(fromHex(header), place, sha256(tx))).toBe(true);
    expect(verifyMerkleProof(fromHex(header), place, sha256(first.slice(1)))).toBe(false);
  }
});

test("broadcast_tx_commit waits for the block", async () => {
  const tx = nextTx(3n);
  const answer = result("broadcast_tx_commit", { tx: toBase64(tx) });
  while (node.txEntry.size().txs === 0) await Bun.sleep(5);
  const height = await node.produceBlock();
  const found = await result("tx", { hash: toBase64(sha256(tx)) });
  expect(await answer).toMatchObject({
    check_tx: { code: 0, sender: "", priority: "0", mempoolError: "" },
    deliver_tx: found.tx_result as Json,
    hash: hashOf(tx),
    height: String(height),
  });
});

test("broadcast_tx_commit does not wait for what the check refuses", async () => {
  const tx = nextTx(1n, 10_000n);
  sequence -= 1n;
  expect(await result("broadcast_tx_commit", { tx: toBase64(tx) })).toMatchObject({
    check_tx: { code: 11, codespace: "sdk" },
    deliver_tx: { code: 0, data: null },
    height: "0",
  });
});

test("broadcast_tx_async does not wait at all", async () => {
  const tx = nextTx(4n);
  expect(await result("broadcast_tx_async", [toBase64(tx)])).toEqual({
    code: 0,
    data: "",
    log: "",
    codespace: "",
    hash: hashOf(tx),
  });
  while (node.txEntry.size().txs === 0) await Bun.sleep(5);
  await node.produceBlock();
  expect(await result("tx", { hash: toBase64(sha256(tx)) })).toMatchObject({ tx_result: { code: 0 } });
});

test("by URI, and bytes that are no transaction, as the reference refuses them", async () => {
  const response = await fetch(`${node.rpcUrl}/broadcast_tx_sync?tx=0x000000`);
  const { bad_tx } = readFixture<{ bad_tx: Json }>("rpc/errors.json");
  expect(await response.json()).toEqual({ jsonrpc: "2.0", id: -1, result: bad_tx });
  expect(await result("broadcast_tx_sync", { tx: "AAAA" })).toEqual(bad_tx as JsonObject);
});

test("a block on request, of what waits", async () => {
  const tx = nextTx(5n);
  expect(await result("broadcast_tx_sync", { tx: toBase64(tx) })).toMatchObject({ code: 0 });
  const before = node.head();
  expect(await result("dev_produce_block")).toEqual({ height: String(before + 1n) });
  expect(await result("tx", { hash: toBase64(sha256(tx)) })).toMatchObject({ height: String(before + 1n) });
  const byUri = await fetch(`${node.rpcUrl}/dev_produce_block`);
  expect(await byUri.json()).toMatchObject({ result: { height: String(before + 2n) } });
  expect(await (await fetch(node.rpcUrl!)).text()).toContain("/dev_produce_block");
});

test("a node that makes blocks by itself, or none, does not know that method; it may want a price for gas", async () => {
  const minGasPrices = parseGasPrices("0.025uorr")!;
  const options = { home: "", api: null, rpc: ANYWHERE, engine: "memory", minGasPrices, log } as const;
  const other = await createNode({ mode: "dev", ...options });
  expect(await post("dev_produce_block", {}, other.rpcUrl!)).toMatchObject({ error: { code: -32601 } });
  expect((await fetch(`${other.rpcUrl}/dev_produce_block`)).status).toBe(404);
  expect(await (await fetch(other.rpcUrl!)).text()).not.toContain("dev_produce_block");
  const [alice, bob] = [person("alice"), person("bob")];
  const free = signedTx({
    chainId: DEV_CHAIN_ID,
    messages: [send(alice.address, bob.address, 1n)],
    signers: [{ ...alice, accountNumber: 0n, sequence: 0n }],
    gasLimit: 200_000n,
  });
  expect(await post("broadcast_tx_sync", { tx: toBase64(free) }, other.rpcUrl!)).toMatchObject({
    result: { code: 13, log: "insufficient fees; got:  required: 5000uorr: insufficient fee" },
  });
  await other.close();
});

describe("a node that serves the same home", () => {
  let beside: Node;
  beforeAll(async () => {
    beside = await createNode({ mode: "serve", home, api: null, rpc: ANYWHERE, log });
  });
  afterAll(() => beside.close());

  test("answers reads, takes nothing", async () => {
    const { result: status } = await post("status", {}, beside.rpcUrl!);
    expect(status).toMatchObject({
      node_info: { network: DEV_CHAIN_ID },
      sync_info: { latest_block_height: String(node.head()) },
      validator_info: { voting_power: "0" },
    });
    expect(await post("genesis", {}, beside.rpcUrl!)).toMatchObject({
      result: { genesis: { chain_id: DEV_CHAIN_ID } },
    });
    expect(await post("broadcast_tx_sync", { tx: "AAAA" }, beside.rpcUrl!)).toMatchObject({
      error: { code: -32603, data: expect.stringContaining("takes no transactions") },
    });
  });

  test("tells its subscribers of the blocks that the other one makes", async () => {
    const socket = new WebSocket(`${beside.rpcUrl!.replace("http:", "ws:")}/websocket`);
    const frames: JsonObject[] = [];
    socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data)) as JsonObject));
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscribe", params: ["tm.event='NewBlockHeader'"] }));
    while (frames.length === 0) await Bun.sleep(5);
    const heights = [await node.produceBlock(), await node.produceBlock()];
    while (frames.length < 3) await Bun.sleep(20);
    const told = frames.slice(1).map(({ result: event }) => {
      return (event as { data: { value: { header: { height: string } } } }).data.value.header.height;
    });
    expect(told).toEqual(heights.map(String));
    socket.close();
  });
});
