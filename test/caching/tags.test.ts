// Tags: one on every read, 304 for whoever has it, and another one exactly when the answer is another. Which blocks
// make it another is in touched.test.ts.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { useNativeHashing } from "../../src/state/native-hash.ts";
import { stateQuestions } from "../harness/asked-at-heights.ts";
import { loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor, NODE, openDoor } from "../harness/door.ts";
import { ENGINES, openStore } from "../harness/engines.ts";
import { executeRandomBlock, poolDid, seededRandom } from "../harness/random-changes.ts";
import { openSolo } from "../harness/solo-chain.ts";
import { commitBlock } from "../harness/test-chain.ts";
import { OWN, type Read, readsOf } from "./reads.ts";

useNativeHashing();

const STRONG = /^"[0-9a-f]{1,16}"$/;
const IDENTITY = { "accept-encoding": "identity" };

describe("every read", () => {
  const opened = openStore("memory");
  let door: Door;
  let reads: Read[];
  beforeAll(async () => {
    await loadDevChain(opened.store);
    door = directDoor(opened.store, { ...NODE, chainId: "orrery-1" });
    reads = await readsOf(door);
  });
  afterAll(() => opened.dispose());

  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    door.ask(path, { method, headers: { ...IDENTITY, ...headers } });

  test("has a strong tag, and is 304 without a body to whoever names it", async () => {
    for (const { path } of reads) {
      const first = await ask(path);
      const tag = first.headers.get("etag") ?? "none";
      expect([path, first.status, STRONG.test(tag)]).toEqual([path, 200, true]);
      for (const known of [tag, `W/${tag}`, `"a", ${tag},W/"b"`, "*", " * "]) {
        const again = await ask(path, { "if-none-match": known });
        expect([path, known, again.status, await again.text()]).toEqual([path, known, 304, ""]);
        for (const name of ["etag", "cache-control", "vary", "x-latest-height", "access-control-allow-origin"]) {
          expect([path, name, again.headers.get(name)]).toEqual([path, name, first.headers.get(name)]);
        }
        expect(again.headers.get("content-type")).toBeNull();
      }
      for (const unknown of ['"0"', tag.replaceAll('"', ""), `${tag.slice(0, -1)}-gzip"`, '"*"', ""]) {
        expect([path, unknown, (await ask(path, { "if-none-match": unknown })).status]).toEqual([path, unknown, 200]);
      }
    }
  });

  test("answers HEAD with the headers of GET and the length of its body", async () => {
    for (const { path } of reads) {
      const whole = await ask(path);
      const length = (await whole.arrayBuffer()).byteLength;
      const head = await ask(path, {}, "HEAD");
      expect([path, head.status, await head.text()]).toEqual([path, 200, ""]);
      const expected = { ...Object.fromEntries(whole.headers), "content-length": String(length) };
      expect(Object.fromEntries(head.headers)).toEqual(expected);
      const tag = whole.headers.get("etag") as string;
      expect((await ask(path, { "if-none-match": tag }, "HEAD")).status).toBe(304);
    }
  });

  test("says what it varies by, and is to be asked for again, unless it is of a given height", async () => {
    for (const { path } of reads) {
      const { headers } = await ask(path);
      const isOfHeight = /blocks\/\d|block\/\d|validatorsets\/\d|[?&]height=/.test(path);
      const isNodes = path.includes("abci_query");
      const expected = isOfHeight && !isNodes ? "public, max-age=31536000, immutable" : "no-cache";
      expect([path, headers.get("cache-control")]).toEqual([path, expected]);
      const vary = headers.get("vary")?.split(", ") ?? [];
      expect(vary).toContain("accept-encoding");
      if (OWN.includes(path) || path.startsWith("/1.0/")) expect(vary).toContain("accept");
      if (OWN.includes(path)) continue;
      expect(vary).toEqual(expect.arrayContaining(["x-cosmos-block-height", "x-core-block-height"]));
      expect(vary).toContain("x-cosmos-block-time");
    }
  });

  test("never changes at a given height, but for what is of the node and not of the chain", async () => {
    const ofTheNode = ["getNodeInfo", "getNodeConfig", "getNodeStatus", "getSyncing", "queryStore"];
    for (const { id, path } of reads) {
      if (OWN.includes(path)) continue;
      const { headers, status } = await ask(path, { "x-cosmos-block-height": "5" });
      const isFixed = headers.get("cache-control")?.includes("immutable");
      expect([path, status, isFixed]).toEqual([path, 200, !ofTheNode.includes(id)]);
      const newest = await ask(path, { "x-cosmos-block-height": "0" });
      if (!headers.get("cache-control")?.includes("immutable")) continue;
      expect(newest.headers.get("etag")).toBe(headers.get("etag"));
    }
  });
});

describe("while the state changes at random, a tag changes exactly when the answer does", () => {
  for (const engine of ENGINES) {
    test(engine, async () => {
      const { store, dispose } = openStore(engine);
      const solo = await openSolo(store, { execute: executeRandomBlock });
      const door = directDoor(store);
      const random = seededRandom(77);
      const seen = new Map<string, { tag: string; text: string }>();
      const count = { same: 0, changed: 0 };
      while (store.head()! < 60n) {
        await solo.produceBlock();
        const resolved = `/1.0/identifiers/${poolDid(random(99))}`;
        for (const path of [...stateQuestions(random), resolved, ...[...seen.keys()].slice(-40)]) {
          const { status, text, headers } = await door.get(path, IDENTITY);
          if (status !== 200) continue;
          const tag = headers.get("etag") as string;
          const known = seen.get(path);
          seen.set(path, { tag, text });
          if (known === undefined) continue;
          const isSame = known.text === text;
          count[isSame ? "same" : "changed"] += 1;
          expect([path, tag === known.tag]).toEqual([path, isSame]);
          const again = await door.get(path, { ...IDENTITY, "if-none-match": known.tag });
          expect([path, again.status]).toEqual([path, isSame ? 304 : 200]);
          if (!isSame) expect(again.text).toBe(text);
        }
      }
      await solo.stop();
      expect(Math.min(count.same, count.changed)).toBeGreaterThan(300);
      expect(door.faults).toEqual([]);
      await dispose();
    }, 60_000);
  }
});

test("errors have no tag and are not stored; an answer to POST has no tag", async () => {
  const { store, dispose } = openStore("memory");
  await commitBlock(store);
  const door = directDoor(store);
  for (const path of [
    "/nothing",
    "/cosmos/nothing",
    "/core/bank/v1beta1/balances",
    "/core/bank/v1beta1/supply?height=9",
  ]) {
    const { status, headers } = await door.get(path, { "if-none-match": "*" });
    expect(status).toBeGreaterThanOrEqual(400);
    expect([headers.get("etag"), headers.get("cache-control")]).toEqual([null, "no-store"]);
  }
  const decoded = await door.send("/cosmos/tx/v1beta1/decode?height=1", {
    method: "POST",
    body: '{"tx_bytes":"CgA="}',
    headers: { "if-none-match": "*" },
  });
  expect([decoded.headers.get("etag"), decoded.headers.get("cache-control")]).toEqual([null, "no-cache"]);
  await dispose();
});

test("over a socket: 304, and a HEAD with the length of the body", async () => {
  const { store, dispose } = openStore("memory");
  await commitBlock(store);
  const door = openDoor(store);
  const path = "/core/base/consensus/v1beta1/node_info";
  const whole = await door.ask(path, { headers: IDENTITY });
  const { byteLength } = await whole.arrayBuffer();
  const head = await door.ask(path, { method: "HEAD", headers: IDENTITY });
  expect(head.headers.get("content-length")).toBe(String(byteLength));
  expect(head.headers.get("etag")).toBe(whole.headers.get("etag"));
  const again = await door.ask(path, {
    headers: { ...IDENTITY, "if-none-match": whole.headers.get("etag") as string },
  });
  expect(again.status).toBe(304);
  const preflight = await door.ask(path, { method: "OPTIONS" });
  const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
  for (const name of ["if-none-match", "x-min-height", "x-cosmos-block-time"]) expect(allowed).toContain(name);
  expect(whole.headers.get("access-control-expose-headers")).toContain("etag");
  await door.close();
  await dispose();
});
