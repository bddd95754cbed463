// A question that was answered at the newest height is answered again without the store, and by nothing but the same
// question at the same height.

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { useNativeHashing } from "../../src/state/native-hash.ts";
import type { Store } from "../../src/store/store.ts";
import { loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { commitBlock } from "../harness/test-chain.ts";

useNativeHashing();

const SUPPLY = "/core/bank/v1beta1/supply";
const PATHS = [
  SUPPLY,
  "/cosmos/bank/v1beta1/supply",
  "/cosmos/bank/v1beta1/supply/by_denom?denom=uorr",
  "/vendor/project/identity/did?pagination.limit=1",
  "/vendor/project/identity/key?method_id=orr",
  "/core/base/consensus/v1beta1/blocks/latest",
  "/core/auth/v1beta1/accounts?pagination.limit=3&pagination.reverse=true",
];

const { store, dispose } = openStore("sqlite");
let snapshots = 0;
const watched: Store = {
  keep: store.keep,
  head: () => store.head(),
  earliest: () => store.earliest(),
  at: (height) => {
    snapshots++;
    return store.at(height);
  },
  commit: (height, changes) => store.commit(height, changes),
  close: () => store.close(),
};
let door: Door;
beforeAll(async () => {
  await loadDevChain(store);
  door = directDoor(watched);
});
beforeEach(() => {
  snapshots = 0;
});
afterAll(dispose);

const shownAt = (headers: Headers) => headers.get("x-cosmos-block-height");

test.each(PATHS)("%s is read once for a height", async (path) => {
  const first = await door.get(path);
  expect([first.status, snapshots > 0]).toEqual([200, true]);
  snapshots = 0;
  const again = await door.get(path);
  expect(snapshots).toBe(0);
  expect([again.text, [...again.headers]]).toEqual([first.text, [...first.headers]]);
  const tag = first.headers.get("etag") as string;
  expect((await door.get(path, { "if-none-match": tag })).status).toBe(304);
  const head = await door.ask(path, { method: "HEAD" });
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, tag, ""]);
  expect(snapshots).toBe(0);
  await commitBlock(store);
  const later = await door.get(path);
  expect(snapshots).toBeGreaterThan(0);
  expect(BigInt(shownAt(later.headers) as string)).toBe(BigInt(shownAt(first.headers) as string) + 1n);
});

test("a header that decides about the answer is not overlooked", async () => {
  await door.get(SUPPLY);
  const newest = store.head() as bigint;
  for (const name of ["x-cosmos-block-height", "x-core-block-height"]) {
    expect(shownAt((await door.get(SUPPLY, { [name]: "1" })).headers)).toBe("1");
    expect((await door.get(SUPPLY, { [name]: String(newest + 1n) })).status).toBe(400);
  }
  expect((await door.get(SUPPLY, { "x-cosmos-block-time": "never" })).status).toBe(400);
  const late = { "x-min-height": String(newest + 1n), "x-min-height-wait": "1" };
  expect((await door.get(SUPPLY, late)).status).toBe(503);
  const { headers } = await door.ask(SUPPLY, { headers: { "accept-encoding": "gzip" } });
  expect(headers.get("vary")).toContain("accept-encoding");
});

test("another method on the same path is another question", async () => {
  const path = "/cosmos/tx/v1beta1/simulate";
  expect((await door.get(path)).status).toBe(405);
  await door.get(SUPPLY);
  expect((await door.send(SUPPLY, { method: "POST", body: "{}" })).status).toBe(405);
});

test("what tells of the node is asked for each time", async () => {
  const path = "/cosmos/base/tendermint/v1beta1/syncing";
  await door.get(path);
  snapshots = 0;
  await door.get(path);
  expect(snapshots).toBeGreaterThan(0);
});
