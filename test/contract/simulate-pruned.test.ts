// Simulations that take longer than a block, on a node that keeps one height: the one they began at is dropped.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Bytes, toBase64 } from "../../src/codec/bytes.ts";
import { DEV_CHAIN_ID, person, send, sendTx, signerOf } from "../harness/dev-txs.ts";
import { type Door, directDoor, type JsonObject, NODE } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { openSolo, type SoloFixture } from "../harness/solo-chain.ts";

const { store, dispose } = openStore("sqlite", 1);
const [alice, bob] = [person("alice"), person("bob")];
let solo: SoloFixture;
let door: Door;
let raw: Bytes;

beforeAll(async () => {
  solo = await openSolo(store, { heartbeatMs: 5 });
  door = directDoor(store, { ...NODE, chainId: DEV_CHAIN_ID });
  const signer = await signerOf(store.at(store.head()!), alice);
  const messages = Array.from({ length: 100 }, () => send(alice.address, bob.address, 1n));
  raw = sendTx(signer, bob, 1n, { messages, gasLimit: 20_000_000n });
});

afterAll(async () => {
  await solo.stop();
  await dispose();
});

const simulate = (headers: Record<string, string>) =>
  door.send("/cosmos/tx/v1beta1/simulate", {
    method: "POST",
    headers,
    body: JSON.stringify({ tx_bytes: toBase64(raw) }),
  });

test("without a height, it is done once more on the newest state", async () => {
  const before = store.head()!;
  // Until enough blocks have come in between, however many simulations a fast machine does in that time.
  for (let i = 0; i < 200 && store.head()! <= before + 4n; i++) {
    const { status, body } = await simulate({});
    expect([status, (body as JsonObject).message]).toEqual([200, undefined]);
  }
  expect(store.head()!).toBeGreaterThan(before + 4n);
  expect(door.faults).toEqual([]);
}, 30_000);

test("at a height that goes meanwhile, the answer is that it is gone", async () => {
  const seen = new Set<number>();
  for (let i = 0; i < 200 && !seen.has(410); i++) {
    const height = String(store.head());
    const { status, body } = await simulate({ "x-cosmos-block-height": height });
    seen.add(status);
    if (status === 410) expect((body as JsonObject).message).toContain(`height ${height} is not kept any more`);
    else expect(status).toBe(200);
  }
  expect(seen).toContain(410);
  expect(door.faults).toEqual([]);
}, 30_000);
