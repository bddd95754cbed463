// Many large simulations at once: they share one thread with every other request, and none of those may feel them. What
// is measured is held against other measures of the same run, never against a clock: the machine may have other work.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { encodeAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { MsgMultiSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { SimulateRequestSchema } from "../../src/gen/cosmos/tx/v1beta1/service_pb.ts";
import { createNode, type Node } from "../../src/node.ts";
import { createQueries } from "../../src/queries/queries.ts";
import { simulateTx } from "../../src/queries/simulate-tx.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import type { Snapshot, Store } from "../../src/store/store.ts";
import { DEV_CHAIN_ID, person, signerOf } from "../harness/dev-txs.ts";
import { NODE } from "../harness/door.ts";
import { temporaryFolder } from "../harness/engines.ts";
import { turnsDuring } from "../harness/loop-turns.ts";
import { signedTx, type TxSigner } from "../harness/signed-tx.ts";

const OUTPUTS = 1800;
/** Where a count is wanted and not a time: whatever takes more than two seconds is refused. */
const SMALLER = 600;
const AT_ONCE = 16;
/** Under way at a time, and waiting for their turn. */
const LET_IN = 1 + 16;
/** At most so many without a chance for others: 16 of the steps before the messages, and 16 of these. */
const READS_AT_ONCE = 32;
const EVENTS_AT_ONCE = 100;
const INFO = { ...NODE, chainId: DEV_CHAIN_ID };
const LOG = { debug() {}, info() {}, warn() {}, error() {} };

const folder = temporaryFolder();
let node: Node;
let store: Store;
let tx: Bytes;
let smallerTx: Bytes;

beforeAll(async () => {
  const api = { host: "127.0.0.1", port: 0 };
  node = await createNode({ mode: "dev", home: folder.path, api, log: LOG, emptyBlocks: false });
  store = openSqliteStore({ path: `${folder.path}/chain.db`, readonly: true });
  const alice = await signerOf(store.at(1n), person("alice"));
  tx = multiSend(alice, OUTPUTS);
  smallerTx = multiSend(alice, SMALLER);
});

afterAll(async () => {
  await store.close();
  await node.close();
  folder.remove();
});

test("a simulation can give way while it decodes, among its reads, and while it writes down what happened", async () => {
  let trace = "";
  const { watched } = watchedStore(() => {
    trace += "r";
  });
  const request = create(SimulateRequestSchema, { txBytes: smallerTx });
  await simulateTx(watched.at(1n), request, INFO, async () => {
    trace += "g";
  });
  // The block and its parameters; form and fields and message, each for itself; reads; events by the thousand, twice.
  const [, first = "", middle = "", last = ""] = /^rr(g*)(.*r)(g*)$/.exec(trace) ?? [];
  expect(first.length).toBeGreaterThanOrEqual(5);
  expect(Math.max(...middle.split("g").map(({ length }) => length))).toBeLessThanOrEqual(READS_AT_ONCE);
  expect(last.length).toBeGreaterThan((2 * 2 * SMALLER) / EVENTS_AT_ONCE);
}, 60_000);

test("between two turns of the event loop one simulation goes on, however many there are", async () => {
  const { views, watched } = watchedStore();
  const queries = createQueries({ store: watched, info: INFO });
  const request = create(SimulateRequestSchema, { txBytes: smallerTx });
  let most = 0;
  const turns = await turnsDuring(
    // On a machine with no time left the last of them are refused.
    () => Promise.allSettled(Array.from({ length: 4 }, () => queries.simulateTx(request, undefined))),
    () => {
      most = Math.max(most, views.readSince.size);
      views.readSince.clear();
    },
  );
  expect(views.opened).toBeGreaterThan(1);
  expect(most).toBe(1);
  // Each has some hundreds of places to give way at, and takes many times the share after which it does.
  expect(turns).toBeGreaterThan(3 * views.opened);
}, 60_000);

test("a GET does not wait longer for 16 large simulations than for one", async () => {
  const alone = await timeOfOne();
  const besideOne = median(await waitsBeside(1));
  const besideMany = median(await waitsBeside(AT_ONCE));
  expect(besideOne).toBeLessThan(alone / 2);
  expect(besideMany).toBeLessThan(4 * besideOne);
}, 60_000);

/** How long each of the GETs took that were asked, one after the other, until all simulations were answered. */
async function waitsBeside(simulations: number): Promise<number[]> {
  const waits: number[] = [];
  const statuses: number[] = [];
  const all = Array.from({ length: simulations }, async () => {
    const response = await simulate();
    await response.arrayBuffer();
    statuses.push(response.status);
  });
  do {
    const begin = performance.now();
    const response = await fetch(`${node.url}/core/bank/v1beta1/supply`);
    expect((await response.json()) as object).toMatchObject({ supply: expect.any(Array) });
    waits.push(performance.now() - begin);
  } while (statuses.length < simulations);
  await Promise.all(all);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  return waits;
}

test("those beyond the one under way and the sixteen that wait are told to come again", async () => {
  const replies = await Promise.all(Array.from({ length: 2 * AT_ONCE }, simulate));
  const refused = replies.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThanOrEqual(2 * AT_ONCE - LET_IN);
  expect(refused.map(({ headers }) => headers.has("retry-after"))).not.toContain(false);
  const sentences = await Promise.all(
    refused.map(async (reply) => ((await reply.json()) as { message: string }).message),
  );
  expect(sentences).toContain("too many simulations are under way; please try again later");
}, 60_000);

/** Tells which of the snapshots that it gave were read since somebody looked. */
function watchedStore(onRead = () => {}) {
  const views = { opened: 0, readSince: new Set<number>() };
  const watch = (view: Snapshot): Snapshot => {
    const id = ++views.opened;
    const note = <T>(answer: T): T => {
      views.readSince.add(id);
      onRead();
      return answer;
    };
    return {
      height: view.height,
      newest: view.newest,
      get: (key) => note(view.get(key)),
      getMany: (keys) => note(view.getMany(keys)),
      range: (range) => note(view.range(range)),
      close: () => view.close(),
    };
  };
  const watched: Store = {
    keep: store.keep,
    head: () => store.head(),
    earliest: () => store.earliest(),
    at: (height) => watch(store.at(height)),
    commit: (height, changes) => store.commit(height, changes),
    close: () => store.close(),
  };
  return { views, watched };
}

/** The first ones are slower: their code is still to be compiled. On a machine with no time left they may be refused. */
async function timeOfOne(): Promise<number> {
  for (let successes = 0, tries = 0; tries < 10; tries++) {
    const begin = performance.now();
    const response = await simulate();
    await response.arrayBuffer();
    if (response.status === 200 && ++successes === 3) return performance.now() - begin;
  }
  throw new Error("a large simulation that is alone does not succeed");
}

function multiSend(alice: TxSigner & { readonly address: string }, outputs: number): Bytes {
  const party = (address: string, amount: number) => ({ address, coins: [{ denom: "uorr", amount: String(amount) }] });
  const message = create(MsgMultiSendSchema, {
    inputs: [party(alice.address, outputs)],
    outputs: Array.from({ length: outputs }, (_, i) => party(unusedAddress(i), 1)),
  });
  return signedTx({
    chainId: DEV_CHAIN_ID,
    messages: [packAny(MsgMultiSendSchema, message)],
    signers: [alice],
    gasLimit: 1_000_000n,
    fee: [{ denom: "uorr", amount: "500" }],
  });
}

function simulate(): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ tx: "", tx_bytes: tx.toBase64() });
  return fetch(`${node.url}/core/tx/v1beta1/simulate`, { method: "POST", headers, body });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function unusedAddress(i: number): string {
  const bytes = new Uint8Array(20).fill(9);
  new DataView(bytes.buffer).setUint32(0, i);
  return encodeAddress("cosmos", bytes);
}
