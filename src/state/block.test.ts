// Blocks of a recorded chain, stored and read back part by part.

import { expect, test } from "bun:test";
import { blockCodec } from "../codec/block.ts";
import { blockIdCodec } from "../codec/block-id.ts";
import { parseRecordedHeight } from "../codec/comet-json.ts";
import { txResultCodec } from "../codec/tx-result.ts";
import { openMemoryStore } from "../store/memory.ts";
import { DamagedRecord, type Snapshot } from "../store/store.ts";
import * as blocks from "./block.ts";

const HEIGHTS = [7, 60];
const recorded = await Promise.all(
  HEIGHTS.map(async (height) =>
    parseRecordedHeight(
      await Bun.file(
        new URL(`../../test/fixtures/rpc/blocks/${String(height).padStart(4, "0")}.json`, import.meta.url),
      ).json(),
    ),
  ),
);

test("every part of a block comes back as it was stored", async () => {
  const view = await stored();
  for (const { block, blockId, commit, results, validators, params } of recorded) {
    const { height, time } = block.header;
    const encoded = blockCodec.encode(block);
    const record = await blocks.getBlock(view, height);
    expect(record).toEqual({ block: encoded, blockId: blockIdCodec.encode(blockId) });
    expect(await blocks.getBlockBytes(view, height)).toEqual(encoded);
    expect(blocks.blockTxs(encoded)).toEqual([...block.data.txs]);
    expect(await blocks.getBlockMeta(view, height)).toMatchObject({ blockId, time });
    expect(await blocks.getCommit(view, height)).toEqual(commit);
    expect(await blocks.getValidators(view, height)).toEqual({ validators, proposer: null });
    expect(await blocks.getConsensusParams(view, height)).toEqual(params);
    const readBack = await blocks.getBlockResults(view, height);
    expect(readBack.txResults).toEqual(results.txs.map(txResultCodec.encode));
    expect(readBack.beginBlockEvents.map(({ type }) => type)).toEqual(results.beginBlockEvents.map(({ type }) => type));
    expect(await blocks.heightOfHash(view, blockId.hash)).toBe(height);
  }
  expect(await blocks.firstBlockHeight(view)).toBe(7n);
});

test("a block that is not stored is null; a part of it is damage", async () => {
  const view = await stored();
  expect(await blocks.getBlock(view, 8n)).toBeNull();
  expect(await blocks.heightOfHash(view, new Uint8Array(32))).toBeNull();
  await expect(blocks.getCommit(view, 8n)).rejects.toThrow(DamagedRecord);
});

test("the chain's own record and the roots", async () => {
  const store = openMemoryStore();
  await store.commit(1n, [
    blocks.putChainInfo({ chainId: "c-1", bech32Prefix: "cosmos", initialHeight: 1n, source: "solo" }),
    blocks.putStoreRoots({ stores: [{ name: "acc", rootHash: Uint8Array.of(1) }], appHash: Uint8Array.of(2) }),
  ]);
  await store.commit(2n, [blocks.putStoreRoots({ appHash: Uint8Array.of(3) })]);
  expect(await blocks.getChainInfo(store.at(2n))).toMatchObject({ chainId: "c-1", bech32Prefix: "cosmos" });
  expect((await blocks.getStoreRoots(store.at(1n)))!.appHash).toEqual(Uint8Array.of(2));
  expect((await blocks.getStoreRoots(store.at(2n)))!.appHash).toEqual(Uint8Array.of(3));
});

async function stored(): Promise<Snapshot> {
  const store = openMemoryStore();
  const changes = recorded.flatMap(({ block, blockId, commit, results, validators, params }) => {
    const encoded = blockCodec.encode(block);
    return blocks.putBlock(block.header.height, {
      block: encoded,
      meta: {
        blockId,
        blockSize: BigInt(encoded.length),
        numTxs: BigInt(block.data.txs.length),
        time: block.header.time,
      },
      commit,
      results: {
        txResults: results.txs.map(txResultCodec.encode),
        beginBlockEvents: results.beginBlockEvents.map(({ type, attributes }) => ({
          type,
          attributes: [...attributes],
        })),
      },
      validators: { validators, proposer: null },
      consensusParams: params,
    });
  });
  await store.commit(1n, changes);
  return store.at(1n);
}
