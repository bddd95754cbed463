// The ways to ask for a height: headers, the `height` parameter, a time; and to wait for one.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { useNativeHashing } from "../../src/state/native-hash.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor, NODE, openDoor } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { openSolo } from "../harness/solo-chain.ts";
import { commitBlock } from "../harness/test-chain.ts";

useNativeHashing();

const SUPPLY = "/core/bank/v1beta1/supply";
const BLOCKS = "/core/base/consensus/v1beta1/blocks";
const at = (reply: { headers: Headers }) => reply.headers.get("x-cosmos-block-height");
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message;

/** Block N of these chains has the time of second N, and some nanoseconds. */
const GENESIS = 1_800_000_000;
const timeText = (seconds: number, fraction = "") =>
  new Date((GENESIS + seconds) * 1000).toISOString().replace(".000Z", `${fraction}Z`);

describe("a chain of nine blocks", () => {
  const { store, dispose } = openStore("sqlite");
  let door: Door;
  beforeAll(async () => {
    for (let height = 1; height <= 9; height++) await commitBlock(store);
    door = directDoor(store);
  });
  afterAll(dispose);

  test("height as a parameter, in both spellings, also of a path with parameters", async () => {
    expect(at(await door.get(`${SUPPLY}?height=4`))).toBe("4");
    expect(at(await door.get("/cosmos/bank/v1beta1/supply?pagination.limit=1&height=004"))).toBe("4");
    for (const path of [`${SUPPLY}?height=0`, `${SUPPLY}?height=`]) {
      const newest = await door.get(path);
      expect([at(newest), newest.headers.get("cache-control")]).toEqual(["9", "no-cache"]);
    }
    expect((await door.get(`${SUPPLY}?height=4`)).headers.get("cache-control")).toContain("immutable");
  });

  test("an operation with a height of its own keeps it", async () => {
    const { body, headers } = await door.get(`${BLOCKS}?height=3`, { "x-cosmos-block-height": "8" });
    expect(body).toMatchObject({ block: { header: { height: "3" } } });
    expect(headers.get("x-cosmos-block-height")).toBe("8");
    const latest = await door.get(`${BLOCKS}/latest?height=3`);
    expect(latest.body).toMatchObject({ block: { header: { height: "3" } } });
  });

  test.each([
    ["height=x", {}, 400, /^height: strconv/],
    ["height=-1", {}, 400, /^height: strconv/],
    ["height=10", {}, 400, /^height: cannot query with height in the future.* 1 to 9$/],
    ["height=3&height=3", {}, 400, /^height: given more than once/],
    ["at=yesterday", {}, 400, /^at: not an RFC 3339 time/],
    ["", { "x-cosmos-block-time": "12:00" }, 400, /^x-cosmos-block-time: not an RFC 3339 time/],
    ["", { "x-min-height": "many" }, 400, /^x-min-height: strconv/],
    ["", { "x-min-height": "1", "x-min-height-wait": "2s" }, 400, /^x-min-height-wait: strconv/],
    ["height=3", { "x-cosmos-block-height": "4" }, 400, /^x-cosmos-block-height: differs from height/],
    ["height=3", { "x-core-block-height": "4" }, 400, /^x-core-block-height: differs from height/],
    ["", { "x-cosmos-block-height": "3", "x-core-block-height": "4" }, 400, /differs from x-core-block-height/],
    [`at=${timeText(3)}`, { "x-cosmos-block-time": timeText(4) }, 400, /^x-cosmos-block-time: differs from at/],
    [`at=${timeText(5)}&height=3`, {}, 400, /^height: differs from at, which means height 4/],
  ] as const)("%s %p is refused in words", async (query, headers, status, sentence) => {
    const reply = await door.get(`${SUPPLY}?${query}`, headers);
    expect([reply.status, reply.headers.get("cache-control")]).toEqual([status, "no-store"]);
    expect(messageOf(reply)).toMatch(sentence);
  });

  test("ways that agree are one", async () => {
    const time = timeText(5);
    const headers = { "x-cosmos-block-height": "4", "x-core-block-height": "04", "x-cosmos-block-time": time };
    expect(at(await door.get(`${SUPPLY}?height=4&at=${time}`, headers))).toBe("4");
  });

  test("a time means the newest block that is not after it", async () => {
    for (let height = 1; height <= 9; height++) {
      const exact = timeText(height, ".123456789");
      const reply = await door.get(`${SUPPLY}?at=${exact}`);
      expect([at(reply), reply.headers.get("cache-control")]).toEqual([
        `${height}`,
        "public, max-age=31536000, immutable",
      ]);
      expect(at(await door.get(SUPPLY, { "x-cosmos-block-time": exact }))).toBe(String(height));
      if (height === 1) continue;
      expect(at(await door.get(`${SUPPLY}?at=${timeText(height, ".123456788")}`))).toBe(String(height - 1));
      expect(at(await door.get(`${SUPPLY}?at=${timeText(height)}`))).toBe(String(height - 1));
    }
    const east = new Date((GENESIS + 5 + 3600) * 1000).toISOString().replace(".000Z", "+01:00");
    expect(at(await door.get(`${SUPPLY}?at=${encodeURIComponent(east)}`))).toBe("4");
    expect(at(await door.get(`${SUPPLY}?at=${east}`))).toBe("4");
  });

  test("before the first block is 404, after the newest 400; both name both ends", async () => {
    const ends = /the blocks here are from \S+Z \(height 1\) to \S+Z \(height 9\)$/;
    const early = await door.get(`${SUPPLY}?at=${timeText(1)}`);
    expect([early.status, messageOf(early)]).toEqual([404, expect.stringMatching(/^at: is before the first block/)]);
    const late = await door.get(`${SUPPLY}?at=${timeText(9, ".123456790")}`);
    expect([late.status, messageOf(late)]).toEqual([400, expect.stringMatching(/^at: is after the newest block/)]);
    for (const reply of [early, late]) expect(messageOf(reply)).toMatch(ends);
  });

  test("DID resolution takes the headers", async () => {
    const { headers } = await door.get("/1.0/identifiers/did:orr:none", { "x-cosmos-block-height": "99" });
    expect(headers.get("x-latest-height")).toBe("9");
    const reply = await door.get("/1.0/identifiers/did:orr:none", { "x-cosmos-block-time": "12:00" });
    expect(messageOf(reply)).toMatch(/^x-cosmos-block-time/);
  });
});

test("a time of which only the block is kept is 410", async () => {
  const store = openMemoryStore();
  await loadRecording(store);
  const door = directDoor(store, { ...NODE, chainId: "reference-1" });
  const { body } = await door.get(`${BLOCKS}?height=7`);
  const { time } = (body as { block: { header: { time: string } } }).block.header;
  const next = new Date(Date.parse(time) + 1).toISOString();
  const reply = await door.get(`${SUPPLY}?at=${next}`);
  expect(reply.status).toBe(410);
  expect(messageOf(reply)).toMatch(/^at: height 7 is not kept any more; the kept heights are \d+ to \d+$/);
}, 30_000);

test("a time of which nothing is kept is 410, and not taken for one before the chain", async () => {
  const store = openMemoryStore({ keep: 3 });
  const solo = await openSolo(store);
  while (store.head()! < 12n) await solo.produceBlock();
  await solo.stop();
  const door = directDoor(store, { ...NODE, chainId: "orrery-1" });
  const reply = await door.get(`${SUPPLY}?at=2026-03-01T00:00:02.5Z`);
  expect(reply.status).toBe(410);
  expect(messageOf(reply)).toMatch(/^at: .* not kept any more; .* to .*12\)?$/);
});

describe("x-min-height", () => {
  test("answers at once when it is reached, and waits until it is", async () => {
    const store = openMemoryStore();
    await commitBlock(store);
    const door = openDoor(store);
    expect(at(await door.get(SUPPLY, { "x-min-height": "1" }))).toBe("1");
    const waiting = Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        door.get(`${SUPPLY}?height=${i % 2 === 0 ? 0 : 2}`, { "x-min-height": "3" }),
      ),
    );
    await Bun.sleep(60);
    await commitBlock(store);
    await commitBlock(store);
    const heights = (await waiting).map(at);
    expect(new Set(heights)).toEqual(new Set(["3", "2"]));
    await door.close();
  });

  test("a height that is not there yet may be asked for together with it", async () => {
    const store = openMemoryStore();
    await commitBlock(store);
    const door = directDoor(store);
    const waiting = door.get(`${SUPPLY}?height=2`, { "x-min-height": "2" });
    await commitBlock(store);
    expect(at(await waiting)).toBe("2");
  });

  test("is 503 with Retry-After when it does not come in time", async () => {
    const store = openMemoryStore();
    await commitBlock(store);
    const door = directDoor(store);
    const began = performance.now();
    const caller = new AbortController();
    const longer = door.ask(SUPPLY, { headers: { "x-min-height": "2" }, signal: caller.signal }).then(() => null);
    const asked = door.get(SUPPLY, { "x-min-height": "2", "x-min-height-wait": "150" });
    // Whoever asks to wait for less than is usual is answered before the others, however slow the machine is.
    expect(await Promise.race([asked, longer])).not.toBeNull();
    const reply = await asked;
    const took = performance.now() - began;
    caller.abort();
    await longer;
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(messageOf(reply)).toBe("x-min-height: height 2 has not been reached; the newest one is 1");
    expect(took).toBeGreaterThan(140);
    const none = await door.get(SUPPLY, { "x-min-height": "2", "x-min-height-wait": "0" });
    expect(none.status).toBe(503);
  });

  test("a caller who goes is not waited for", async () => {
    const store = openMemoryStore();
    await commitBlock(store);
    const door = directDoor(store);
    const caller = new AbortController();
    const headers = { "x-min-height": "2", "x-min-height-wait": "5000" };
    const began = performance.now();
    const asked = door.ask(SUPPLY, { headers, signal: caller.signal });
    setTimeout(() => caller.abort(), 30);
    expect((await asked).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(4900);
  });
});

test("the development chain answers at each of its times", async () => {
  const { store, dispose } = openStore("memory");
  await loadDevChain(store);
  const door = directDoor(store, { ...NODE, chainId: "orrery-1" });
  for (const height of ["1", "2", "3", "4", "5"]) {
    const { body } = await door.get(`/cosmos/base/tendermint/v1beta1/blocks/${height}`);
    const { time } = (body as { block: { header: { time: string } } }).block.header;
    expect(at(await door.get(`${SUPPLY}?at=${time}`))).toBe(height);
  }
  await dispose();
});
