// Blocks and what belongs to them, for the RPC door.

import { type NamedBlock, type RpcQueries, RpcRefusal } from "../api/rpc-queries.ts";
import { blockCodec } from "../codec/block.ts";
import { blockIdCodec } from "../codec/block-id.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { ConsensusParams } from "../codec/consensus-params.ts";
import type { ValidatorSet } from "../codec/validator.ts";
import { rotate, updateValidators } from "../codec/validator-set.ts";
import {
  firstBlockHeight,
  getBlock,
  getBlockMeta,
  getCommit,
  getConsensusParams,
  getValidators,
  heightOfHash,
} from "../state/block.ts";
import { getBlockOutcome } from "../state/block-outcome.ts";
import { DamagedRecord, type Reader, type Snapshot, type Store } from "../store/store.ts";
import { atHead, chosenHeight } from "./rpc-heights.ts";

type BlockQueries = Pick<
  RpcQueries,
  "block" | "blockByHash" | "blockchain" | "blockResults" | "commit" | "validators" | "consensusParams"
>;

/** The most blocks that one answer lists. */
const MOST_BLOCKS = 20n;

export function rpcBlockQueries(store: Store): BlockQueries {
  return {
    block: (height) => atHead(store, async (view) => readBlock(view, await chosenHeight(view, height))),
    blockByHash: (hash) => atHead(store, (view) => blockByHash(view, hash)),
    blockchain: (min, max) => atHead(store, (view) => blockchain(view, min, max)),
    blockResults: (height) => atHead(store, (view) => blockResults(view, height)),
    commit: (height) => atHead(store, (view) => commitOf(view, height)),
    validators: (wanted) =>
      atHead(store, async (view) => {
        const height = await chosenHeight(view, wanted, view.height + 1n);
        return { height, validators: (await validatorsAt(view, height)).validators };
      }),
    consensusParams: (wanted) =>
      atHead(store, async (view) => {
        const height = await chosenHeight(view, wanted, view.height + 1n);
        return { height, params: await paramsAt(view, height) };
      }),
  };
}

export async function readBlock(reader: Reader, height: bigint): Promise<NamedBlock> {
  const stored = await getBlock(reader, height);
  if (stored === null) throw new DamagedRecord(`block ${height} is not stored`);
  return { blockId: blockIdCodec.decode(stored.blockId), block: blockCodec.decode(stored.block) };
}

/** In force at a height, which may be the one after the newest. */
export async function validatorsAt(view: Snapshot, height: bigint): Promise<ValidatorSet> {
  if (height <= view.height) return getValidators(view, height);
  const first = await firstBlockHeight(view);
  // Updates act two heights later.
  const updates = view.height > first ? (await getBlockOutcome(view, view.height - 1n)).validatorUpdates : [];
  return rotate(updateValidators(await getValidators(view, view.height), updates), 1);
}

async function blockByHash(view: Snapshot, hash: Bytes): Promise<NamedBlock | null> {
  const height = await heightOfHash(view, hash);
  return height === null ? null : readBlock(view, height);
}

async function blockchain(view: Snapshot, min: bigint, max: bigint) {
  if (min < 0n || max < 0n) throw new RpcRefusal("heights must be non-negative");
  const lowest = await firstBlockHeight(view);
  const last = max === 0n || max > view.height ? view.height : max;
  const wanted = min > lowest ? min : lowest;
  const first = last - wanted >= MOST_BLOCKS ? last - MOST_BLOCKS + 1n : wanted;
  if (first > last) throw new RpcRefusal(`min height ${first} can't be greater than max height ${last}`);
  const blocks = [];
  for (let height = last; height >= first; height--) {
    const { blockId, blockSize, numTxs } = await getBlockMeta(view, height);
    blocks.push({ blockId, blockSize, numTxs, header: (await readBlock(view, height)).block.header });
  }
  return { lastHeight: view.height, blocks };
}

async function blockResults(view: Snapshot, wanted: bigint | null) {
  const height = await chosenHeight(view, wanted);
  return { height, ...(await getBlockOutcome(view, height)) };
}

/** Of the newest block, the commit that was seen; of any other, the one that the next block carries. */
async function commitOf(view: Snapshot, wanted: bigint | null) {
  const height = await chosenHeight(view, wanted);
  const { header } = (await readBlock(view, height)).block;
  if (height === view.height) return { header, commit: await getCommit(view, height), canonical: false };
  const next = (await readBlock(view, height + 1n)).block.lastCommit;
  if (next === null) throw new DamagedRecord(`block ${height + 1n} carries no commit`);
  return { header, commit: next, canonical: true };
}

async function paramsAt(view: Snapshot, height: bigint): Promise<ConsensusParams> {
  if (height <= view.height) return getConsensusParams(view, height);
  const { paramUpdates } = await getBlockOutcome(view, view.height);
  return { ...(await getConsensusParams(view, view.height)), ...paramUpdates };
}
