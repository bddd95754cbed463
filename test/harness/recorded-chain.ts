// The recorded chain in a store: raw pairs of the state at its last height, and every block.

import { blockCodec } from "../../src/codec/block.ts";
import { Json } from "../../src/sources/json-reader.ts";
import {
  blockFromJson,
  blockIdFromJson,
  commitFromJson,
  consensusParamsFromJson,
  validatorsFromJson,
} from "../../src/sources/rpc-json.ts";
import { putBlock } from "../../src/state/block.ts";
import { SPACE, spaceKey } from "../../src/state/keys.ts";
import { deriveCounts } from "../../src/state/list.ts";
import type { Change, Store } from "../../src/store/store.ts";
import { readFixture, recordedHeights } from "./fixtures.ts";

export async function loadRecording(store: Store): Promise<void> {
  const pairs = [...pairsOf("acc", SPACE.acc), ...pairsOf("bank", SPACE.bank)];
  const nothing = {
    get: async () => null,
    getMany: async (keys: readonly unknown[]) => keys.map(() => null),
    range: async () => [],
  };
  const counts = await deriveCounts(nothing, pairs);
  await store.commit(66n, [...pairs, ...counts, ...recordedHeights().flatMap(blockChanges)]);
}

function pairsOf(name: string, space: (typeof SPACE)["acc" | "bank"]): Change[] {
  const pairs = readFixture<[string, string][]>(`state/${name}.json`);
  return pairs.map(([key, value]) => [spaceKey(space, Uint8Array.fromHex(key)), Uint8Array.fromHex(value)]);
}

function blockChanges(height: bigint): Change[] {
  const json = new Json(readFixture(`rpc/blocks/${String(height).padStart(4, "0")}.json`), "block");
  const block = blockFromJson(json.at("block").at("block"));
  const blockId = blockIdFromJson(json.at("block").at("block_id"));
  const encoded = blockCodec.encode(block);
  return putBlock(height, {
    block: encoded,
    meta: {
      blockId,
      blockSize: BigInt(encoded.length),
      numTxs: BigInt(block.data.txs.length),
      time: block.header.time,
    },
    commit: commitFromJson(json.at("commit").at("signed_header").at("commit")),
    results: {},
    validators: validatorsFromJson(json.at("validators"), block.header),
    consensusParams: consensusParamsFromJson(json.at("consensus_params").at("consensus_params")),
  });
}
