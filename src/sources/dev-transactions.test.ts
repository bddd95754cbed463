import { afterEach, expect, test } from "bun:test";
import { devGenesis } from "../chain/dev-genesis.ts";
import type { Bytes } from "../codec/bytes.ts";
import { txResultCodec } from "../codec/tx-result.ts";
import { getBlockResults } from "../state/block.ts";
import { openMemoryStore } from "../store/memory.ts";
import type { AskedChain } from "./home-chain.ts";
import { type LocalChain, openLocalChain } from "./local-chain.ts";

const store = () => openMemoryStore();
const open: LocalChain[] = [];
afterEach(async () => {
  for (const chain of open.splice(0)) await chain.solo.stop();
});

async function chainWith(options: AskedChain & { sampleTxs?: boolean }, opened = store()): Promise<LocalChain> {
  const fixed = { validators: 1, blockTimeMs: 60_000, emptyBlocks: false, manual: false };
  const chain = await openLocalChain({
    ...{ home: null, openStore: () => opened, log: { error() {} }, onHead() {}, onFailure() {} },
    ...fixed,
    ...options,
  });
  open.push(chain);
  return chain;
}

async function codesAt({ store }: LocalChain, height: bigint): Promise<number[]> {
  const { txResults } = await getBlockResults(store.at(store.head()!), height);
  return txResults.map((result) => txResultCodec.decode(result as Bytes).code);
}

test("a new development chain has transactions in its second block, and all of them work", async () => {
  const chain = await chainWith({ sampleTxs: true, chainId: "mine-1" });
  expect(chain.store.head()).toBe(2n);
  expect(await codesAt(chain, 2n)).toEqual([0, 0, 0]);
});

test("no other chain gets them, and none that is not asked to have them", async () => {
  const other = devGenesis() as { app_state: { bank: { params: object } } };
  other.app_state.bank.params = { ...other.app_state.bank.params, default_send_enabled: false };
  expect((await chainWith({ sampleTxs: true, genesis: other })).store.head()).toBe(1n);
  expect((await chainWith({})).store.head()).toBe(1n);
});
