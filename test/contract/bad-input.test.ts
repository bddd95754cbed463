// Wrong input for every parameter of every operation: a 4xx with the one error body, the parameter named, and a node
// that goes on answering.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encodeAddress } from "../../src/codec/address.ts";
import { type Door, type JsonObject, openDoor } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { addressText, RICH_DID, sampleChanges } from "../harness/sample-state.ts";
import { commitBlock } from "../harness/test-chain.ts";

type Row = {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  /** Default 400. */
  readonly status?: number;
  /** What the message begins with. */
  readonly begins: string;
  /** What it says besides. */
  readonly says?: string;
};

const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";
const BANK = "/core/bank/v1beta1";
const NODE = "/core/base/consensus/v1beta1";
const TXS = "/core/tx/v1beta1/txs/block";
const COSMOS_BANK = "/cosmos/bank/v1beta1";
const HOLDER = addressText("base");

/** The list operations, each with the parameters it needs; the query goes on behind. */
const LISTS = [
  `${DID}?`,
  `${BANK}/denoms_metadata?`,
  `${BANK}/supply?`,
  `${BANK}/balances?address=${HOLDER}&`,
  `${BANK}/spendable_balances?address=${HOLDER}&`,
  "/core/auth/v1beta1/accounts?",
  `${TXS}?height=1&`,
];
const COSMOS_LISTS = [
  `${COSMOS_BANK}/denoms_metadata?`,
  `${COSMOS_BANK}/supply?`,
  `${COSMOS_BANK}/balances/${HOLDER}?`,
  `${COSMOS_BANK}/spendable_balances/${HOLDER}?`,
  "/cosmos/auth/v1beta1/accounts?",
  "/cosmos/tx/v1beta1/txs/block/1?",
];

const ALL_FIVE = "exactly one of key_id, service_id, network_id, method_id, aka_id is required";
const LONG = "9".repeat(5000);
/** As they stand in a URL: signs, other bases, separators, other digits, spaces, control characters, bad escapes. */
const BAD_NUMBERS = [
  "abc",
  "-1",
  "%2B1",
  "+1",
  "1.5",
  "1e3",
  "0x10",
  "0b1",
  "1_000",
  "%201",
  "1%20",
  "1%00",
  "1%0A",
  "%EF%BC%91",
  "18446744073709551616",
  LONG,
  "%FF",
  "%ED%A0%80",
  "%zz",
  "%",
];
const BAD_BOOLEANS = ["maybe", "yes", "2", "tRUE", "true%20", "%00", "null", "-1", "%C3%28"];
const BAD_KEYS = ["!!!!", "A", "AQ=", "AQ===", "=AQ=", "AQ==AQ==", "%00", "%E2%82", "A%0AQ==", "%F0%9F%98%80"];

const PAGINATION: readonly Row[] = [
  ...LISTS.flatMap((list) => paginationRows(list, (values) => values)),
  // The ecosystem's paths share the decoder: every fourth value shows that they share its refusals too.
  ...COSMOS_LISTS.flatMap((list, i) => paginationRows(list, (values) => values.filter((_, n) => n % 4 === i % 4))),
];

function paginationRows(list: string, of: (values: readonly string[]) => readonly string[]): Row[] {
  const rows = (name: string, values: readonly string[]) =>
    of(values).map((value): Row => ({ path: `${list}${name}=${value}`, begins: `${name}: ` }));
  return [
    ...rows("pagination.limit", BAD_NUMBERS),
    ...rows("pagination.offset", BAD_NUMBERS),
    ...rows("pagination.count_total", BAD_BOOLEANS),
    ...rows("pagination.reverse", BAD_BOOLEANS),
    ...rows("pagination.key", BAD_KEYS),
    { path: `${list}pagination.limit=1&pagination.limit=1`, begins: "pagination.limit: ", says: "more than once" },
    { path: `${list}pagination.countTotal=true&pagination.count_total=true`, begins: "pagination.count_total: " },
    { path: `${list}pagination.reverse=&pagination.reverse=`, begins: "pagination.reverse: ", says: "more than once" },
    { path: `${list}pagination.key=dW9ycg%3D%3D&pagination.offset=1`, begins: "pagination.", says: "got both" },
  ];
}

const BAD_DIDS = [
  "",
  "%20",
  "did",
  "did:",
  "did:orr",
  "did:orr:",
  "did::x",
  "did:ORR:x",
  "DID:orr:x",
  "did:orr:a%20b",
  "%20did:orr:a",
  "did:orr:a%2520b%25zz",
  "did:orr:%C3%A9",
  "did:orr:a%2Fpath",
  "did:orr:a%23key",
  "did:orr:a%3Fq",
  "did:orr:a%00",
  "did:orr:%FF",
  "did:orr:%ED%A0%80",
  "https://example.org",
  `did:orr:${"x".repeat(5000)}!`,
];

const BAD_LOOK_UPS: readonly (readonly [string, readonly string[]])[] = [
  [
    "key_id",
    ["did:orr", "did:orr:a%23a%20b", "did:orr:a%23b%23c", "nothing", "z0OIl", "a%00b", "%FF", "x".repeat(3000)],
  ],
  ["service_id", ["did:orr:", "nothing", "1http:x", "http:%20x", "%ED%A0%80", "x".repeat(3000)]],
  ["network_id", ["a%20b", "a:b:c", ":", "net%2Fwork", "%00", "n%C3%A9t", "x".repeat(3000)]],
  ["method_id", ["ORR", "did:", "did:ORR", "did:orr:a", "a%20b", "did:orr:a%23%20", "%E2%28%A1", "x!".repeat(1500)]],
  ["aka_id", ["a%20b", "a%00b", "a%0Ab", "%C2%85x", "%FF", "a%E2%80%A8b", "x".repeat(3000)]],
];

const IDENTITY: readonly Row[] = [
  ...BAD_DIDS.map((did) => ({ path: `${DID}?did=${did}`, begins: "did: " })),
  { path: `${DID}?did`, begins: "did: " },
  { path: `${DID}?did=${RICH_DID}&did=${RICH_DID}`, begins: "did: ", says: "more than once" },
  { path: `${DID}?did=did:orr:devnet:nobody`, status: 404, begins: "did document not found: did:orr:devnet:nobody" },
  ...BAD_LOOK_UPS.flatMap(([name, values]) => [
    ...values.map((value) => ({ path: `${LOOK_UP}?${name}=${value}`, begins: `${name}: ` })),
    { path: `${LOOK_UP}?${name}=`, begins: ALL_FIVE },
    { path: `${LOOK_UP}?${name}=%20%09`, begins: ALL_FIVE },
    { path: `${LOOK_UP}?${name}=did:orr:a%23b&${name}=did:orr:a%23b`, begins: `${name}: `, says: "more than once" },
  ]),
  { path: LOOK_UP, begins: ALL_FIVE, says: "none" },
  { path: `${LOOK_UP}?did=${RICH_DID}`, begins: ALL_FIVE, says: "none" },
  { path: `${LOOK_UP}?key_id=did:orr:a&aka_id=x`, begins: ALL_FIVE, says: "given: key_id, aka_id" },
  { path: `${LOOK_UP}?network_id=a&method_id=b&service_id=c`, begins: ALL_FIVE },
  ...[
    "key_id=did:orr:devnet:no%23key",
    "service_id=https://no.example",
    "network_id=nonet",
    "method_id=nomethod",
    "aka_id=no",
  ].map((query) => ({
    path: `${LOOK_UP}?${query}`,
    status: 404,
    begins: `did document not found by ${query.split("=")[0]}`,
  })),
];

const BAD_DENOMS = [
  "",
  "a",
  "1abc",
  "!",
  "a%20b",
  "u%C3%A9uro",
  "u%00orr",
  "%FF%FF%FF",
  "%ED%A0%80abc",
  "x".repeat(129),
];

const TOKENS: readonly Row[] = [
  ...BAD_DENOMS.map((denom) => ({ path: `${BANK}/denoms_metadata?denom=${denom}`, begins: "denom: " })),
  ...["a", "!", "1abc", "a%20b", "%FF", "x".repeat(129)].map((denom) => ({
    path: `${COSMOS_BANK}/denoms_metadata/${denom}`,
    begins: "denom: invalid denom: ",
  })),
  { path: `${COSMOS_BANK}/denoms_metadata/`, begins: "denom: invalid denom: " },
  { path: `${BANK}/denoms_metadata?denom=uorr&denom=uorr`, begins: "denom: ", says: "more than once" },
  { path: `${BANK}/denoms_metadata?denom=nothing`, status: 404, begins: "client metadata for denom nothing" },
  { path: `${COSMOS_BANK}/denoms_metadata/nothing`, status: 404, begins: "client metadata for denom nothing" },
  {
    path: `${COSMOS_BANK}/denoms_metadata/ibc%2Fnothing`,
    status: 404,
    begins: "client metadata for denom ibc/nothing",
  },
];

/** Every refusal of query-semantics 4.4, with its sentence. */
const BAD_ADDRESSES: readonly (readonly [string, string])[] = [
  ["", "empty address string is not allowed"],
  ["%20%20", "empty address string is not allowed"],
  ["cosmos1", "decoding bech32 failed: invalid bech32 string length 7"],
  [`cosmos1${"q".repeat(1100)}`, "decoding bech32 failed: invalid bech32 string length 1107"],
  [`%20${HOLDER}`, "decoding bech32 failed: invalid character in string: ' '"],
  [`${HOLDER}%00`, "decoding bech32 failed: invalid character in string"],
  ["cosmos1%C3%A9qqqqqqqq", "decoding bech32 failed: invalid character in string: 'Ã'"],
  [HOLDER.replace("cosmos", "Cosmos"), "decoding bech32 failed: string not all lowercase or all uppercase"],
  [HOLDER.slice(0, -1) + HOLDER.at(-1)!.toUpperCase().replace(/\d/, "Q"), "decoding bech32 failed: "],
  ["not-an-address", "decoding bech32 failed: invalid separator index -1"],
  ["1qqqqqqqqqq", "decoding bech32 failed: invalid separator index 0"],
  ["cosmos1qqqqq", "decoding bech32 failed: invalid separator index 6"],
  ["cosmos1bqqqqqqqqqq", "decoding bech32 failed: invalid character not part of charset: 98"],
  [HOLDER.slice(0, -1) + (HOLDER.endsWith("q") ? "p" : "q"), "decoding bech32 failed: invalid checksum (expected "],
  [encodeAddress("osmo", new Uint8Array(20)), "invalid Bech32 prefix; expected cosmos, got osmo"],
  [encodeAddress("cosmosvaloper", new Uint8Array(20)), "invalid Bech32 prefix; expected cosmos, got cosmosvaloper"],
  [encodeAddress("cosmos", new Uint8Array(0)), "addresses cannot be empty: unknown address"],
  [encodeAddress("cosmos", new Uint8Array(256)), "address max length is 255, got 256: unknown address"],
];

const ADDRESSES: readonly Row[] = ["balances", "spendable_balances"].flatMap((name) => [
  ...BAD_ADDRESSES.flatMap(([address, sentence]) => {
    const begins = `address: invalid address: ${sentence}`;
    return [
      { path: `${BANK}/${name}?address=${address}`, begins },
      { path: `${COSMOS_BANK}/${name}/${address}`, begins },
    ];
  }),
  { path: `${BANK}/${name}`, begins: "address: " },
  { path: `${BANK}/${name}?address`, begins: "address: " },
  { path: `${BANK}/${name}?address=%FF`, begins: "address: " },
  { path: `${BANK}/${name}?address=%ED%A0%80`, begins: "address: " },
  { path: `${BANK}/${name}?address=${HOLDER}&address=${HOLDER}`, begins: "address: ", says: "more than once" },
]);

const BAD_HEIGHTS = ["", "0", "00", "3", "999999999", "9223372036854775807", "9223372036854775808", ...BAD_NUMBERS];

const HEIGHTS: readonly Row[] = [
  ...[`${NODE}/blocks`, TXS].flatMap((path) => [
    ...BAD_HEIGHTS.map((height) => ({ path: `${path}?height=${height}`, begins: "height: " })),
    { path, begins: "height: ", says: "missing parameter height" },
    { path: `${path}?height`, begins: "height: " },
    { path: `${path}?height=1&height=2`, begins: "height: ", says: "more than once" },
  ]),
  ...["/cosmos/base/tendermint/v1beta1/blocks", "/cosmos/tx/v1beta1/txs/block"].flatMap((path) =>
    [
      "",
      "0",
      "3",
      "-1",
      "abc",
      "0x1",
      "1_0",
      "1.0",
      "%20",
      "%FF",
      "%00",
      "9223372036854775808",
      LONG.slice(0, 2000),
    ].map((height) => ({ path: `${path}/${height}`, begins: "height: " })),
  ),
];

const HEIGHT_HEADERS: readonly Row[] = ["x-cosmos-block-height", "x-core-block-height"].flatMap((header) => [
  ...[
    "abc",
    "-1",
    "+1",
    "1.5",
    "1e0",
    "0x1",
    "1_0",
    "",
    "1, 1",
    "1,2",
    "18446744073709551616",
    "9".repeat(400),
    "1 2",
  ].map((value) => ({ path: `${BANK}/supply`, headers: { [header]: value }, begins: `${header}: ` })),
  ...["3", "9223372036854775807"].map((value) => ({
    path: `${BANK}/supply`,
    headers: { [header]: value },
    begins: `${header}: `,
    says: `in the future; please provide a valid height: ${value} is above the newest one; the kept heights are 1 to 2`,
  })),
  ...[
    `${DID}`,
    `${DID}?did=${RICH_DID}`,
    `${LOOK_UP}?aka_id=rich.orr`,
    `${NODE}/node_info`,
    `${NODE}/blocks/latest`,
  ].map((path) => ({ path, headers: { [header]: "3" }, begins: `${header}: ` })),
  { path: `${NODE}/blocks?height=2`, headers: { [header]: "1" }, begins: "height: " },
  { path: `${TXS}?height=2`, headers: { [header]: "1" }, begins: "height: " },
]);

const DISAGREEING: readonly Row[] = [
  {
    path: `${BANK}/supply`,
    headers: { "x-cosmos-block-height": "1", "x-core-block-height": "2" },
    begins: "x-cosmos-block-height: differs from x-core-block-height",
  },
];

const GET_PATHS = [DID, LOOK_UP, `${BANK}/supply`, `${NODE}/blocks/latest`, TXS, `${COSMOS_BANK}/balances/${HOLDER}`];
const ROUTES: readonly Row[] = [
  ...GET_PATHS.flatMap((path) =>
    ["POST", "PUT", "DELETE", "PATCH"].map((method) => ({ path, method, status: 405, begins: "" })),
  ),
  { path: "/core/tx/v1beta1/simulate", method: "GET", status: 405, begins: "" },
  { path: "/cosmos/tx/v1beta1/simulate", method: "DELETE", status: 405, begins: "" },
  ...[
    "/nothing",
    "/core",
    "/core/bank/v1beta1",
    "/vendor/project/identity",
    `${BANK}/supply/`,
    `${BANK}/Supply`,
    "/cosmosis/x",
  ].map((path) => ({ path, status: 404, begins: "" })),
  ...["/cosmos/", "/cosmos/gov/v1/proposals", `${COSMOS_BANK}/supply/`, "/cosmos/staking/v1beta1/validators"].map(
    (path) => ({ path, status: 501, begins: "Not Implemented" }),
  ),
];

const ROWS = [
  ...PAGINATION,
  ...IDENTITY,
  ...TOKENS,
  ...ADDRESSES,
  ...HEIGHTS,
  ...HEIGHT_HEADERS,
  ...DISAGREEING,
  ...ROUTES,
];
const CODES: Record<number, number> = { 400: 3, 404: 5, 405: 12, 501: 12 };

const opened = openStore("sqlite");
let door: Door;

beforeAll(async () => {
  await commitBlock(opened.store, { changes: await sampleChanges() });
  await commitBlock(opened.store);
  door = openDoor(opened.store);
});

afterAll(async () => {
  await door.close();
  await opened.dispose();
});

test("there are enough rows, and each is there once", () => {
  expect(ROWS.length).toBeGreaterThan(150);
  expect(new Set(ROWS.map((row) => JSON.stringify(row))).size).toBe(ROWS.length);
});

describe("wrong input", () => {
  for (const row of ROWS) {
    test(
      shortened(`${row.method ?? "GET"} ${row.path} ${row.headers === undefined ? "" : JSON.stringify(row.headers)}`),
      async () => {
        const { status = 400, method = "GET", headers = {} } = row;
        const reply = await door.send(row.path, { method, headers });
        expect([reply.status, reply.text.slice(0, 600)]).toEqual([status, expect.anything()]);
        const { message } = reply.body as { message: string };
        expect(reply.body).toEqual({ code: CODES[status]!, message, details: [] });
        expect(message).toStartWith(row.begins);
        if (row.says !== undefined) expect(message).toContain(row.says);
        expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(512);
        expect(message.isWellFormed()).toBeTrue();
        expect(reply.headers.get("cache-control")).toBe("no-store");
        expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
        expect(reply.headers.get("access-control-allow-origin")).toBe("*");
        if (status === 405)
          expect(reply.headers.get("allow")).toInclude(row.path.endsWith("simulate") ? "POST" : "GET");
        const next = await door.get(`${DID}?did=${RICH_DID}`);
        expect(((next.body as JsonObject).didDocument as JsonObject).iD).toBe(RICH_DID);
      },
    );
  }
});

test("nothing of it was taken for a fault of the node", () => {
  expect(door.faults).toEqual([]);
});

function shortened(name: string): string {
  return name.length > 120 ? `${name.slice(0, 100)}… (${name.length} characters)` : name;
}
