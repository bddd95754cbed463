// Thirty hostile requests over plain connections, each with its outcome, and the node answering right after.
//
// Where the runtime's parser answers before our code can, a refusal without our body and a closed connection do:
//
// | Request | The runtime's outcome | Asked for |
// |---|---|---|
// | H29 ambiguous or broken framing | 400, 413 for a long chunk extension, 505 for bare line feeds; closed | 400, closed |
// | H30 a head above 16 KiB, or more than 200 headers | 431, closed | 431 |
// | H30 a head that is never finished (sockets.test.ts) | closed after 10 to 12 s | 408 |
// | H30 `/core/../core/x` | arrives as `/core/x`, and is answered as that | 501 |
// | H30 CONNECT | reaches us as a request like any other: it opens nothing, and is refused | closed |
//
// Where the contract of this project decides otherwise, it wins:
//
// | Request | Here | Because |
// |---|---|---|
// | H19 an offset beyond the end | 200, `[]` and the right total | it is so on every list |
// | H26 nothing given, on the primary path | `tx: is required` | both members are required there |
// | H28 text, and no type | read as JSON | only a type that is neither JSON nor text is 415 |
// | H30 unknown paths, other methods | 404 code 5, 405 code 12 | 501 means an absent module, under /cosmos alone |
// | all messages of 400 | begin with the parameter's name, then the reference's sentence | a program finds the parameter |

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { NEIGHBOURS } from "../../src/api/neighbours.ts";
import { OPERATIONS } from "../../src/api/operations.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { toBase64 } from "../../src/codec/bytes.ts";
import { type RawReply, requestText, sendRaw } from "../harness/raw-socket.ts";
import { type HostileNode, openHostileNode } from "./hostile-node.ts";
import { expectRefusal, expectRuntimeRefusal } from "./refusals.ts";
import { anyBomb, bitArrayBomb, harmlessMultisig, LENGTH_BOMB } from "./tx-bombs.ts";

const ACCOUNTS = "/core/auth/v1beta1/accounts";
const BANK = "/core/bank/v1beta1";
const BLOCKS = "/core/base/consensus/v1beta1/blocks";
const BLOCK_TXS = "/core/tx/v1beta1/txs/block";
const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";
const SIMULATE = "/core/tx/v1beta1/simulate";
const JSON_TYPE = "Content-Type: application/json";
const VALID = encodeAddress("cosmos", new Uint8Array(20).fill(7));
const OTHER = encodeAddress("cosmos", new Uint8Array(20).fill(8));

const MOST = "18446744073709551615";
const MIB = 1024 * 1024;
const TRIES = 5;
/** What a small answer takes on a machine with nothing else to do; where it takes longer, everything may. */
const QUIET_MS = 3;

let door: HostileNode;

beforeAll(async () => {
  door = await openHostileNode();
  await door.node.produceBlock([Uint8Array.of(1, 2, 3), Uint8Array.of(4)]);
});

afterAll(async () => {
  expect(door.faults).toEqual([]);
  await door.node.close();
});

afterEach(async () => {
  expect((await get(`${BANK}/supply`)).statuses).toEqual([200]);
});

function get(target: string, headers: readonly string[] = []): Promise<RawReply> {
  return sendRaw(door.url, requestText(`GET ${target}`, headers));
}

function post(body: string, headers: readonly string[] = [JSON_TYPE]): Promise<RawReply> {
  return sendRaw(door.url, requestText(`POST ${SIMULATE}`, headers, body));
}

/** The quickest of some tries against the quickest of a small answer beside them, and what memory they left behind. */
async function expectCheap(ask: () => Promise<RawReply>, milliseconds: number): Promise<void> {
  await ask();
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const times: number[] = [];
  const small: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    times.push((await ask()).milliseconds);
    small.push((await get(`${BANK}/supply?pagination.limit=1`)).milliseconds);
  }
  const slowness = Math.max(1, Math.min(...small) / QUIET_MS);
  expect(Math.min(...times)).toBeLessThan(milliseconds * slowness);
  expect(process.memoryUsage.rss() - before).toBeLessThan(16 * MIB);
}

function list(reply: RawReply, name: string): unknown[] {
  expect(reply.statuses).toEqual([200]);
  return JSON.parse(reply.body)[name];
}

describe("pages", () => {
  test("H01 the largest limit is clamped", async () => {
    const ask = () => get(`${ACCOUNTS}?pagination.limit=${MOST}`);
    const reply = await ask();
    const accounts = list(reply, "accounts");
    expect(accounts).toHaveLength(1000);
    const { next_key } = JSON.parse(reply.body).pagination;
    const rest = list(await get(`${ACCOUNTS}?pagination.key=${encodeURIComponent(next_key)}`), "accounts");
    expect(new Set([...accounts, ...rest].map((account) => JSON.stringify(account))).size).toBe(1000 + rest.length);
    await expectCheap(ask, 100);
  });

  test("H02 a limit above 64 bits", async () => {
    const reply = await get(`${ACCOUNTS}?pagination.limit=18446744073709551616`);
    expectRefusal(
      reply,
      400,
      3,
      /^pagination\.limit: strconv\.ParseUint: parsing "18446744073709551616": value out of range$/,
    );
  });

  test.each(["-1", "0x10", "1e3", "%2010", "+5", "٣"])("H03, H04 limit %s", async (limit) => {
    const reply = await get(`${BANK}/supply?pagination.limit=${limit}`);
    expectRefusal(reply, 400, 3, /^pagination\.limit: strconv\.ParseUint: parsing ".{1,4}": invalid syntax$/);
  });

  test("H05 an offset far beyond the end", async () => {
    const ask = () => get(`${ACCOUNTS}?pagination.offset=999999999&pagination.count_total=true`);
    const reply = await ask();
    expect(list(reply, "accounts")).toEqual([]);
    await expectCheap(ask, 100);
    expect(Number(JSON.parse(reply.body).pagination.total)).toBeGreaterThan(1000);
  });

  test("H06 key and offset", async () => {
    const reply = await get(`${BANK}/denoms_metadata?pagination.key=AQ==&pagination.offset=1`);
    expectRefusal(reply, 400, 3, /^pagination\.offset: invalid request, either offset or key is expected, got both$/);
  });

  test("H07 a key that is no base64", async () => {
    expectRefusal(await get(`${ACCOUNTS}?pagination.key=%25%25%25`), 400, 3, /illegal base64 data at input byte 0$/);
  });

  test("H08 a key beyond the accounts shows nothing of another store", async () => {
    const key = toBase64(new Uint8Array(4096).fill(0xff));
    const reply = await get(`${ACCOUNTS}?pagination.key=${key}`);
    expectRefusal(reply, 400, 3, /^pagination\.key: not a key of this list$/);
  });
});

describe("addresses and denoms", () => {
  test("H09 no address", async () => {
    const message = /^address: invalid address: empty address string is not allowed$/;
    for (const query of ["", "?address="]) expectRefusal(await get(`${BANK}/balances${query}`), 400, 3, message);
  });

  test("H10 one character changed", async () => {
    const changed = VALID.slice(0, -1) + (VALID.endsWith("q") ? "p" : "q");
    expectRefusal(
      await get(`${BANK}/balances?address=${changed}`),
      400,
      3,
      /^address: invalid address: decoding bech32 failed/,
    );
  });

  test("H11 two addresses", async () => {
    expectRefusal(
      await get(`${BANK}/balances?address=${VALID}&address=${OTHER}`),
      400,
      3,
      /^address: given more than once$/,
    );
  });

  test("H12 8,000 letters", async () => {
    const ask = () => get(`${BANK}/spendable_balances?address=${"a".repeat(8000)}`);
    expectRefusal(await ask(), 400, 3, /^address: invalid address: decoding bech32 failed/);
    await expectCheap(ask, 10);
  });

  test("H13 a path for a denom", async () => {
    const reply = await get(`${BANK}/denoms_metadata?denom=..%2F..%2Fetc%2Fpasswd%00`);
    expectRefusal(reply, 400, 3, /^denom: invalid denom: /);
    expect(reply.body).not.toContain("\0");
  });

  test("H14 a denom with a slash", async () => {
    const reply = await get(`${BANK}/denoms_metadata?denom=ibc%2F${"AB".repeat(32)}`);
    expectRefusal(reply, 404, 5, /^client metadata for denom ibc\/(AB){32}$/);
  });
});

describe("heights", () => {
  test("H15 none", async () => {
    expectRefusal(await get(BLOCKS), 400, 3, /^height: missing parameter height$/);
  });

  test.each([
    ["-9223372036854775808", /^height: height must be greater than 0, but got -9223372036854775808$/],
    ["9223372036854775808", /^height: strconv\.ParseInt: parsing "9223372036854775808": value out of range$/],
  ])("H16, H17 %s", async (height, message) => {
    expectRefusal(await get(`${BLOCKS}?height=${height}`), 400, 3, message);
  });

  test("H18 one above the newest", async () => {
    const reply = await get(`${BLOCKS}?height=${door.node.head() + 1n}`);
    expectRefusal(reply, 400, 3, /^height: requested block height is bigger then the chain length/);
  });

  test.each([
    [1, "0"],
    [2, "2"],
  ])("H19 the largest limit at the largest offset, in block %d", async (height, total) => {
    const ask = () => get(`${BLOCK_TXS}?height=${height}&pagination.limit=${MOST}&pagination.offset=${MOST}`);
    const reply = await ask();
    expect(list(reply, "txs")).toEqual([]);
    expect(JSON.parse(reply.body).pagination).toEqual({ next_key: null, total });
    await expectCheap(ask, 100);
  });

  test.each(["999999999", "-1", "abc", "1, 2"])("H20 header %s", async (height) => {
    for (const name of ["x-cosmos-block-height", "x-core-block-height"]) {
      const message = new RegExp(`^${name}: .*${height}.*; the kept heights are 1 to 2$`);
      expectRefusal(await get(`${BANK}/supply`, [`${name}: ${height}`]), 400, 3, message);
    }
  });

  test("H20 two headers", async () => {
    const reply = await get(`${BANK}/supply`, ["x-cosmos-block-height: 1", "x-cosmos-block-height: 2"]);
    expectRefusal(reply, 400, 3, /^x-cosmos-block-height: .*"1, 2".*; the kept heights are 1 to 2$/);
  });
});

describe("identities", () => {
  test.each(["?key_id=a&aka_id=b", ""])("H21 look-up %s", async (query) => {
    expectRefusal(
      await get(LOOK_UP + query),
      400,
      3,
      /^exactly one of key_id, service_id, network_id, method_id, aka_id is required/,
    );
  });

  test.each(["__proto__", "constructor", "did:snr:%ff%fe", "did:snr:a%0d%0aSet-Cookie:x=1"])("H22 %s", async (did) => {
    expectRefusal(await get(`${DID}?did=${did}`), 400, 3, /^did: /);
  });

  test("H23 a DID with pagination: the DID wins, each time", async () => {
    const replies = await Promise.all([1, 2, 3].map(() => get(`${DID}?did=did:snr:x&pagination.limit=1`)));
    for (const reply of replies) expectRefusal(reply, 404, 5);
  });
});

describe("bodies", () => {
  test.each(['{"__proto__":{"isAdmin":true},"tx_bytes":"AA=="}', '{"constructor":{"prototype":{"x":1}}}'])(
    "H24 %s",
    async (body) => {
      expectRefusal(await post(body), 400, 3);
      expect("isAdmin" in {}).toBe(false);
      expect("x" in {}).toBe(false);
    },
  );

  test("H25 100,000 brackets", async () => {
    const ask = () => post(`{"tx":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
    expectRefusal(await ask(), 400, 3, /^body: json: nesting deeper than 32$/);
    await expectCheap(ask, 50);
  });

  const NO_OBJECT = /^body: invalid request body: must be a JSON object$/;
  const NOTHING = /^tx_bytes: empty txBytes is not allowed$/;
  test.each([
    ['{"tx_bytes":""}', /^tx: is required$/, NOTHING],
    ["{}", /^tx: is required$/, NOTHING],
    ['{"tx":"","tx_bytes":""}', NOTHING, /^tx: json: cannot unmarshal string/],
    ["[]", NO_OBJECT, NO_OBJECT],
    ['"x"', NO_OBJECT, NO_OBJECT],
    ["null", NO_OBJECT, NOTHING],
    ["", NO_OBJECT, NOTHING],
  ])("H26 body %s", async (body, message, underCosmos) => {
    expectRefusal(await post(body), 400, 3, message);
    const ecosystem = requestText("POST /cosmos/tx/v1beta1/simulate", [JSON_TYPE], body);
    expectRefusal(await sendRaw(door.url, ecosystem), 400, 3, underCosmos);
  });

  const simulate = (bytes: Uint8Array) => post(JSON.stringify({ tx: "", tx_bytes: toBase64(bytes) }));

  test.each([
    ["eleven nested keys", anyBomb(), /^max depth exceeded: tx parse error/],
    ["a bit array without its bits", bitArrayBomb(), /^the bit array has 0 bytes, .*: invalid request/],
    ["a length of 2^31-1", LENGTH_BOMB, /: tx parse error/],
    ["random bytes", Uint8Array.from({ length: 300 }, (_, i) => (i * 89 + 41) % 256), /: tx parse error/],
  ])("H27 %s", async (_, bytes, message) => {
    const reply = await simulate(bytes);
    expect(reply.statuses).toEqual([400]);
    const body = JSON.parse(reply.body);
    expect([body.code, body.message]).toEqual([3, expect.stringMatching(message)]);
    await expectCheap(() => simulate(bytes), 50);
  });

  test("H27 the same key with its bits is no bomb", async () => {
    expect((await simulate(harmlessMultisig())).statuses).toEqual([200]);
  });

  test("H28 300,000 bytes", async () => {
    expectRefusal(await post("a".repeat(300_000)), 413, 8, /^body: larger than 262144 bytes/);
  });

  test("H28 42 MB in 42 kB", async () => {
    const bomb = gzipSync(Buffer.alloc(42_000_000, " "));
    const head = `POST ${SIMULATE} HTTP/1.1\r\nHost: node\r\nConnection: close\r\n${JSON_TYPE}\r\n`;
    const bytes = Buffer.concat([
      Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
      bomb,
    ]);
    expectRefusal(await sendRaw(door.url, bytes), 415, 3, /^content-encoding: gzip is not accepted$/);
    await expectCheap(() => sendRaw(door.url, bytes), 50);
  });

  test.each(["Content-Type: application/json\ta", "Content-Type: application/x-protobuf"])("H28 %s", async (header) => {
    expectRefusal(await post("{}", [header]), 415, 3);
  });

  test.each(["Content-Type: text/plain", "X-Nothing: 1"])("H28 %s: text is read as JSON", async (header) => {
    expectRefusal(await post("{}", [header]), 400, 3);
  });
});

describe("framing", () => {
  const start = `POST ${SIMULATE} HTTP/1.1\r\nHost: node\r\n`;
  const second = `GET ${BANK}/supply HTTP/1.1\r\nHost: node\r\n\r\n`;
  test.each([
    ["length and chunks", `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`],
    ["two lengths", `${start}Content-Length: 4\r\nContent-Length: 6\r\n\r\n{}  ${second}`],
    ["a space before the colon", `${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${second}`],
    ["a coding that is none", `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`],
    ["bare line feeds", `GET ${BANK}/supply HTTP/1.1\nHost: node\n\n`],
    ["an extension of 20 kB", `${start}Transfer-Encoding: chunked\r\n\r\n2;${"e".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ])("H29 %s", async (_, text) => {
    expectRuntimeRefusal(await sendRaw(door.url, text), 400, 413, 505);
  });
});

describe("heads, methods and paths", () => {
  test("H30 a URL of 9 kB", async () => {
    expectRefusal(await get(`${BANK}/supply?${"a".repeat(9000)}`), 414, 8, /^url: /);
  });

  test("H30 a header of 20 kB, and 300 headers", async () => {
    expectRuntimeRefusal(await get(`${BANK}/supply`, [`x: ${"a".repeat(20_000)}`]), 431);
    const many = Array.from({ length: 300 }, (_, i) => `x-${i}: 1`);
    expectRuntimeRefusal(await get(`${BANK}/supply`, many), 431);
  });

  test("H30 dots are resolved by the runtime, two slashes are another path", async () => {
    expect((await get(`/core/..${BANK}/supply`)).statuses).toEqual([200]);
    expectRefusal(await get(`/${BANK}/supply`), 404, 5, /^unknown route: /);
    expectRefusal(await get("/core/%2e%2e%2f%2e%2e%2fetc%2fpasswd"), 404, 5);
  });

  const OPERATIONS_PATHS = [...OPERATIONS, ...NEIGHBOURS].flatMap((operation) => [
    ...("path" in operation ? [operation.path] : []),
    ...(operation.ecosystemPath === null ? [] : [operation.ecosystemPath.replaceAll(/\{\w+\}/g, "1")]),
  ]);
  const OWN_PATHS = ["/", "/docs", "/openapi.json", "/chain.json", "/assetlist.json", "/healthz", "/readyz"];
  const PATHS = [...new Set([...OPERATIONS_PATHS, ...OWN_PATHS, "/1.0/identifiers/did:orr:x"])];

  test.each(["TRACE", "PUT", "DELETE", "PATCH"])(`H30 %s on each of ${PATHS.length} paths`, async (method) => {
    for (const path of PATHS) {
      const reply = await sendRaw(door.url, requestText(`${method} ${path}`));
      expectRefusal(reply, 405, 12, /^this path answers .* only$/);
      expect(reply.headers.get("allow")).toContain("OPTIONS");
    }
  });

  test("H30 CONNECT opens nothing", async () => {
    const reply = await sendRaw(door.url, requestText("CONNECT x:1"));
    expectRefusal(reply, 404, 5, /^unknown route: /);
    expect(reply.closed).toBe(true);
  });

  test("H30 an unknown path of the ecosystem", async () => {
    expectRefusal(await get("/cosmos/nothing/v1/here"), 501, 12);
  });
});

describe("what a strict server often breaks", () => {
  test("unknown parameters, an absolute target, HTTP/1.0, HEAD", async () => {
    expect((await get(`${BANK}/supply?utm_source=x`)).statuses).toEqual([200]);
    expect((await get(`http://127.0.0.1:1317${BANK}/supply`)).statuses).toEqual([200]);
    const old = await sendRaw(door.url, `GET ${BANK}/supply?pagination.limit=1 HTTP/1.0\r\n\r\n`);
    expect(list(old, "supply")).toHaveLength(1);
    const head = await sendRaw(door.url, requestText(`HEAD ${BANK}/supply`));
    expect([head.statuses, head.body]).toEqual([[200], ""]);
  });

  test("Expect: 100-continue", async () => {
    const reply = await post("{}", [JSON_TYPE, "Expect: 100-continue"]);
    expect(reply.statuses).toEqual([100, 400]);
  });

  test("a name twice in one object", async () => {
    expectRefusal(await post('{"tx":"","tx_bytes":"AA==","tx_bytes":"AQ=="}'), 400, 3);
  });

  test("a host that is none", async () => {
    const reply = await sendRaw(door.url, `GET ${BANK}/supply HTTP/1.1\r\nHost: a b"<>\r\nConnection: close\r\n\r\n`);
    expect(reply.statuses).toEqual([200]);
  });
});
