// Reads under way, in classes: long ones fill the places of their own class alone, and who finds none is told to come
// again. The long read is a search that a test holds back: the embedded store answers too soon to be met under way.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { NO_TX_ENTRY } from "../../src/api/tx-entry.ts";
import { createHttpApp, type HttpApp } from "../../src/http/app.ts";
import { DEFAULT_LIMITS } from "../../src/http/limits.ts";
import { NATIVE_BYTES } from "../../src/http/native-bytes.ts";
import { placesOf } from "../../src/http/places.ts";
import { createResolveDid } from "../../src/queries/did-resolution.ts";
import { createHeightAtTime } from "../../src/queries/height-at-time.ts";
import { createNeighbours } from "../../src/queries/neighbours.ts";
import { createQueries } from "../../src/queries/queries.ts";
import { CONFIG, NODE } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { commitBlock } from "../harness/test-chain.ts";

const SEARCH = "/cosmos/tx/v1beta1/txs?events=tx.height%3D1";
const SUPPLY = "/core/bank/v1beta1/supply";
const INFO = "/core/base/consensus/v1beta1/node_info";
const LIMITS = { ...DEFAULT_LIMITS, maxScans: 2, maxQueue: 1, queueWaitMs: 100 };

const opened = openStore("memory");
const held: (() => void)[] = [];
let loopDelayMs = 0;
let app: HttpApp;

beforeAll(async () => {
  await commitBlock(opened.store);
  const { store } = opened;
  const neighbours = createNeighbours({ store, bech32Prefix: "cosmos", txEntry: NO_TX_ENTRY, config: CONFIG });
  app = createHttpApp({
    queries: createQueries({ store, info: NODE }),
    neighbours: {
      ...neighbours,
      searchTxs: async (request, height) => {
        await new Promise<void>((resolve) => held.push(resolve));
        return await neighbours.searchTxs(request, height);
      },
    },
    resolveDid: createResolveDid(store),
    range: () => ({ chainId: NODE.chainId, earliest: 1n, latest: 1n }),
    heightAtTime: createHeightAtTime(store),
    byteWork: NATIVE_BYTES,
    log: { debug() {}, info() {}, warn() {}, error: (text) => expect(text).toBe("") },
    limits: LIMITS,
    places: placesOf(LIMITS, () => loopDelayMs),
  });
});

afterAll(() => opened.dispose());

async function ask(path: string): Promise<Response> {
  return await app.fetch(new Request(`http://node${path}`));
}

const status = async (path: string) => (await ask(path)).status;

test("searches fill the places of lists, and single things are answered beside them", async () => {
  const searches = [ask(SEARCH), ask(SEARCH)];
  await Bun.sleep(0);
  const waiting = status(SUPPLY);
  // The one place in the queue is taken: the next is refused at once.
  const refused = await ask(SUPPLY);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({ code: 14, message: "too many requests are under way", details: [] });
  expect(await status(INFO)).toBe(200);
  // And whoever waits is refused when nothing comes free in time.
  expect(await waiting).toBe(503);
  const next = status(SUPPLY);
  held.shift()?.();
  expect(await next).toBe(200);
  for (const release of held.splice(0)) release();
  expect((await Promise.all(searches)).map((answer) => answer.status)).toEqual([200, 200]);
  expect(await Promise.all([status(SUPPLY), status(SUPPLY), status(SUPPLY)])).toEqual([200, 200, 200]);
});

test("a refused request gives its place back, and one that was refused for a mistake too", async () => {
  for (let i = 0; i < 5; i++) expect(await status(`${SUPPLY}?pagination.key=AQ==&pagination.offset=1`)).toBe(400);
  expect(await status(SUPPLY)).toBe(200);
});

test("lists and searches are turned away first when the event loop is late", async () => {
  loopDelayMs = 201;
  // One that was not asked before: an answer that is at hand costs nothing, and is given.
  const refused = await ask(`${SUPPLY}?pagination.limit=9`);
  expect([refused.status, (await refused.json()).message]).toEqual([503, "the node is overloaded"]);
  expect(await status(INFO)).toBe(200);
  expect(await status(SUPPLY)).toBe(200);
  loopDelayMs = 0;
  expect(await status(`${SUPPLY}?pagination.limit=9`)).toBe(200);
});
