// The body of operation 18: its two forms, its limits, and what a caller is told.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { packAny } from "../../src/codec/any.ts";
import { fromBase64, toBase64, utf8Decode } from "../../src/codec/bytes.ts";
import { compileJson } from "../../src/codec/transcode.ts";
import { MsgSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { TxBodySchema, TxRawSchema, TxSchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { type Door, type Json, type JsonObject, openDoor, type Reply } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { readFixture } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";

const ECOSYSTEM = "/cosmos/tx/v1beta1/simulate";
const PRIMARY = "/core/tx/v1beta1/simulate";
const PATHS = [PRIMARY, ECOSYSTEM];

type Recorded = { readonly name: string; readonly tx_bytes: string; readonly answer: JsonObject };
const CASES = readFixture<Recorded[]>("simulate.json");
const named = (name: string) => CASES.find((recorded) => recorded.name === name)!;
const GOOD = named("send to an existing account, no fee");
const OTHER = named("send to self");
const GOOD_JSON = utf8Decode(compileJson(TxSchema, "ecosystem")(fromBase64(GOOD.tx_bytes)));

let door: Door;
const { store, dispose } = openStore("memory");

beforeAll(async () => {
  await loadRecording(store);
  door = openDoor(store);
});

afterAll(async () => {
  await door.close();
  await dispose();
});

function post(path: string, body: Json | Uint8Array, headers: Record<string, string> = {}): Promise<Reply> {
  const content = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return door.send(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: content as string,
  });
}

function refusalOf({ status, body }: Reply): [number, number, string] {
  const { code, message } = body as { code: number; message: string };
  return [status, code, message];
}

describe("the two forms", () => {
  test.each<[string, string, Json]>([
    ["primary: bytes", PRIMARY, { tx: "", tx_bytes: GOOD.tx_bytes }],
    ["primary: base64 as tx", PRIMARY, { tx: GOOD.tx_bytes, tx_bytes: "" }],
    ["primary: JSON text as tx", PRIMARY, { tx: ` ${GOOD_JSON}`, tx_bytes: "" }],
    ["primary: both, and they agree", PRIMARY, { tx: GOOD_JSON, tx_bytes: GOOD.tx_bytes }],
    ["ecosystem: bytes", ECOSYSTEM, { tx_bytes: GOOD.tx_bytes }],
    ["ecosystem: bytes by their camelCase name", ECOSYSTEM, { txBytes: GOOD.tx_bytes }],
    ["ecosystem: an object", ECOSYSTEM, { tx: JSON.parse(GOOD_JSON) as Json }],
    ["ecosystem: bytes win", ECOSYSTEM, { tx: {}, tx_bytes: GOOD.tx_bytes }],
    ["ecosystem: unknown members are ignored", ECOSYSTEM, { tx_bytes: GOOD.tx_bytes, more: [1] }],
  ])("%s", async (_name, path, body) => {
    const reply = await post(path, body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(GOOD.answer);
  });

  test.each(["application/json; charset=utf-8", "text/plain", "application/problem+json", ""])(
    "content type %p is taken",
    async (type) => {
      expect((await post(ECOSYSTEM, { tx_bytes: GOOD.tx_bytes }, { "content-type": type })).status).toBe(200);
    },
  );
});

test("bytes in another form than JSON gives are the same transaction, and count as they are", async () => {
  const { status, body } = await post(PRIMARY, { tx: GOOD_JSON, tx_bytes: withEmptyMemo() });
  expect(status).toBe(200);
  // Two bytes more.
  expect((body as JsonObject).gas_info).toMatchObject({ gas_used: "42216" });
});

describe("refused", () => {
  const deep = `${"[".repeat(70)}${"]".repeat(70)}`;

  test.each<[string, string, Json, string]>([
    ["nothing given", PRIMARY, {}, "tx: is required"],
    ["no tx_bytes", PRIMARY, { tx: GOOD.tx_bytes }, "tx_bytes: is required"],
    ["no tx", PRIMARY, { tx_bytes: GOOD.tx_bytes }, "tx: is required"],
    ["both empty", PRIMARY, { tx: "", tx_bytes: "" }, "tx_bytes: empty txBytes is not allowed"],
    ["an object as tx", PRIMARY, { tx: {}, tx_bytes: "" }, "tx: must be a string"],
    ["a number as bytes", PRIMARY, { tx: "", tx_bytes: 1 }, "tx_bytes: must be a string"],
    ["two that differ", PRIMARY, { tx: OTHER.tx_bytes, tx_bytes: GOOD.tx_bytes }, "tx: differs from tx_bytes"],
    ["neither JSON nor base64", PRIMARY, { tx: "no!", tx_bytes: "" }, "tx: illegal base64 data at input byte 2"],
    ["JSON that ends early", PRIMARY, { tx: '{"body":', tx_bytes: "" }, "tx: malformed JSON"],
    ["JSON nested deep inside", PRIMARY, { tx: `{"a":${deep}}`, tx_bytes: "" }, "tx: json: nesting deeper than 32"],
    ["an unknown message", PRIMARY, { tx: '{"body":{"messages":[{"@type":"/x.Y"}]}}', tx_bytes: "" }, "tx: "],
    ["an empty body", ECOSYSTEM, "", "tx_bytes: empty txBytes is not allowed"],
    ["null", ECOSYSTEM, "null", "tx_bytes: empty txBytes is not allowed"],
    ["null as tx", ECOSYSTEM, { tx: null }, "tx_bytes: empty txBytes is not allowed"],
    [
      "text as tx",
      ECOSYSTEM,
      { tx: "x" },
      "tx: json: cannot unmarshal string into Go value of type map[string]json.RawMessage",
    ],
    [
      "a number as bytes there",
      ECOSYSTEM,
      { tx_bytes: 1 },
      "tx_bytes: json: cannot unmarshal number into Go value of type []uint8",
    ],
    ["base64 for URLs", ECOSYSTEM, { tx_bytes: "ab-_" }, "tx_bytes: illegal base64 data at input byte 2"],
    ["base64 without its end", ECOSYSTEM, { tx_bytes: "abcdef" }, "tx_bytes: illegal base64 data at input byte 4"],
    ["an object without messages", ECOSYSTEM, { tx: {} }, "must contain at least one message: invalid request"],
    [
      "text of such an object",
      PRIMARY,
      { tx: "{}", tx_bytes: "" },
      "must contain at least one message: invalid request",
    ],
    ["a list", ECOSYSTEM, [], "body: invalid request body: must be a JSON object"],
    ["null there", PRIMARY, "null", "body: invalid request body: must be a JSON object"],
    ["no JSON", ECOSYSTEM, "{", "body: malformed JSON"],
    ["nested too deep", ECOSYSTEM, deep, "body: json: nesting deeper than 32"],
  ])("%s", async (_name, path, body, begins) => {
    const [status, code, message] = refusalOf(await post(path, body));
    expect([status, code]).toEqual([400, 3]);
    expect(message).toStartWith(begins);
  });

  test.each(PATHS)("a body above 256 KiB: %s", async (path) => {
    const fits = JSON.stringify({ tx: "", tx_bytes: "A".repeat(256 * 1024 - 40) });
    expect((await post(path, fits)).status).toBe(400);
    expect(refusalOf(await post(path, `${fits}${" ".repeat(50)}`)).slice(0, 2)).toEqual([413, 8]);
  });

  test.each(["application/octet-stream", "application/x-www-form-urlencoded", "multipart/form-data", "jsonish"])(
    "content type %p",
    async (type) => {
      const [status, code, message] = refusalOf(await post(PRIMARY, "{}", { "content-type": type }));
      expect([status, code]).toEqual([415, 3]);
      expect(message).toStartWith("content-type: ");
    },
  );

  test("bytes that are not text", async () => {
    expect(refusalOf(await post(ECOSYSTEM, Uint8Array.of(0x7b, 0xff, 0x7d)))).toEqual([400, 3, "body: not UTF-8 text"]);
  });

  test("more than 100 messages", async () => {
    const message = packAny(MsgSendSchema, create(MsgSendSchema, { fromAddress: "a" }));
    const many = (count: number) => {
      const raw = fromBinary(TxRawSchema, fromBase64(GOOD.tx_bytes));
      raw.bodyBytes = toBinary(TxBodySchema, create(TxBodySchema, { messages: Array(count).fill(message) }));
      return post(ECOSYSTEM, { tx_bytes: toBase64(toBinary(TxRawSchema, raw)) });
    };
    expect(refusalOf(await many(101))[2]).toBe("101 messages are more than the 100 allowed here: invalid request");
    expect(refusalOf(await many(100))[2]).toStartWith("invalid from address");
  });
});

describe("what a failure tells programs", () => {
  const detailOf = (reply: Reply) => (reply.body as { details: JsonObject[] }).details[0];

  test("the sequence that is expected", async () => {
    const wrong = { tx_bytes: named("fails: wrong sequence").tx_bytes };
    expect(detailOf(await post(ECOSYSTEM, wrong))).toEqual({
      "@type": "/orrery.tx.v1.SimulationFailure",
      codespace: "sdk",
      code: 32,
      gas_wanted: "18446744073709551615",
      gas_used: "15216",
      expected_sequence: "17",
    });
  });

  test("the message that failed", async () => {
    const reply = await post(ECOSYSTEM, { tx_bytes: named("fails: second message").tx_bytes });
    expect(detailOf(reply)).toMatchObject({ codespace: "sdk", code: 5, gas_used: "48423", message_index: 1 });
  });

  test("a long sentence is cut at 4,096 bytes, not at 512", async () => {
    const raw = fromBinary(TxRawSchema, fromBase64(GOOD.tx_bytes));
    const message = (length: number) => {
      const amount = [{ denom: "x".repeat(length), amount: "1" }];
      const send = create(MsgSendSchema, { fromAddress: sender(), toAddress: sender(), amount });
      raw.bodyBytes = toBinary(TxBodySchema, create(TxBodySchema, { messages: [packAny(MsgSendSchema, send)] }));
      return post(ECOSYSTEM, { tx_bytes: toBase64(toBinary(TxRawSchema, raw)) });
    };
    expect(refusalOf(await message(2000))[2].length).toBeGreaterThan(2000);
    expect(new TextEncoder().encode(refusalOf(await message(20_000))[2]).length).toBeLessThanOrEqual(4096);
  });
});

describe("skip_sequence_check", () => {
  const { tx_bytes } = named("fails: wrong sequence");
  const wrong = { tx: "", tx_bytes };

  test.each([
    [PRIMARY, wrong],
    [ECOSYSTEM, { tx_bytes }],
  ])("lets any sequence pass: %s", async (path, wrong) => {
    const skipped = await post(`${path}?skip_sequence_check=true`, wrong);
    expect(skipped.status).toBe(200);
    // The same gas, but for the two bytes that the sequence 999 takes in place of one.
    expect((skipped.body as JsonObject).gas_info).toMatchObject({ gas_used: "42206" });
    expect((await post(`${path}?skip_sequence_check=false`, wrong)).status).toBe(400);
    expect((await post(`${path}?skip_sequence_check=`, wrong)).status).toBe(400);
  });

  test("is a boolean, given once", async () => {
    const [status, , message] = refusalOf(await post(`${PRIMARY}?skip_sequence_check=maybe`, wrong));
    expect([status, message]).toEqual([400, 'skip_sequence_check: strconv.ParseBool: parsing "maybe": invalid syntax']);
    const twice = refusalOf(await post(`${PRIMARY}?skip_sequence_check=1&skip_sequence_check=1`, wrong));
    expect(twice[2]).toBe("skip_sequence_check: given more than once");
  });
});

test("a height that cannot be had is refused, also here", async () => {
  const later = await post(ECOSYSTEM, { tx_bytes: GOOD.tx_bytes }, { "x-cosmos-block-height": "67" });
  expect(refusalOf(later).slice(0, 2)).toEqual([400, 3]);
  const now = await post(ECOSYSTEM, { tx_bytes: GOOD.tx_bytes }, { "x-cosmos-block-height": "66" });
  expect(now.body).toEqual(GOOD.answer);
});

test("nothing of this was our fault", () => {
  expect(door.faults).toEqual([]);
});

function sender(): string {
  const [event] = (GOOD.answer.result as { events: { attributes: { value: string }[] }[] }).events;
  return event!.attributes[1]!.value;
}

/** The same transaction in another form: an empty field that encoders leave out. */
function withEmptyMemo(): string {
  const raw = fromBinary(TxRawSchema, fromBase64(GOOD.tx_bytes));
  raw.bodyBytes = Uint8Array.of(...raw.bodyBytes, 0x12, 0x00);
  return toBase64(toBinary(TxRawSchema, raw));
}
