// The OpenAPI document: valid, complete, and true of what the node answers, in both spellings.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { NEIGHBOURS } from "../../src/api/neighbours.ts";
import { OPERATIONS } from "../../src/api/operations.ts";
import { loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor, type Json, type JsonObject, NODE } from "../harness/door.ts";
import { type OpenedStore, openStore } from "../harness/engines.ts";
import { recordedCases } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { richBlock } from "../harness/rich-block.ts";
import { sampleChanges } from "../harness/sample-state.ts";
import { commitBlock } from "../harness/test-chain.ts";
import { openDevNode } from "./dev-node.ts";
import { answerSchema, type Check, checkerOf, type Entry, entryOf, type OpenApi } from "./schema-check.ts";

const PAGE = ["key", "offset", "limit", "count_total", "reverse"].map((name) => `pagination.${name}`);
const BANK = "/core/bank/v1beta1";
const CONSENSUS = "/core/base/consensus/v1beta1";

/** Part 4 of the interface document: each operation's number, method, path and parameters. */
const INTERFACE: readonly (readonly [number, string, string, readonly string[]])[] = [
  [1, "get", "/vendor/project/identity/did", PAGE],
  [2, "get", "/vendor/project/identity/did", ["did"]],
  [3, "get", "/vendor/project/identity/key", ["key_id"]],
  [4, "get", "/vendor/project/identity/key", ["service_id"]],
  [5, "get", "/vendor/project/identity/key", ["network_id"]],
  [6, "get", "/vendor/project/identity/key", ["method_id"]],
  [7, "get", "/vendor/project/identity/key", ["aka_id"]],
  [8, "get", `${BANK}/denoms_metadata`, PAGE],
  [9, "get", `${BANK}/denoms_metadata`, ["denom"]],
  [10, "get", `${BANK}/supply`, PAGE],
  [11, "get", `${BANK}/balances`, ["address", ...PAGE]],
  [12, "get", `${BANK}/spendable_balances`, ["address", ...PAGE]],
  [13, "get", "/core/auth/v1beta1/accounts", PAGE],
  [14, "get", `${CONSENSUS}/blocks`, ["height"]],
  [15, "get", `${CONSENSUS}/blocks/latest`, []],
  [16, "get", `${CONSENSUS}/node_info`, []],
  [17, "get", "/core/tx/v1beta1/txs/block", ["height"]],
  [18, "post", "/core/tx/v1beta1/simulate", []],
];

const opened: OpenedStore[] = [];
let dev: Door;
let rich: Door;
let recorded: Door;
let document: OpenApi;
let check: Check;

beforeAll(async () => {
  dev = await doorOver("orrery-1", loadDevChain);
  rich = await doorOver("reference-1", async (store) => {
    await commitBlock(store, { changes: await sampleChanges() });
    await commitBlock(store, richBlock());
  });
  recorded = await doorOver("reference-1", loadRecording);
  document = (await dev.get("/openapi.json")).body as unknown as OpenApi;
  check = checkerOf(document);
});

afterAll(async () => {
  for (const { dispose } of opened) await dispose();
});

async function doorOver(chainId: string, fill: (store: OpenedStore["store"]) => Promise<void>): Promise<Door> {
  const engine = openStore("memory");
  opened.push(engine);
  await fill(engine.store);
  return directDoor(engine.store, { ...NODE, chainId });
}

function entries(): { path: string; method: string; entry: Entry }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ path, method, entry })),
  );
}

/** What an answer has that the document does not say of it. */
async function misfits(door: Door, url: string): Promise<string[]> {
  const entry = entryOf(document, "GET", url);
  const { status, body, text } = await door.get(url);
  if (entry === undefined) return [`${url}: not in the document, answers ${status}`];
  if (status !== 200) return check({ $ref: "#/components/schemas/Error" }, body).map((line) => `${url}: ${line}`);
  return check(answerSchema(entry), body).map((line) => `${url}: ${line} in ${text.slice(0, 200)}`);
}

test("the document is valid OpenAPI 3.1", async () => {
  expect(document.openapi).toBe("3.1.0");
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test("a document that is not valid is told apart", async () => {
  const broken = { ...structuredClone(document), paths: { "/x": { get: { responses: 5 } } } };
  expect((await new Validator().validate(broken as never)).valid).toBe(false);
});

test("every operation and parameter of the interface document is in it", () => {
  for (const [number, method, path, parameters] of INTERFACE) {
    const entry = document.paths[path]?.[method] as Entry;
    const operation = entry["x-operations"]?.find(({ id }) => id === OPERATIONS[number - 1]?.id);
    expect(operation?.parameters).toEqual(expect.arrayContaining([...parameters]));
    const described = (entry.parameters ?? []).filter(({ description }) => description !== "").map(({ name }) => name);
    expect(described).toEqual(expect.arrayContaining([...parameters]));
  }
  const body = document.paths["/core/tx/v1beta1/simulate"]?.post?.requestBody?.content as JsonObject;
  const schema = (body["application/json"] as JsonObject).schema as JsonObject;
  expect(schema.required).toEqual(["tx", "tx_bytes"]);
});

test("every route is in it once, under a name of its own", () => {
  const wanted = [...OPERATIONS, ...NEIGHBOURS].flatMap((each) => ("path" in each ? [each.path] : []));
  const ecosystem = [...OPERATIONS, ...NEIGHBOURS].flatMap(({ ecosystemPath }) => ecosystemPath ?? []);
  // Two paths that differ in the name of a parameter alone are one in OpenAPI.
  const form = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");
  const forms = Object.keys(document.paths).map(form);
  for (const path of [...wanted, ...ecosystem]) expect(forms).toContain(form(path));
  expect(new Set(forms).size).toBe(forms.length);
  const ids = entries().map(({ entry }) => entry.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("each of the 18 operations has an example, and asking it again gives the same", async () => {
  const shown = new Map<string, { summary: string; value: Json }>();
  for (const { path, method, entry } of entries()) {
    const content = (entry.responses["200"] as JsonObject).content as JsonObject;
    const { schema, examples = {} } = content["application/json"] as { schema: Json; examples?: JsonObject };
    for (const [id, example] of Object.entries(examples)) {
      const { summary, value } = example as { summary: string; value: Json };
      expect(check(schema, value).map((line) => `${method} ${path} ${id}: ${line}`)).toEqual([]);
      if (!path.startsWith("/cosmos")) shown.set(id, { summary, value });
      if (method !== "get") continue;
      expect(entryOf(document, "GET", summary)).toBe(entry);
      expect((await dev.get(summary)).body).toEqual(value);
    }
  }
  const own = ["getAssetList", "getChainJson", "resolveDid"];
  expect([...shown.keys()].sort()).toEqual([...OPERATIONS.map(({ id }) => id), ...own].sort());
});

test("so has every neighbour on a chain that has executed a transaction, and sending one changes nothing", async () => {
  const node = await openDevNode({ sampleTxs: true });
  // The newest transaction is found however many blocks came after it.
  for (let i = 0; i < 25; i++) await node.produceBlock([]);
  const { paths } = (await (await fetch(`${node.url}/openapi.json`)).json()) as OpenApi;
  const shown = new Map<string, { summary: string; value: JsonObject; body: Json }>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, entry] of Object.entries(methods)) {
      const content = (entry.responses["200"] as JsonObject).content as JsonObject;
      const { schema, examples = {} } = content["application/json"] as { schema: Json; examples?: JsonObject };
      const given = (entry.requestBody?.content as JsonObject | undefined)?.["application/json"] as JsonObject;
      for (const [id, example] of Object.entries(examples)) {
        const { summary, value } = example as { summary: string; value: JsonObject };
        expect(check(schema, value).map((line) => `${method} ${path} ${id}: ${line}`)).toEqual([]);
        shown.set(id, { summary, value, body: given?.example ?? null });
      }
    }
  }
  expect(NEIGHBOURS.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  for (const id of ["encodeTx", "decodeTx", "broadcastTx"]) {
    const { summary, value, body } = shown.get(id) as { summary: string; value: JsonObject; body: Json };
    const again = await fetch(node.url + summary, { method: "POST", body: JSON.stringify(body) });
    expect(await again.json()).toEqual(value);
  }
  const refused = shown.get("broadcastTx")?.value.tx_response as JsonObject;
  expect(refused.raw_log).toMatch(/account sequence mismatch/);
  expect(node.txEntry.size().txs).toBe(0);
  await node.close();
});

test("the example of a simulation can be sent", async () => {
  for (const path of ["/core/tx/v1beta1/simulate", "/cosmos/tx/v1beta1/simulate"]) {
    const entry = document.paths[path]?.post as Entry;
    const { example } = entry["x-operations"]?.[0] ?? {};
    const body = example?.body as string;
    const { status, body: answer } = await dev.send(`${path}?skip_sequence_check=true`, { method: "POST", body });
    expect(status).toBe(200);
    expect(check(answerSchema(entry), answer)).toEqual([]);
  }
});

test("answers with every structure filled fit their schemas, in both spellings", async () => {
  const documents = ((await rich.get("/vendor/project/identity/did")).body as JsonObject).didDocument as JsonObject[];
  const urls = [
    ...documents.map(({ iD }) => `/vendor/project/identity/key?key_id=${encodeURIComponent(iD as string)}`),
    ...["", "?pagination.limit=1", "?pagination.reverse=true"].flatMap((query) =>
      ["/vendor/project/identity/did", `${BANK}/supply`, "/core/auth/v1beta1/accounts"].map((path) => path + query),
    ),
    ...["/core/auth", "/cosmos/auth"].map((prefix) => `${prefix}/v1beta1/accounts`),
    ...["1", "2"].flatMap((height) => [
      `${CONSENSUS}/blocks?height=${height}`,
      `/cosmos/base/tendermint/v1beta1/blocks/${height}`,
      `/core/tx/v1beta1/txs/block?height=${height}`,
      `/cosmos/tx/v1beta1/txs/block/${height}`,
    ]),
  ];
  const wrong = await Promise.all(urls.map((url) => misfits(rich, url)));
  expect(wrong.flat()).toEqual([]);
});

test("a block with a transaction that cannot be decoded fits too", async () => {
  const { text } = await dev.get("/core/tx/v1beta1/txs/block?height=3");
  expect(text).toContain('"decode_error"');
  expect(await misfits(dev, "/core/tx/v1beta1/txs/block?height=3")).toEqual([]);
  expect(await misfits(dev, "/cosmos/tx/v1beta1/txs/block/3")).toEqual([]);
});

test("answers and errors of the recorded chain fit, under the paths that were recorded", async () => {
  const files = ["accounts", "balances", "blocks", "denoms_metadata", "spendable_balances", "supply", "txs_block"];
  const paths = new Set(files.flatMap((file) => recordedCases(file).map(({ path }) => path)));
  const known = [...paths].filter((path) => entryOf(document, "GET", path) !== undefined);
  expect(known.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const path of known) wrong.push(...(await misfits(recorded, path)));
  expect(wrong).toEqual([]);
});

test("what a real node answered fits the schemas of the ecosystem's spelling", () => {
  const cases = ["accounts", "balances", "blocks", "supply", "txs_block"].flatMap(recordedCases);
  const answered = cases.filter(({ status, path }) => status === 200 && entryOf(document, "GET", path) !== undefined);
  expect(answered.length).toBeGreaterThan(30);
  const wrong = answered.flatMap(({ path, body }) =>
    check(answerSchema(entryOf(document, "GET", path) as Entry), body).map((line) => `${path}: ${line}`),
  );
  expect(wrong).toEqual([]);
});

test("a schema refuses what no answer may be", async () => {
  const url = `${BANK}/supply`;
  const schema = answerSchema(entryOf(document, "GET", url) as Entry);
  const { supply, pagination } = (await dev.get(url)).body as JsonObject;
  for (const wrong of [
    { supply },
    { supply: "x", pagination },
    { supply: [{ denom: "uorr", amount: 5 }], pagination },
    { supply, pagination: { next_key: null, total: 5 } },
    { supply, pagination: { next_key: "%", total: "5" } },
    { supply, pagination, more: 1 },
  ]) {
    expect(check(schema, wrong)).not.toEqual([]);
  }
  const accounts = answerSchema(entryOf(document, "GET", "/core/auth/v1beta1/accounts") as Entry);
  const account = { "@type": "/cosmos.auth.v1beta1.BaseAccount", address: "x" };
  expect(check(accounts, { accounts: [account], pagination: pagination as Json })).not.toEqual([]);
});

test("every query parameter of the document is one that its operation reads", async () => {
  const unread: string[] = [];
  for (const { path, method, entry } of entries()) {
    if (path.startsWith("/1.0/")) continue; // its parameters have tests of their own
    const query = (entry.parameters ?? []).filter((parameter) => parameter.in === "query");
    for (const { name, schema } of query) {
      if (method !== "get" || (schema as JsonObject).type === "array") continue;
      const url = path.replaceAll(/\{\w+\}/g, "1");
      const value = name === "pagination.key" || name === "data" ? "AAAA" : "1";
      const { status, text } = await dev.get(`${url}?${name}=${value}&${name}=${value}`);
      if (status !== 400 || !text.includes(`${name}: given more than once`)) unread.push(`${path} ${name}: ${text}`);
    }
  }
  expect(unread).toEqual([]);
});

test("the headers of the document come with answers, and choose the height", async () => {
  const entry = entryOf(document, "GET", `${BANK}/supply`) as Entry;
  const headers = Object.keys((entry.responses["200"] as JsonObject).headers as JsonObject);
  const reply = await dev.get(`${BANK}/supply`, { "x-cosmos-block-height": "2" });
  for (const name of headers) expect(reply.headers.get(name)).not.toBeNull();
  expect(reply.headers.get("x-core-block-height")).toBe("2");
});
