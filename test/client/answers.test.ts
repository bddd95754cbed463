// The client's types against real answers, field by field: a full answer of each operation is accepted as it is, and
// every field of it is refused when it is missing or of another kind. The answers themselves are held against the
// interface document, so the types are too.

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { DescEnum } from "@bufbuild/protobuf";
import { ROOT } from "../../scripts/step.ts";
import { type Client, createClient, type IntegerForm } from "../../src/client/client.ts";
import { OPERATIONS, type Operation, type OperationId } from "../../src/client/operations.ts";
import { SignModeSchema } from "../../src/gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { KeyTypeSchema } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import { ServiceTypeSchema } from "../../src/gen/orrery/identity/v1/query_pb.ts";
import { BlockIDFlagSchema, SignedMsgTypeSchema } from "../../src/gen/tendermint/types/types_pb.ts";
import * as document from "../contract/interface-document.ts";
import {
  boolean,
  bytes,
  enumeration,
  integer,
  type Look,
  list,
  object,
  type Shape,
  string,
  typed,
} from "../contract/interface-shapes.ts";
import { type Door, directDoor, type Json } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { richBlock } from "../harness/rich-block.ts";
import { addressText, RICH_DID, sampleChanges } from "../harness/sample-state.ts";
import { commitBlock } from "../harness/test-chain.ts";
import { openTestNode, type TestNode } from "./client-node.ts";
import { fieldsOf } from "./field-types.ts";
import { literal, typedLines } from "./type-check.ts";

const opened = openStore("memory");
let door: Door;
let node: TestNode;

beforeAll(async () => {
  await commitBlock(opened.store, { changes: await sampleChanges() });
  await commitBlock(opened.store, richBlock());
  door = directDoor(opened.store);
  node = await openTestNode();
});

afterAll(async () => {
  await door.close();
  await opened.dispose();
  await node.close();
});

/** A client of the state that has something of everything. */
function richClient<Form extends IntegerForm>(integers: Form) {
  return createClient("http://rich.example", {
    integers,
    fetch: async (url, init) => {
      const { status, headers, text } = await door.send(url.slice("http://rich.example".length), init);
      return new Response(text, { status, headers });
    },
  });
}

/** One call of each operation, with an answer that has all its fields filled. */
const CALLS: { readonly [Id in OperationId]: (client: Client<string | bigint>) => Promise<object> } = {
  listDocuments: (client) => client.listDocuments(),
  getDocument: (client) => client.getDocument({ did: RICH_DID }),
  getDocumentByKey: (client) => client.getDocumentByKey({ key_id: `${RICH_DID}#key` }),
  getDocumentByService: (client) => client.getDocumentByService({ service_id: `${RICH_DID}#vault` }),
  getDocumentByNetwork: (client) => client.getDocumentByNetwork({ network_id: "devnet" }),
  getDocumentByMethod: (client) => client.getDocumentByMethod({ method_id: `${RICH_DID}#key` }),
  getDocumentByAlias: (client) => client.getDocumentByAlias({ aka_id: "rich.orr" }),
  listTokens: (client) => client.listTokens(),
  getToken: (client) => client.getToken({ denom: "uorr" }),
  listSupply: (client) => client.listSupply({ pagination: { limit: 1 } }),
  listBalances: (client) => client.listBalances({ address: addressText("continuous") }),
  listSpendableBalances: (client) => client.listSpendableBalances({ address: addressText("base") }),
  listAccounts: (client) => client.listAccounts(),
  getBlock: (client) => client.getBlock({ height: 2 }),
  getLatestBlock: (client) => client.getLatestBlock(),
  getNodeInfo: (client) => client.getNodeInfo(),
  listBlockTxs: (client) => client.listBlockTxs({ height: 2n }),
  simulateTx: (client) => client.simulateTx({ tx_bytes: node.txBytes }),
};

const valcons = enumeration(/^cosmosvalcons1[a-z0-9]{38}$/);
const { pagination, coin, token, listedDocument, foundDocument, blockId, nodeInfo, transaction } = document;
const found = object({ didDocument: foundDocument });
const block = document.block(bytes);
const blockAnswer = object({ block_id: blockId, block, sdk_block: document.block(valcons) });
const event = object({ type: string, attributes: list(object({ key: string, value: string, index: boolean })) });

/** Part 4 of the interface document. */
const SHAPES: { readonly [Id in OperationId]: Shape } = {
  listDocuments: object({ didDocument: list(listedDocument), pagination }),
  getDocument: object({ didDocument: listedDocument }),
  getDocumentByKey: found,
  getDocumentByService: found,
  getDocumentByNetwork: found,
  getDocumentByMethod: found,
  getDocumentByAlias: found,
  listTokens: object({ metadatas: list(token), pagination }),
  getToken: object({ metadata: token }),
  listSupply: object({ supply: list(coin), pagination }),
  listBalances: object({ balances: list(coin), pagination }),
  listSpendableBalances: object({ balances: list(coin), pagination }),
  listAccounts: object({ accounts: list(typed), pagination }),
  getBlock: blockAnswer,
  getLatestBlock: blockAnswer,
  getNodeInfo: nodeInfo,
  listBlockTxs: object({ txs: list(transaction), block_id: blockId, block, pagination }),
  simulateTx: object({
    gas_info: object({ gas_wanted: integer, gas_used: integer }),
    result: object({ data: bytes, log: string, events: list(event), msg_responses: list(typed) }),
  }),
};

const IDS = Object.keys(OPERATIONS) as OperationId[];
const clientFor = (id: OperationId, form: IntegerForm) =>
  (id === "simulateTx" ? createClient(node.url, { integers: form }) : richClient(form)) as Client<string | bigint>;

const IMPORTS = `import type * as client from ${JSON.stringify(`${ROOT}/src/client/client.ts`)};`;

test("answers are those of the interface document", async () => {
  const look: Look = { seen: new Set(), wrong: [] };
  for (const id of IDS) SHAPES[id]((await CALLS[id](clientFor(id, "string"))) as Json, id, look);
  expect(look.wrong).toEqual([]);
});

test("the types accept them, with strings and with bigints, and neither in the place of the other", async () => {
  const lines = typedLines(IMPORTS);
  for (const id of IDS) {
    const strings = literal(await CALLS[id](clientFor(id, "string")));
    const bigints = literal(await CALLS[id](clientFor(id, "bigint")));
    lines.accept(`client.Answers["${id}"]`, strings);
    lines.accept(`client.Answers<bigint>["${id}"]`, bigints);
    if (strings === bigints) continue;
    lines.refuse(`client.Answers["${id}"]`, bigints);
    lines.refuse(`client.Answers<bigint>["${id}"]`, strings);
  }
  expect(await lines.check()).toBe("");
  // Eleven operations answer integers of 64 bits.
  expect(lines.count()).toBe(2 * 18 + 2 * 11);
});

test("the types refuse every field when it is missing, and when it is of another kind", async () => {
  const lines = typedLines(IMPORTS);
  for (const id of IDS) {
    for (const { holder, name, value, optional } of fieldsOf(
      await CALLS[id](clientFor(id, "string")),
      `client.Answers["${id}"]`,
    )) {
      const key = name === null ? "number" : JSON.stringify(name);
      lines.refuse(`${holder}[${key}]`, typeof value === "boolean" ? '"text"' : "true");
      if (!optional) lines.refuse(holder, `{} as Omit<${holder}, ${key}>`);
    }
  }
  expect(await lines.check()).toBe("");
  expect(lines.count()).toBeGreaterThan(1200);
});

test("enumerations have the names of the descriptors, all of them", async () => {
  const lines = typedLines(IMPORTS);
  const enums: readonly [string, DescEnum][] = [
    ["KeyType", KeyTypeSchema],
    ["ServiceType", ServiceTypeSchema],
    ["BlockIdFlag", BlockIDFlagSchema],
    ["SignedMsgType", SignedMsgTypeSchema],
    ["SignMode", SignModeSchema],
  ];
  for (const [type, desc] of enums) {
    lines.accept(`Record<client.${type}, 0>`, literal(Object.fromEntries(desc.values.map(({ name }) => [name, 0]))));
  }
  expect(await lines.check()).toBe("");
});

test("parameters: those of the table are accepted, a missing or an unknown one is refused", async () => {
  const lines = typedLines(IMPORTS);
  for (const id of IDS) {
    const operation: Operation = OPERATIONS[id];
    const type = `client.Parameters["${id}"]`;
    const given = Object.fromEntries([...operation.query, ...operation.body].map((name) => [name, valueFor(name)]));
    lines.accept(type, nested(given));
    lines.refuse(type, nested({ ...given, surplus: "1" }));
    if (operation.query.includes("pagination.limit"))
      lines.refuse(type, nested({ ...given, "pagination.surplus": "1" }));
    for (const name of operation.required) lines.refuse(type, nested({ ...given, [name]: undefined }));
    if (operation.required.length === 0 && id !== "simulateTx") lines.accept(type, "{}");
  }
  lines.refuse('client.Parameters["simulateTx"]', "{}");
  lines.accept('client.Parameters["simulateTx"]', '{ tx: "{}" }');
  lines.accept('client.Parameters["simulateTx"]', "{ tx_bytes: new Uint8Array(1) }");
  expect(await lines.check()).toBe("");
});

const FLAGS = ["pagination.count_total", "pagination.reverse", "skip_sequence_check"];

function valueFor(name: string): unknown {
  if (FLAGS.includes(name)) return true;
  return name === "height" || name === "pagination.limit" ? 1n : "1";
}

/** `{"pagination.limit": 1}` as `{pagination: {limit: 1}}`; what is undefined is left out. */
function nested(flat: Record<string, unknown>): string {
  const outer: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    const [first, second] = name.split(".") as [string, string?];
    if (value === undefined) continue;
    if (second === undefined) outer[first] = value;
    else outer[first] = { ...(outer[first] as object | undefined), [second]: value };
  }
  return literal(outer);
}
