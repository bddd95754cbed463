// Requests that ask for much: others are served beside them, and what one answer may hold has an end.

import { expect, test } from "bun:test";
import { NO_TX_ENTRY } from "../../src/api/tx-entry.ts";
import { utf8Encode } from "../../src/codec/bytes.ts";
import { indexBlock } from "../../src/state/tx-index.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import type { Json, JsonObject } from "../harness/door.ts";
import { stallDuring } from "../harness/loop-stall.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { openRpcDoor } from "../harness/rpc-door.ts";

const request = (id: number, method: string, params: JsonObject = {}): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** The recorded chain, and one height more whose index is large. */
async function largeIndex(entries: number) {
  const store = openMemoryStore();
  await loadRecording(store);
  const result = { code: 0, data: utf8Encode(""), log: "", info: "", gasWanted: 0n, gasUsed: 0n, codespace: "" };
  const events = Array.from({ length: entries }, (_, i) => ({
    type: "many",
    attributes: [{ key: "number", value: String(i), index: true }],
  }));
  const block = { txs: [utf8Encode("one")], results: [{ ...result, events }], blockEvents: [] };
  await store.commit(store.head()! + 1n, indexBlock({ height: 1_000n, ...block }));
  return store;
}

test("a batch of wide searches lets others in between", async () => {
  const door = openRpcDoor(await largeIndex(20_000));
  const batch = Array.from({ length: 10 }, (_, i) => request(i, "tx_search", { query: "many.number CONTAINS 'x'" }));
  const { longest, total } = await stallDuring(async () => {
    const { body } = await door.post(batch as Json);
    expect((body as JsonObject[]).map(({ result }) => (result as JsonObject).total_count)).toEqual(
      batch.map(() => "0"),
    );
  });
  expect(longest).toBeLessThan(total / 5);
}, 30_000);

test("a batch of many small requests lets others in between", async () => {
  const store = openMemoryStore();
  await loadRecording(store);
  const size = () => {
    for (const end = performance.now() + 3; performance.now() < end; );
    return { txs: 0, bytes: 0 };
  };
  const door = openRpcDoor(store, { txs: { ...NO_TX_ENTRY, size } });
  const batch = Array.from({ length: 60 }, (_, i) => request(i, "num_unconfirmed_txs"));
  const { longest, total } = await stallDuring(() => door.post(batch as Json));
  expect(longest).toBeLessThan(total / 3);
});

test("one wide search lets others in between", async () => {
  const door = openRpcDoor(await largeIndex(60_000));
  const { longest, total } = await stallDuring(() => door.call("tx_search", { query: "many.number CONTAINS 'x'" }));
  expect(longest).toBeLessThan(total / 2);
}, 30_000);

test("a batch whose answers are large is answered in part, and the rest is not done", async () => {
  const genesis = { text: "x".repeat(3_000_000) };
  const store = openMemoryStore();
  await loadRecording(store);
  const door = openRpcDoor(store, { genesis });
  const { status, body, text } = await door.post([1, 2, 3, 4, 5].map((id) => request(id, "genesis")) as Json);
  expect(status).toBe(200);
  expect(text.length).toBeLessThan(10_000_000);
  const answers = body as JsonObject[];
  expect(answers.map(({ id, result }) => [id, result !== undefined])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, false],
    [5, false],
  ]);
  expect(answers[4]!.error).toMatchObject({ code: -32000, data: expect.stringContaining("ask in smaller batches") });
  expect((await door.post(request(6, "genesis"))).status).toBe(200);
});

test("a body without a length is read up to the limit, and no further", async () => {
  const store = openMemoryStore();
  await loadRecording(store);
  const door = openRpcDoor(store);
  let chunks = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks += 1;
      if (chunks > 640) controller.close();
      else controller.enqueue(new Uint8Array(100_000).fill(32));
    },
  });
  const reply = await door.send("/", { method: "POST", body });
  expect(reply.status).toBe(400);
  expect((reply.body as { error: JsonObject }).error).toMatchObject({
    code: -32600,
    data: "error reading request body: http: request body too large",
  });
  expect(chunks).toBeLessThan(20);
  const broken = await door.send("/", { method: "POST", body: Uint8Array.of(0x22, 0xff, 0x22) });
  expect([broken.status, broken.text]).toEqual([400, expect.stringContaining("not UTF-8")]);
});

test("the text of a genesis is made once", async () => {
  const store = openMemoryStore();
  await loadRecording(store);
  let made = 0;
  const genesis = {
    toJSON: () => {
      made += 1;
      return { chain_id: "large" };
    },
  };
  const door = openRpcDoor(store, { genesis });
  for (let i = 0; i < 3; i++) {
    const { data, total } = (await door.call("genesis_chunked", { chunk: "0" })) as JsonObject;
    expect([atob(data as string), total]).toEqual(['{"chain_id":"large"}', "1"]);
  }
  expect(made).toBe(1);
  await expect(door.call("genesis_chunked", { chunk: "1" })).rejects.toThrow("there are 0 chunks, 1 is invalid");
});
