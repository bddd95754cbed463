// Transactions on the embedded chain: from the mempool into blocks, once each, also over restarts.

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { person, sendTx, signerOf } from "../../test/harness/dev-txs.ts";
import { openSolo } from "../../test/harness/solo-chain.ts";
import { devGenesis } from "../chain/dev-genesis.ts";
import { parseAddress } from "../codec/address.ts";
import { blockCodec } from "../codec/block.ts";
import type { Bytes } from "../codec/bytes.ts";
import { resultsHash } from "../codec/tx-result.ts";
import { getBalance } from "../state/bank.ts";
import { useNativeHashing } from "../state/native-hash.ts";
import { openMemoryStore } from "../store/memory.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { readCommitted } from "./block-records.ts";

useNativeHashing();
const [alice, bob, carol] = [person("alice"), person("bob"), person("carol")];

const view = (store: Store) => store.at(store.head()!);
const balance = (store: Store, { address }: typeof alice) =>
  getBalance(view(store), parseAddress(address, "cosmos"), "uorr");
const later = <S extends { sequence: bigint }>(signer: S, by: bigint): S => ({
  ...signer,
  sequence: signer.sequence + by,
});

async function resultsAt(store: Store, height: bigint) {
  return (await readCommitted(view(store), height)).results;
}

test("several of one account wait together, and are executed in one block", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store);
  const signer = await signerOf(view(store), alice);
  const before = await balance(store, bob);
  for (const by of [0n, 1n, 2n]) {
    const { code, gasUsed, gasWanted } = await solo.mempool.add(sendTx(later(signer, by), bob, 10n + by));
    expect([code, gasWanted]).toEqual([0, 200_000n]);
    expect(gasUsed).toBeGreaterThan(30_000n);
  }
  expect((await solo.mempool.add(sendTx(later(signer, 4n), bob, 1n))).log).toBe(
    "account sequence mismatch, expected 3, got 4: incorrect account sequence",
  );
  await solo.produceBlock();
  const { results } = await resultsAt(store, 2n);
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(results[0]!.events.map(({ type }) => type)).toContain("transfer");
  expect(await balance(store, bob)).toBe(before + 33n);
  expect(solo.mempool.size()).toEqual({ txs: 0, bytes: 0 });
  await solo.produceBlock();
  const { header } = blockCodec.decode((await readCommitted(view(store), 3n)).block);
  expect(header.lastResultsHash).toEqual(resultsHash(results));
});

test("one whose messages fail pays, and those behind it go on; one that became wrong goes", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store);
  const [a, b] = [await signerOf(view(store), alice), await signerOf(view(store), bob)];
  const all = await balance(store, alice);
  expect((await solo.mempool.add(sendTx(a, bob, all))).code).toBe(0);
  expect((await solo.mempool.add(sendTx(later(a, 1n), bob, 1n))).code).toBe(0);
  await solo.produceBlock();
  const { results } = await resultsAt(store, 2n);
  expect(results.map(({ code, codespace }) => `${codespace} ${code}`)).toEqual(["sdk 5", " 0"]);
  expect(await balance(store, alice)).toBe(all - 1n - 1000n);

  const timed = sendTx(b, carol, 1n, { timeoutHeight: 4n });
  expect((await solo.mempool.add(timed)).code).toBe(0);
  await solo.produceBlock([]);
  await solo.produceBlock([]);
  expect(solo.mempool.size().txs).toBe(1);
  await solo.produceBlock([]);
  expect(solo.mempool.size().txs).toBe(0);
});

test("the fees of a block are moved on at the begin of the next", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store);
  await solo.produceBlock();
  await solo.mempool.add(sendTx(await signerOf(view(store), alice), bob, 1n));
  await solo.produceBlock();
  await solo.produceBlock();
  const moved = (await resultsAt(store, 4n)).beginBlockEvents.find(({ type }) => type === "transfer");
  expect(moved!.attributes.find(({ key }) => key === "amount")!.value).toBe("500uorr");
});

test("blocks come by themselves as soon as something waits, and keep to the gas of a block", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store, { heartbeatMs: 60_000 });
  const signer = await signerOf(view(store), alice);
  // The gas of a block is 30,000,000: two of these do not fit into one.
  const heavy = { gasLimit: 16_000_000n };
  for (const by of [0n, 1n, 2n]) await solo.mempool.add(sendTx(later(signer, by), bob, 1n, heavy));
  while (solo.mempool.size().txs > 0) await Bun.sleep(5);
  await solo.stop();
  const counts: number[] = [];
  for (let height = 2n; height <= store.head()!; height++) counts.push((await resultsAt(store, height)).results.length);
  expect(counts).toEqual([1, 1, 1]);
});

test("after a restart nothing is executed twice, whatever is sent again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-solo-txs-"));
  const open = () => openSqliteStore({ path: join(folder, "chain.db") });
  let store: Store = open();
  let solo = await openSolo(store);
  const signer = await signerOf(view(store), alice);
  const txs: Bytes[] = [0n, 1n].map((by) => sendTx(later(signer, by), bob, 7n));
  await solo.mempool.add(txs[0]!);
  await solo.produceBlock();
  const after = await balance(store, bob);
  await solo.mempool.add(txs[1]!);
  await solo.stop();
  await store.close();

  store = open();
  solo = await openSolo(store);
  // What waited is gone, as the mempool is memory; its sender sends it again.
  expect(solo.mempool.size().txs).toBe(0);
  expect((await solo.mempool.add(txs[0]!)).log).toContain("account sequence mismatch, expected 1, got 0");
  expect((await solo.mempool.add(txs[1]!)).code).toBe(0);
  await solo.produceBlock([txs[0]!, txs[1]!]);
  expect((await resultsAt(store, 3n)).results.map(({ code }) => code)).toEqual([32, 0]);
  expect(await balance(store, bob)).toBe(after + 7n);
  await solo.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a try-out says what a check would, and leaves nothing behind", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store);
  const tx = sendTx(await signerOf(view(store), alice), bob, 1n);
  expect((await solo.mempool.tryOut(tx)).code).toBe(0);
  expect((await solo.mempool.tryOut(tx)).code).toBe(0);
  expect((await solo.mempool.add(tx)).code).toBe(0);
  expect((await solo.mempool.tryOut(tx)).code).toBe(32);
});

test("a limit of gas of zero is no limit: what waits gets into blocks", async () => {
  const store = openMemoryStore();
  const genesis = devGenesis() as { consensus_params: { block: object } };
  genesis.consensus_params.block = { ...genesis.consensus_params.block, max_gas: "0" };
  const solo = await openSolo(store, { genesis, heartbeatMs: 60_000 });
  const signer = await signerOf(view(store), alice);
  for (const by of [0n, 1n]) expect((await solo.mempool.add(sendTx(later(signer, by), bob, 1n))).code).toBe(0);
  for (let looks = 0; solo.mempool.size().txs > 0 && looks < 200; looks++) await Bun.sleep(5);
  expect(solo.mempool.size().txs).toBe(0);
  expect(solo.heads.length).toBeLessThan(5);
  await solo.stop();
});
