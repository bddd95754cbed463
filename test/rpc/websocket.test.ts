// Subscriptions on a real WebSocket.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { NewBlock } from "../../src/api/rpc-queries.ts";
import { NO_TX_ENTRY } from "../../src/api/tx-entry.ts";
import { parseBlockAnswer, parseBlockResults } from "../../src/codec/comet-json.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import type { Json, JsonObject } from "../harness/door.ts";
import { readFixture } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { openRpcDoor, type RpcDoor } from "../harness/rpc-door.ts";

const store = openMemoryStore();
let door: RpcDoor;
beforeAll(async () => {
  await loadRecording(store);
  // A way in that never comes to a verdict.
  const txs = { ...NO_TX_ENTRY, add: () => new Promise<never>(() => {}) };
  door = openRpcDoor(store, { listen: true, txs });
});
afterAll(async () => {
  expect(door.faults).toEqual([]);
  await door.close();
});

/** A connection that hands out the frames it gets, one after the other. */
class Connection {
  readonly #frames: JsonObject[] = [];
  readonly #waiting: ((frame: JsonObject) => void)[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;

  constructor(url: string) {
    this.socket = new WebSocket(`${url.replace("http:", "ws:")}/websocket`);
    this.closed = new Promise((resolve) => this.socket.addEventListener("close", ({ code }) => resolve(code)));
    this.socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(String(data)) as JsonObject;
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#frames.push(frame);
      else waiting(frame);
    });
  }

  static async open(url: string): Promise<Connection> {
    const connection = new Connection(url);
    await new Promise((resolve, reject) => {
      connection.socket.addEventListener("open", resolve);
      connection.socket.addEventListener("error", reject);
    });
    return connection;
  }

  send(request: Json | string): void {
    this.socket.send(typeof request === "string" ? request : JSON.stringify(request));
  }

  next(): Promise<JsonObject> {
    const frame = this.#frames.shift();
    return frame === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(frame);
  }

  async call(method: string, params: Json = {}, id: Json = 1): Promise<JsonObject> {
    this.send({ jsonrpc: "2.0", id, method, params });
    return await this.next();
  }
}

let connection: Connection;
beforeEach(async () => {
  connection = await Connection.open(door.url);
});

const SUBSCRIBED = { jsonrpc: "2.0", result: {} };

describe("events come under the id of their subscription", () => {
  test("NewBlock", async () => {
    const query = "tm.event='NewBlock'";
    expect(await connection.call("subscribe", { query }, "blocks")).toEqual({ ...SUBSCRIBED, id: "blocks" });
    door.announce(recorded(7));
    const { block } = recordedJson(7);
    const { id, result } = await connection.next();
    expect(id).toBe("blocks");
    expect(result).toMatchObject({
      query,
      data: {
        type: "tendermint/event/NewBlock",
        value: {
          block: (block as JsonObject).block,
          result_begin_block: { events: (recordedJson(7).block_results as JsonObject).begin_block_events },
          result_end_block: { validator_updates: [], events: [], consensus_param_updates: { version: {} } },
        },
      },
      events: { "tm.event": ["NewBlock"], "mint.amount": expect.any(Array) },
    });
  });

  test("NewBlockHeader", async () => {
    await connection.call("subscribe", ["tm.event='NewBlockHeader'"], 3);
    door.announce(recorded(60));
    const header = ((recordedJson(60).block as JsonObject).block as JsonObject).header as Json;
    const { id, result } = await connection.next();
    expect(id).toBe(3);
    expect(result).toMatchObject({
      data: { type: "tendermint/event/NewBlockHeader", value: { header, num_txs: "5" } },
    });
  });

  test("Tx, each on its own, with zeros left out", async () => {
    await connection.call("subscribe", { query: "tm.event='Tx'" });
    door.announce(recorded(60));
    const results = (recordedJson(60).block_results as { txs_results: JsonObject[] }).txs_results;
    for (const [index, result] of results.entries()) {
      const event = (await connection.next()).result as JsonObject;
      const { TxResult } = (event.data as { value: { TxResult: JsonObject } }).value;
      expect(TxResult.height).toBe("60");
      expect(TxResult.index ?? "left out").toBe(index === 0 ? "left out" : index);
      const { code, gas_used, events } = TxResult.result as JsonObject;
      expect(code ?? 0).toBe(result.code as number);
      expect(gas_used as string).toBe(result.gas_used as string);
      expect(events as Json[]).toEqual(result.events as Json[]);
      expect(event.events).toMatchObject({ "tm.event": ["Tx"], "tx.height": ["60"] });
    }
  });

  test("Tx with conditions", async () => {
    const hash = "67E21C54128EEB3016FF57D1DFED7EF863867DE5FC127809EAF40C44CE018EF9";
    await connection.call("subscribe", { query: `tm.event='Tx' AND tx.hash='${hash}'` }, "mine");
    await connection.call("subscribe", { query: "tm.event='Tx' AND transfer.recipient='nobody'" }, "nobody");
    for (const height of [60, 7, 10]) door.announce(recorded(height));
    expect(await connection.next()).toMatchObject({ id: "mine", result: { events: { "tx.hash": [hash] } } });
    expect(await connection.call("health", {}, "last")).toEqual({ jsonrpc: "2.0", id: "last", result: {} });
  });
});

describe("subscriptions end", () => {
  const query = "tm.event='NewBlock'";

  test("one by one, or all at once", async () => {
    await connection.call("subscribe", { query });
    await connection.call("subscribe", { query: "tm.event='Tx'" });
    expect(await connection.call("unsubscribe", { query }, 2)).toEqual({ ...SUBSCRIBED, id: 2 });
    door.announce(recorded(3));
    expect(await connection.call("unsubscribe_all", {}, 3)).toEqual({ ...SUBSCRIBED, id: 3 });
    door.announce(recorded(7));
    expect(await connection.call("health", {}, 4)).toMatchObject({ id: 4 });
    for (const [method, params] of [
      ["unsubscribe", { query }],
      ["unsubscribe_all", {}],
    ] as [string, Json][]) {
      expect(await connection.call(method, params)).toMatchObject({
        error: { code: -32603, data: "subscription not found" },
      });
    }
  });

  test("with their connection", async () => {
    await connection.call("subscribe", { query });
    connection.socket.close();
    await connection.closed;
    await Bun.sleep(20);
    door.announce(recorded(7));
  });
});

test("limits and mistakes", async () => {
  const query = (n: number) => ({ query: `tm.event='Tx' AND tx.height=${n}` });
  for (let n = 0; n < 5; n++) expect(await connection.call("subscribe", query(n))).toMatchObject({ result: {} });
  const errors: [params: Json, data: string][] = [[query(5), "max_subscriptions_per_client 5 reached"]];
  for (const [params, data] of errors) {
    expect(await connection.call("subscribe", params)).toMatchObject({ error: { code: -32603, data } });
  }
  const other = await Connection.open(door.url);
  expect(await other.call("subscribe", { query: "tm.event=" })).toMatchObject({
    error: { code: -32603, data: expect.stringContaining("failed to parse query: ") },
  });
  expect(await other.call("subscribe", query(1))).toMatchObject({ result: {} });
  expect(await other.call("subscribe", query(1))).toMatchObject({ error: { data: "already subscribed" } });
  expect(await other.call("subscribe", { query: 5 })).toMatchObject({ error: { code: -32602 } });
  other.socket.close();
});

test("every other method answers too, in the order of the requests", async () => {
  for (let id = 1; id <= 20; id++) connection.send({ jsonrpc: "2.0", id, method: "header", params: [String(id)] });
  for (let id = 1; id <= 20; id++) {
    expect(await connection.next()).toMatchObject({ id, result: { header: { height: String(id) } } });
  }
  expect(await connection.call("nothing")).toMatchObject({ error: { code: -32601 } });
});

test.each(["{", "[]", '[{"jsonrpc":"2.0","id":1,"method":"health"}]', "5"])("%j cannot be read", async (frame) => {
  connection.send(frame);
  expect(await connection.next()).toEqual({
    jsonrpc: "2.0",
    error: { code: -32700, message: "Parse error. Invalid JSON", data: expect.any(String) },
  });
});

test("a frame above the limit, or a flood, ends its connection and no other", async () => {
  const large = await Connection.open(door.url);
  large.send("x".repeat(1_000_001));
  expect(await large.closed).not.toBe(1000);
  const flood = await Connection.open(door.url);
  for (let id = 0; id < 200; id++) flood.send({ jsonrpc: "2.0", id, method: "broadcast_tx_sync", params: [""] });
  expect(await flood.closed).toBe(1013);
  expect(await connection.call("health")).toMatchObject({ result: {} });
});

test("a plain request at the socket's path is refused", async () => {
  expect((await door.get("/websocket")).status).toBe(400);
});

function recordedJson(height: number): JsonObject {
  return readFixture<JsonObject>(`rpc/blocks/${String(height).padStart(4, "0")}.json`);
}

function recorded(height: number): NewBlock {
  const json = recordedJson(height);
  const { txs, ...outcome } = parseBlockResults(json.block_results);
  return { block: parseBlockAnswer(json.block).block, results: { ...outcome, results: txs } };
}
