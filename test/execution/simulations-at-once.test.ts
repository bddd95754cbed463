// Many large simulations at once: they share one thread with every other request, and none of those may feel them.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { encodeAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import { MsgMultiSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { createNode, type Node } from "../../src/node.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { DEV_CHAIN_ID, person, signerOf } from "../harness/dev-txs.ts";
import { temporaryFolder } from "../harness/engines.ts";
import { stallDuring } from "../harness/loop-stall.ts";
import { signedTx } from "../harness/signed-tx.ts";

const OUTPUTS = 1800;
const AT_ONCE = 16;
/** Where all are let in at once it is many times more. */
const MOST_MS = 700;
/** And in the time of one simulation alone: the machine may have other work. */
const MOST_ALONE = 4;
const LOG = { debug() {}, info() {}, warn() {}, error() {} };

const folder = temporaryFolder();
let node: Node;
let body: string;

beforeAll(async () => {
  const api = { host: "127.0.0.1", port: 0 };
  node = await createNode({ mode: "dev", home: folder.path, api, log: LOG, emptyBlocks: false });
  const store = openSqliteStore({ path: `${folder.path}/chain.db`, readonly: true });
  const alice = await signerOf(store.at(1n), person("alice"));
  await store.close();
  const party = (address: string, amount: number) => ({ address, coins: [{ denom: "uorr", amount: String(amount) }] });
  const message = create(MsgMultiSendSchema, {
    inputs: [party(alice.address, OUTPUTS)],
    outputs: Array.from({ length: OUTPUTS }, (_, i) => party(unusedAddress(i), 1)),
  });
  const tx = signedTx({
    chainId: DEV_CHAIN_ID,
    messages: [packAny(MsgMultiSendSchema, message)],
    signers: [alice],
    gasLimit: 1_000_000n,
    fee: [{ denom: "uorr", amount: "500" }],
  });
  body = JSON.stringify({ tx: "", tx_bytes: tx.toBase64() });
});

afterAll(async () => {
  await node.close();
  folder.remove();
});

test("while 16 large simulations are asked for, a GET is answered soon, and each of them is answered", async () => {
  const alone = await timeOfOne();
  const waits: number[] = [];
  const statuses: number[] = [];
  const { longest } = await stallDuring(async () => {
    const simulations = Array.from({ length: AT_ONCE }, async () => statuses.push((await simulate()).status));
    do {
      const begin = performance.now();
      const response = await fetch(`${node.url}/core/bank/v1beta1/supply`);
      expect((await response.json()) as object).toMatchObject({ supply: expect.any(Array) });
      waits.push(performance.now() - begin);
      await Bun.sleep(5);
    } while (statuses.length < AT_ONCE);
    await Promise.all(simulations);
  });
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const most = Math.max(MOST_MS, MOST_ALONE * alone);
  expect(longest).toBeLessThan(most);
  expect(Math.max(...waits)).toBeLessThan(most);
}, 60_000);

test("those beyond the two under way and the sixteen that wait are told to come again", async () => {
  const replies = await Promise.all(Array.from({ length: 2 * AT_ONCE }, simulate));
  const refused = replies.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThanOrEqual(AT_ONCE - 2);
  expect(refused.map(({ headers }) => headers.has("retry-after"))).not.toContain(false);
  const sentences = await Promise.all(
    refused.map(async (reply) => ((await reply.json()) as { message: string }).message),
  );
  expect(sentences).toContain("too many simulations are under way; please try again later");
}, 60_000);

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

function simulate(): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${node.url}/core/tx/v1beta1/simulate`, { method: "POST", headers, body });
}

function unusedAddress(i: number): string {
  const bytes = new Uint8Array(20).fill(9);
  new DataView(bytes.buffer).setUint32(0, i);
  return encodeAddress("cosmos", bytes);
}
