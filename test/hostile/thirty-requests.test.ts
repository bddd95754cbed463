// Thirty hostile requests over plain connections, each with its outcome, and the node answering right after.
//
// Where the runtime's parser answers before our code can, a refusal without our body and a closed connection do:
//   H29 ambiguous or broken framing: 400, 413 for a chunk extension that is too long, 505 for bare line feeds
//   H30 headers above 16 KiB or more than 200: 431; a head that is never finished: closed after some 12 s
// One thing is done by it that cannot be undone: `/core/../core/x` arrives as `/core/x`, and is answered as that.
// CONNECT reaches us as a request like any other: it opens nothing, and is refused.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { encodeAddress } from "../../src/codec/address.ts";
import { toBase64 } from "../../src/codec/bytes.ts";
import { type RawReply, requestText, sendRaw } from "../harness/raw-socket.ts";
import { type HostileNode, openHostileNode } from "./hostile-node.ts";
import { expectRefusal, expectRuntimeRefusal } from "./refusals.ts";
import { anyBomb, bitArrayBomb, LENGTH_BOMB } from "./tx-bombs.ts";

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

let door: HostileNode;

beforeAll(async () => {
  door = await openHostileNode();
});

afterAll(async () => {
  expect(door.faults).toEqual([]);
  await door.node.close();
});

afterEach(async () => {
  const { statuses, milliseconds } = await get(`${BANK}/supply`);
  expect(statuses).toEqual([200]);
  expect(milliseconds).toBeLessThan(1000);
});

function get(target: string, headers: readonly string[] = []): Promise<RawReply> {
  return sendRaw(door.url, requestText(`GET ${target}`, headers));
}

function post(body: string, headers: readonly string[] = [JSON_TYPE]): Promise<RawReply> {
  return sendRaw(door.url, requestText(`POST ${SIMULATE}`, headers, body));
}

function list(reply: RawReply, name: string): unknown[] {
  expect(reply.statuses).toEqual([200]);
  return JSON.parse(reply.body)[name];
}

describe("pages", () => {
  test("H01 the largest limit is clamped", async () => {
    const reply = await get(`${ACCOUNTS}?pagination.limit=18446744073709551615`);
    expect(list(reply, "accounts")).toHaveLength(1000);
    expect(JSON.parse(reply.body).pagination.next_key).toEqual(expect.any(String));
  });

  test("H02 a limit above 64 bits", async () => {
    const reply = await get(`${ACCOUNTS}?pagination.limit=18446744073709551616`);
    expectRefusal(reply, 400, 3, /^pagination\.limit: .*18446744073709551616/);
  });

  test.each(["-1", "0x10", "1e3", "%2010", "+5", "٣"])("H03, H04 limit %s", async (limit) => {
    expectRefusal(await get(`${BANK}/supply?pagination.limit=${limit}`), 400, 3, /^pagination\.limit: /);
  });

  test("H05 an offset far beyond the end", async () => {
    const reply = await get(`${ACCOUNTS}?pagination.offset=999999999&pagination.count_total=true`);
    expect(list(reply, "accounts")).toEqual([]);
    expect(Number(JSON.parse(reply.body).pagination.total)).toBeGreaterThan(1000);
  });

  test("H06 key and offset", async () => {
    const reply = await get(`${BANK}/denoms_metadata?pagination.key=AQ==&pagination.offset=1`);
    expectRefusal(reply, 400, 3, /either offset or key is expected, got both/);
  });

  test("H07 a key that is no base64", async () => {
    expectRefusal(await get(`${ACCOUNTS}?pagination.key=%25%25%25`), 400, 3, /^pagination\.key: /);
  });

  test("H08 a key beyond the accounts shows nothing of another store", async () => {
    const key = toBase64(new Uint8Array(4096).fill(0xff));
    const reply = await get(`${ACCOUNTS}?pagination.key=${key}`);
    if (reply.statuses[0] === 200) expect(list(reply, "accounts")).toEqual([]);
    else expectRefusal(reply, 400, 3);
  });
});

describe("addresses and denoms", () => {
  test("H09 no address", async () => {
    expectRefusal(await get(`${BANK}/balances`), 400, 3, /^address: /);
  });

  test("H10 one character changed", async () => {
    const changed = VALID.slice(0, -1) + (VALID.endsWith("q") ? "p" : "q");
    expectRefusal(await get(`${BANK}/balances?address=${changed}`), 400, 3, /^address: .*decoding bech32 failed/);
  });

  test("H11 two addresses", async () => {
    expectRefusal(
      await get(`${BANK}/balances?address=${VALID}&address=${OTHER}`),
      400,
      3,
      /^address: .*more than once/,
    );
  });

  test("H12 8,000 letters", async () => {
    const reply = await get(`${BANK}/spendable_balances?address=${"a".repeat(8000)}`);
    expectRefusal(reply, 400, 3, /^address: /);
  });

  test("H13 a path for a denom", async () => {
    const reply = await get(`${BANK}/denoms_metadata?denom=..%2F..%2Fetc%2Fpasswd%00`);
    expectRefusal(reply, 400, 3, /^denom: /);
    expect(reply.body).not.toContain("\0");
  });

  test("H14 a denom with a slash", async () => {
    const reply = await get(`${BANK}/denoms_metadata?denom=ibc%2F${"AB".repeat(32)}`);
    expectRefusal(reply, 404, 5, /ibc\/(AB){32}/);
  });
});

describe("heights", () => {
  test("H15 none", async () => {
    expectRefusal(await get(BLOCKS), 400, 3, /^height: /);
  });

  test.each(["-9223372036854775808", "9223372036854775808"])("H16, H17 %s", async (height) => {
    expectRefusal(await get(`${BLOCKS}?height=${height}`), 400, 3, /^height: /);
  });

  test("H18 one above the newest", async () => {
    const reply = await get(`${BLOCKS}?height=${door.node.head() + 1n}`);
    expectRefusal(reply, 400, 3, /^height: .*bigger then the chain length/);
  });

  test("H19 the largest limit at the largest offset", async () => {
    const most = "18446744073709551615";
    const reply = await get(`${BLOCK_TXS}?height=1&pagination.limit=${most}&pagination.offset=${most}`);
    expect(list(reply, "txs")).toEqual([]);
  });

  test.each(["999999999", "-1", "abc", "1, 2"])("H20 header %s", async (height) => {
    for (const name of ["x-cosmos-block-height", "x-core-block-height"]) {
      expectRefusal(await get(`${BANK}/supply`, [`${name}: ${height}`]), 400, 3, new RegExp(`^${name}: `));
    }
  });

  test("H20 two headers", async () => {
    const reply = await get(`${BANK}/supply`, ["x-cosmos-block-height: 1", "x-cosmos-block-height: 2"]);
    expectRefusal(reply, 400, 3);
  });
});

describe("identities", () => {
  test.each(["?key_id=a&aka_id=b", ""])("H21 look-up %s", async (query) => {
    expectRefusal(await get(LOOK_UP + query), 400, 3, /exactly one of key_id, service_id/);
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
    const reply = await post(`{"tx":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
    expectRefusal(reply, 400, 3, /nested more than \d+ levels deep/);
  });

  test.each(['{"tx_bytes":""}', "{}", "[]", "null", '"x"', ""])("H26 body %s", async (body) => {
    expectRefusal(await post(body), 400, 3);
  });

  test.each([
    ["eleven nested keys", anyBomb()],
    ["a bit array without its bits", bitArrayBomb()],
    ["a length of 2^31-1", LENGTH_BOMB],
    ["random bytes", Uint8Array.from({ length: 300 }, (_, i) => (i * 89 + 41) % 256)],
  ])("H27 %s", async (_, bytes) => {
    const reply = await post(JSON.stringify({ tx: "", tx_bytes: toBase64(bytes) }));
    expect(reply.statuses).toEqual([400]);
    expect(JSON.parse(reply.body).code).toBe(3);
    expect(reply.milliseconds).toBeLessThan(1000);
  });

  test("H28 300,000 bytes", async () => {
    expectRefusal(await post("a".repeat(300_000)), 413, 8, /^body: larger than 262144 bytes/);
  });

  test.each(["Content-Encoding: gzip", "Content-Type: application/json\ta", "Content-Type: application/x-protobuf"])(
    "H28 %s",
    async (header) => {
      expectRefusal(await post("{}", [header]), 415, 3);
    },
  );

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

  test("H30 a head that is never finished", async () => {
    const reply = await sendRaw(door.url, `GET ${BANK}/supply HTTP/1.1\r\nHost: node\r\n`, {
      ...{ waitMs: 20_000, drip: { bytes: "x: y\r\n", everyMs: 700 } },
    });
    expectRuntimeRefusal(reply, 408);
    expect(reply.milliseconds).toBeLessThan(17_000);
  }, 30_000);

  test("H30 a body of one byte a second", async () => {
    const head = `POST ${SIMULATE} HTTP/1.1\r\nHost: node\r\n${JSON_TYPE}\r\nContent-Length: 1000\r\n\r\n`;
    const reply = await sendRaw(door.url, head, { waitMs: 20_000, drip: { bytes: " ", everyMs: 1000 } });
    expectRefusal(reply, 408, 4, /^body: not complete within 10 s/);
    expect(reply.closed).toBe(true);
    expect(reply.milliseconds).toBeLessThan(16_500);
  }, 30_000);

  test("H30 dots are resolved by the runtime, two slashes are another path", async () => {
    expect((await get(`/core/..${BANK}/supply`)).statuses).toEqual([200]);
    expectRefusal(await get(`/${BANK}/supply`), 404, 5);
    expectRefusal(await get("/core/%2e%2e%2f%2e%2e%2fetc%2fpasswd"), 404, 5);
  });

  test.each(["TRACE", "PUT", "DELETE", "PATCH"])("H30 %s on each path", async (method) => {
    for (const path of [ACCOUNTS, `${BANK}/supply`, BLOCKS, BLOCK_TXS, DID, LOOK_UP, SIMULATE, "/docs", "/readyz"]) {
      const reply = await sendRaw(door.url, requestText(`${method} ${path}`));
      expectRefusal(reply, 405, 12);
      expect(reply.headers.get("allow")).toContain("OPTIONS");
    }
  });

  test("H30 CONNECT opens nothing", async () => {
    const [status] = (await sendRaw(door.url, requestText("CONNECT x:1"))).statuses;
    expect(status).toBeOneOf([400, 404, 405]);
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
