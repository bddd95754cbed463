// Simulations on a chain that moves on: at the newest height and at older ones, equal to what a block then does.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Bytes, toBase64 } from "../../src/codec/bytes.ts";
import { txResultCodec } from "../../src/codec/tx-result.ts";
import { getBlockResults, getStoreRoots } from "../../src/state/block.ts";
import { DEV_CHAIN_ID, person, sendTx, signerOf } from "../harness/dev-txs.ts";
import { type Door, directDoor, type JsonObject, NODE } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { openSolo, type SoloFixture } from "../harness/solo-chain.ts";

const { store, dispose } = openStore("sqlite");
let solo: SoloFixture;
let door: Door;

beforeAll(async () => {
  solo = await openSolo(store);
  door = directDoor(store, { ...NODE, chainId: DEV_CHAIN_ID });
});

afterAll(async () => {
  await solo.stop();
  await dispose();
});

async function simulate(raw: Bytes, height?: bigint): Promise<{ status: number; body: JsonObject; at: string | null }> {
  const { status, body, headers } = await door.send("/cosmos/tx/v1beta1/simulate", {
    method: "POST",
    headers: height === undefined ? {} : { "x-cosmos-block-height": String(height) },
    body: JSON.stringify({ tx_bytes: toBase64(raw) }),
  });
  return { status, body: body as JsonObject, at: headers.get("x-cosmos-block-height") };
}

test("a signed transaction uses in a block what its simulation said, and the simulation changed nothing", async () => {
  await solo.produceBlock();
  const raw = sendTx(await signerOf(store.at(2n), person("alice")), person("bob"), 5n);
  const before = await getStoreRoots(store.at(2n));
  const simulated = await simulate(raw);
  expect([simulated.status, simulated.at]).toEqual([200, "2"]);
  expect(await getStoreRoots(store.at(2n))).toEqual(before);

  const height = await solo.produceBlock([raw]);
  const [result] = (await getBlockResults(store.at(height), height)).txResults;
  const { code, gasUsed, gasWanted } = txResultCodec.decode(result as Bytes);
  expect([code, gasWanted]).toEqual([0, 200_000n]);
  expect((simulated.body.gas_info as JsonObject).gas_used).toBe(String(gasUsed));
});

test("at the newest height its sequence is used up, at the height before it is not", async () => {
  const raw = sendTx(await signerOf(store.at(2n), person("alice")), person("bob"), 5n);
  const now = await simulate(raw);
  expect(now.status).toBe(400);
  expect((now.body.details as JsonObject[])[0]).toMatchObject({ code: 32, expected_sequence: "1" });
  const earlier = await simulate(raw, 2n);
  expect([earlier.status, earlier.at]).toEqual([200, "2"]);
});

test("more gas than a block has is refused", async () => {
  const signer = await signerOf(store.at(3n), person("alice"));
  const { status, body } = await simulate(sendTx(signer, person("bob"), 5n, { gasLimit: 30_000_001n }));
  expect(status).toBe(400);
  expect(body.message).toBe(
    "tx gas limit 30000001 exceeds block max gas 30000000: invalid gas limit With gas wanted: '18446744073709551615' and gas used: '0' ",
  );
});
