// Readers beside a chain with much to do: blocks, checks and second checks share one thread with every request.

import { afterAll, expect, test } from "bun:test";
import { createNode } from "../../src/node.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { person, sendTx, signerOf } from "../harness/dev-txs.ts";
import { temporaryFolder } from "../harness/engines.ts";
import { stallDuring } from "../harness/loop-stall.ts";

const TXS = 2000;
/** One commit is one step, and the machine may have other work; without pauses it is many seconds. */
const MOST_MS = 500;
const LOG = { debug() {}, info() {}, warn() {}, error() {} };

const folder = temporaryFolder();
afterAll(() => folder.remove());

test("while 2,000 transactions wait and are executed, a GET is answered soon", async () => {
  const api = { host: "127.0.0.1", port: 0 };
  const node = await createNode({ mode: "dev", home: folder.path, api, log: LOG, emptyBlocks: false });
  const store = openSqliteStore({ path: `${folder.path}/chain.db`, readonly: true });
  const alice = await signerOf(store.at(1n), person("alice"));
  await store.close();
  const txs = Array.from({ length: TXS }, (_, i) =>
    sendTx({ ...alice, sequence: alice.sequence + BigInt(i) }, person("bob"), 1n),
  );
  const waits: number[] = [];
  const heights = new Set<string | null>();
  const { longest, total } = await stallDuring(async () => {
    const verdicts = Promise.all(txs.map((tx) => node.txEntry.add(tx)));
    do {
      const begin = performance.now();
      const response = await fetch(`${node.url}/core/bank/v1beta1/supply`);
      expect((await response.json()) as object).toMatchObject({ supply: expect.any(Array) });
      heights.add(response.headers.get("x-cosmos-block-height"));
      waits.push(performance.now() - begin);
      await Bun.sleep(5);
    } while (node.txEntry.size().txs > 0 || waits.length < 20);
    expect((await verdicts).filter(({ code }) => code !== 0)).toEqual([]);
  });
  await node.close();
  expect(heights.size).toBeGreaterThan(5);
  const most = Math.max(MOST_MS, total / 8);
  expect(longest).toBeLessThan(most);
  expect(Math.max(...waits)).toBeLessThan(2 * most);
}, 120_000);
