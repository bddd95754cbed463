// Every recorded answer of a real node's RPC, asked again of ours on the imported recording.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openMemoryStore } from "../../src/store/memory.ts";
import type { Json, JsonObject } from "../harness/door.ts";
import { readFixture } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { openRpcDoor, type RpcDoor } from "../harness/rpc-door.ts";

const PER_HEIGHT = ["block", "block_results", "commit", "validators", "consensus_params"] as const;

type RecordedBlock = Record<(typeof PER_HEIGHT)[number], Json>;

/** What cannot be equal, with the reason. Anything else must be. */
const EXCEPTIONS: Record<string, string> = {
  "status.node_info.id": "another node",
  "status.node_info.listen_addr": "another node",
  "status.node_info.moniker": "another node",
  "status.node_info.other.rpc_address": "another node",
  "status.validator_info.address": "the recorded node signs with a key that we do not have",
  "status.validator_info.pub_key.value": "the recorded node signs with a key that we do not have",
  "status.validator_info.voting_power": "our key is not a validator's of that chain",
  "abci_info.response.data": "another application",
  "abci_info.response.version": "another application",
  "abci_info.response.last_block_app_hash": "the chain has more stores than the recording, so its root is not known",
};

const store = openMemoryStore();
let door: RpcDoor;
beforeAll(async () => {
  await loadRecording(store);
  door = openRpcDoor(store, { genesis: readFixture("rpc/genesis.json") });
});
afterAll(async () => {
  expect(door.faults).toEqual([]);
  await door.close();
});

const heights = Array.from({ length: readFixture<{ height: number }>("keys.json").height }, (_, i) => BigInt(i + 1));

describe.each(heights)("height %p", (height) => {
  const recorded = readFixture<RecordedBlock>(`rpc/blocks/${String(height).padStart(4, "0")}.json`);

  test.each(PER_HEIGHT)("%s", async (method) => {
    const params = method === "validators" ? { height: `${height}`, per_page: "100" } : { height: `${height}` };
    expect(await door.call(method, params)).toEqual(recorded[method]);
    const uri = await door.get(`/${method}?height=${height}${method === "validators" ? "&per_page=100" : ""}`);
    expect(uri.body).toEqual({ jsonrpc: "2.0", id: -1, result: recorded[method] });
  });

  test("the same block, header and summary by every way", async () => {
    const { block_id, block } = recorded.block as { block_id: JsonObject; block: JsonObject };
    const hash = block_id.hash as string;
    expect(await door.call("block_by_hash", { hash: Buffer.from(hash, "hex").toString("base64") })).toEqual(
      recorded.block,
    );
    expect((await door.get(`/block_by_hash?hash=0x${hash}`)).body).toMatchObject({ result: recorded.block });
    expect(await door.call("header", { height: `${height}` })).toEqual({ header: block.header as Json });
    expect(await door.call("header_by_hash", { hash })).toEqual({ header: block.header as Json });
    const summary = await door.call("blockchain", { minHeight: `${height}`, maxHeight: `${height}` });
    const txs = (block.data as { txs: Json[] }).txs.length;
    expect(summary).toMatchObject({
      last_height: "66",
      block_metas: [{ block_id, header: block.header as Json, num_txs: String(txs) }],
    });
  });
});

test("tx_search", async () => {
  const query = { query: "tx.height>0", prove: true, page: "1", per_page: "5", order_by: "asc" };
  expect(await door.call("tx_search", query)).toEqual(readFixture<Json>("rpc/tx_search.json"));
});

test("tx, with and without its proof", async () => {
  const { txs } = readFixture<{ txs: (JsonObject & { hash: string })[] }>("rpc/tx_search.json");
  for (const recorded of txs) {
    const hash = Buffer.from(recorded.hash, "hex").toString("base64");
    expect(await door.call("tx", { hash, prove: true })).toEqual(recorded);
    const { proof, ...unproven } = recorded;
    expect(proof).toBeDefined();
    expect(await door.call("tx", { hash, prove: false })).toEqual(unproven);
    expect((await door.get(`/tx?hash=0x${recorded.hash}`)).body).toEqual({ jsonrpc: "2.0", id: -1, result: unproven });
  }
});

test("genesis, whole and in chunks", async () => {
  const genesis = readFixture<Json>("rpc/genesis.json");
  expect(await door.call("genesis")).toEqual({ genesis });
  const { chunk, total, data } = (await door.call("genesis_chunked", { chunk: "0" })) as Record<string, string>;
  expect({ chunk, total }).toEqual({ chunk: "0", total: "1" });
  expect(JSON.parse(Buffer.from(data!, "base64").toString())).toEqual(genesis);
});

test.each(["status", "abci_info"])("%s, but for its exceptions", async (method) => {
  const recorded = leaves(method, readFixture<Json>(`rpc/${method}.json`));
  const answered = leaves(method, await door.call(method));
  expect([...answered.keys()]).toEqual([...recorded.keys()]);
  const different = [...recorded].filter(([path, value]) => answered.get(path) !== value).map(([path]) => path);
  expect(different.sort()).toEqual(
    Object.keys(EXCEPTIONS)
      .filter((path) => path.startsWith(`${method}.`))
      .sort(),
  );
});

describe("errors", () => {
  const errors = readFixture<Record<string, JsonObject>>("rpc/errors.json");
  const zero = Buffer.alloc(32).toString("base64");
  const cases: [name: string, method: string, params: Json][] = [
    ["unknown_method", "no_such_method", {}],
    ["block_too_high", "block", { height: "999999999" }],
    ["block_bad", "block", { height: "abc" }],
    ["tx_not_found", "tx", { hash: zero, prove: false }],
  ];
  test.each(cases)("%s", async (name, method, params) => {
    const { status, body } = await door.post({ jsonrpc: "2.0", id: 7, method, params });
    expect(status).toBe(200);
    expect(body).toEqual({ jsonrpc: "2.0", id: 7, ...errors[name] });
  });
});

test("the set and the parameters of the height after the newest", async () => {
  const { block_height, validators } = (await door.call("validators")) as {
    block_height: string;
    validators: JsonObject[];
  };
  expect(block_height).toBe("67");
  // The priorities that the recorded network had at height 67.
  expect(validators.map((validator) => validator.proposer_priority as string)).toEqual([
    "-105000",
    "-11000",
    "-78000",
    "194000",
  ]);
  expect(await door.call("consensus_params")).toMatchObject({ block_height: "67" });
});

/** The scalar values of a JSON value, by their paths. */
function leaves(path: string, value: Json): Map<string, Json> {
  if (typeof value !== "object" || value === null) return new Map([[path, value]]);
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...leaves(`${path}.${name}`, inner)]));
}
