// How requests come in: arguments by name, by position and by URI; batches, notifications, limits, and broken input.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openMemoryStore } from "../../src/store/memory.ts";
import type { Json, JsonObject } from "../harness/door.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { openRpcDoor, type RpcDoor } from "../harness/rpc-door.ts";

const store = openMemoryStore();
let door: RpcDoor;
beforeAll(async () => {
  await loadRecording(store);
  door = openRpcDoor(store);
});
afterAll(() => {
  expect(door.faults).toEqual([]);
});

const BLOCK_7 = "4C7BABFDA7F13007D485994F5214A20C3E42CC4EB981756184CACF5045A5E14A";
const TX_7 = "67E21C54128EEB3016FF57D1DFED7EF863867DE5FC127809EAF40C44CE018EF9";

const request = (method: string, params?: Json, id: Json = 1): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params !== undefined && { params }),
});
const errorOf = (body: Json): JsonObject => (body as { error: JsonObject }).error;
const heightOf = (body: Json): Json =>
  ((body as JsonObject).result as { header: { height: string } } | undefined)?.header.height ?? null;

describe("arguments of POST", () => {
  test.each<[what: string, params: Json]>([
    ["by name", { height: "7" }],
    ["by position", ["7"]],
    ["with a name that the method does not have", { height: "7", prove: true }],
  ])("%s", async (_what, params) => {
    expect(heightOf((await door.post(request("header", params))).body)).toBe("7");
  });

  test.each<[what: string, params: Json | undefined]>([
    ["none", undefined],
    ["null", null],
    ["an empty object", {}],
    ["an empty list", []],
    ["a null height", { height: null }],
  ])("%s means the newest", async (_what, params) => {
    expect(heightOf((await door.post(request("header", params))).body)).toBe("66");
  });

  const refused: [params: Json, data: string][] = [
    [{ height: 5 }, 'invalid 64-bit integer encoding "5", expected string'],
    [{ height: "abc" }, "invalid character 'a' looking for beginning of value"],
    [{ height: "" }, "unexpected end of JSON input"],
    [
      { height: "99999999999999999999" },
      "json: cannot unmarshal number 99999999999999999999 into Go value of type int64",
    ],
    [["5", "6"], 'expected 1 parameters ([height]), got 2 (["5" "6"])'],
    ["5", "params must be an object or a list, got string"],
  ];
  test.each(refused)("%j is refused", async (params, data) => {
    const { status, body } = await door.post(request("header", params));
    expect(status).toBe(200);
    expect(errorOf(body)).toEqual({
      code: -32602,
      message: "Invalid params",
      data: `error converting json params to arguments: ${data}`,
    });
  });

  test("bytes are base64, and hex where the reference wants hex", async () => {
    const base64 = Buffer.from(BLOCK_7, "hex").toString("base64");
    expect(await door.call("block_by_hash", { hash: base64 })).toMatchObject({ block_id: { hash: BLOCK_7 } });
    expect(await door.call("header_by_hash", { hash: BLOCK_7 })).toMatchObject({ header: { height: "7" } });
    expect(await door.call("header_by_hash", { hash: BLOCK_7.toLowerCase() })).toMatchObject({
      header: { height: "7" },
    });
    for (const [method, hash] of [
      ["block_by_hash", "not base64!"],
      ["tx", "AAA"],
      ["header_by_hash", "zz"],
      ["header_by_hash", "abc"],
    ]) {
      expect(errorOf((await door.post(request(method!, { hash: hash! }))).body)).toMatchObject({ code: -32602 });
    }
  });
});

describe("arguments of a URI", () => {
  test.each([
    ["/header?height=7", "7"],
    ["/header?height=%227%22", "7"],
    ["/header?height=7&unknown=1", "7"],
    ["/header", "66"],
    ["/header?height=", "66"],
    [`/header_by_hash?hash=0x${BLOCK_7}`, "7"],
    [`/header_by_hash?hash=%22${BLOCK_7}%22`, "7"],
  ])("%s", async (path, height) => {
    const { status, body } = await door.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ jsonrpc: "2.0", id: -1 });
    expect(heightOf(body)).toBe(height);
  });

  test("texts stand in quotes", async () => {
    const quoted = await door.get(`/tx_search?query=${encodeURIComponent(`"tx.hash='${TX_7}'"`)}&prove=false`);
    expect(quoted.body).toMatchObject({ result: { total_count: "1", txs: [{ hash: TX_7 }] } });
    const key = "0x014fa67495d4643580fa493bf3ac7139390127a667";
    const stored = await door.get(`/abci_query?path=%22/store/acc/key%22&data=${key}`);
    expect(stored.body).toMatchObject({ result: { response: { code: 0, height: "66" } } });
  });

  test.each([
    ["/header?height=abc", -32602],
    ["/header?height=1.5", -32602],
    ["/header?height=-1", -32603],
    ["/header?height=0", -32603],
    ["/header?height=67", -32603],
    ["/tx_search?query=tx.height%3D7", -32602],
    ["/tx?hash=0xzz", -32602],
    ["/tx?hash=abc", -32602],
    ["/tx?hash=0x00&prove=maybe", -32602],
    ["/tx?hash=0x00", -32603],
  ])("%s is refused", async (path, code) => {
    const { status, body, headers } = await door.get(path);
    expect(status).toBe(500);
    expect(body).toMatchObject({ jsonrpc: "2.0", id: -1, error: { code } });
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("paths that are no method's", async () => {
    const unknown = await door.get("/nothing");
    expect([unknown.status, unknown.text]).toEqual([404, "404 page not found\n"]);
    const onSocketOnly = await door.get("/subscribe?query=%22tm.event='Tx'%22");
    expect(onSocketOnly.status).toBe(404);
    expect(onSocketOnly.body).toMatchObject({ id: -1, error: { code: -32601, message: "Method not found" } });
  });
});

describe("envelopes", () => {
  test.each<[given: Json, echoed: Json]>([
    [1, 1],
    [0, 0],
    ["text", "text"],
    ["", ""],
    [-7, -7],
    [1.9, 1],
  ])("id %j", async (given, echoed) => {
    expect((await door.post(request("health", {}, given))).body).toEqual({ jsonrpc: "2.0", id: echoed, result: {} });
  });

  test("a notification is not answered", async () => {
    for (const body of [{ jsonrpc: "2.0", method: "health" }, request("health", {}, null), []]) {
      const { status, text } = await door.post(body as Json);
      expect([status, text]).toEqual([200, ""]);
    }
  });

  test("a batch is answered in its order, without its notifications", async () => {
    const batch = [
      request("header", ["7"], 1),
      request("nothing", {}, 2),
      { method: "health" },
      request("health", {}, 3),
    ];
    const { body } = await door.post(batch as Json);
    expect((body as JsonObject[]).map(({ id }) => id ?? null)).toEqual([1, 2, 3]);
    expect((await door.post([request("health", {}, 5)])).body).toEqual({ jsonrpc: "2.0", id: 5, result: {} });
  });

  test("limits of batches and bodies", async () => {
    const many = Array.from({ length: 101 }, (_, i) => request("health", {}, i));
    const refused = await door.post(many);
    expect(refused.status).toBe(400);
    expect(errorOf(refused.body)).toMatchObject({ code: -32600, message: "Invalid Request" });
    expect(((await door.post(many.slice(0, 100))).body as Json[]).length).toBe(100);
    const large = await door.post(JSON.stringify(request("health", { text: "x".repeat(1_000_000) })));
    expect(large.status).toBe(400);
    expect(errorOf(large.body)).toMatchObject({ code: -32600, data: expect.stringContaining("too large") });
  });

  test.each(["{", "nonsense", "7", '"text"', "null", '{"id":{}}', '{"id":1,"method":5}', "[1]", "\u0000"])(
    "%j cannot be read",
    async (text) => {
      const { status, body } = await door.post(text);
      expect(status).toBe(500);
      expect(body).toEqual({
        jsonrpc: "2.0",
        error: { code: -32700, message: "Parse error. Invalid JSON", data: expect.any(String) },
      });
    },
  );

  test.each(["[", '{"a":'])("params nested without end: %s", async (open) => {
    const close = open === "[" ? "]" : "}";
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const { status, body } = await door.post(`{"jsonrpc":"2.0","id":1,"method":"status","params":${deep}}`);
    expect(status).toBe(500);
    expect(errorOf(body)).toMatchObject({ code: -32700, data: expect.stringContaining("nesting deeper than 32") });
    expect(door.faults).toEqual([]);
  });

  test("methods of subscriptions are not found here", async () => {
    expect(errorOf((await door.post(request("subscribe", { query: "tm.event='Tx'" }))).body)).toMatchObject({
      code: -32601,
    });
  });

  test("the list of methods", async () => {
    for (const { status, headers, text } of [await door.get("/"), await door.post("")]) {
      expect(status).toBe(200);
      expect(headers.get("content-type")).toStartWith("text/html");
      for (const name of ["/status", "/abci_query", "/broadcast_tx_commit", "unsubscribe_all"]) {
        expect(text).toContain(name);
      }
    }
  });
});

test("what will never change may be kept, and nothing else", async () => {
  const kept = async (path: string) => (await door.get(path)).headers.get("cache-control");
  for (const path of ["/block?height=7", "/block_results?height=7", "/validators?height=7", `/tx?hash=0x${TX_7}`]) {
    expect(await kept(path)).toBe("public, max-age=86400");
  }
  for (const path of ["/block", "/status", "/abci_info", "/block?height=99", "/tx?hash=0x00"]) {
    expect(await kept(path)).toBe("no-store");
  }
});

test("pages", async () => {
  const total = (params: JsonObject) => door.call("tx_search", { query: "tx.height>0", ...params });
  expect(await total({ page: "5", per_page: "5" })).toMatchObject({ total_count: "23", txs: { length: 3 } });
  expect(await total({ per_page: "1000" })).toMatchObject({ txs: { length: 23 } });
  expect(await total({ order_by: "desc", per_page: "1" })).toMatchObject({ txs: [{ height: "60", index: 4 }] });
  expect(await door.call("blockchain")).toMatchObject({ last_height: "66", block_metas: { length: 20 } });
  expect(await door.call("block_search", { query: "block.height<4" })).toMatchObject({
    total_count: "3",
    blocks: [{ block: { header: { height: "3" } } }, {}, {}],
  });
  for (const [method, params, data] of [
    ["tx_search", { query: "tx.height>0", page: "0" }, "page should be within [1, 1] range, given 0"],
    ["tx_search", { query: "tx.height>0", page: "6", per_page: "5" }, "page should be within [1, 5] range, given 6"],
    ["tx_search", { query: "tx.height>" }, "failed to parse query"],
    ["tx_search", { query: "tx.height>0", order_by: "up" }, "expected order_by"],
    ["validators", { height: "7", page: "2" }, "page should be within [1, 1] range, given 2"],
    ["blockchain", { minHeight: "9", maxHeight: "8" }, "min height 9 can't be greater than max height 8"],
    ["genesis_chunked", { chunk: "0" }, "this node does not hold its genesis"],
    ["block", { height: "-1" }, "height must be greater than 0, but got -1"],
  ] as [string, JsonObject, string][]) {
    const error = errorOf((await door.post(request(method, params))).body);
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
    expect(error.data as string).toContain(data);
  }
});

test("whatever comes is answered or refused, and never a fault of ours", async () => {
  const methods = ["block", "tx", "tx_search", "abci_query", "validators", "blockchain", "broadcast_tx_sync", "x"];
  const names = ["height", "hash", "query", "path", "data", "page", "per_page", "prove", "tx", "minHeight"];
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.bigInt().map(String),
    fc.boolean(),
    fc.constant(null),
    fc.base64String(),
  );
  const params = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), params, async (method, given) => {
      const { status, body } = await door.post(request(method, given as Json));
      expect(status).toBe(200);
      expect("result" in (body as JsonObject) !== "error" in (body as JsonObject)).toBe(true);
      const query = new URLSearchParams(Object.entries(given).map(([name, item]) => [name, String(item)]));
      expect([200, 404, 500]).toContain((await door.get(`/${method}?${query}`)).status);
    }),
    { numRuns: 300 },
  );
  expect(door.faults).toEqual([]);
});
