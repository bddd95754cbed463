// Final blocks as the store keeps them: from what a source yields to records, and back.

import { type Block, blockCodec } from "../codec/block.ts";
import type { Bytes } from "../codec/bytes.ts";
import {
  getBlockBytes,
  getBlockMeta,
  getCommit,
  getConsensusParams,
  getStoreRoots,
  getValidators,
  putBlock,
  putChainInfo,
  removeBlock,
} from "../state/block.ts";
import { getBlockOutcome, outcomeRecord } from "../state/block-outcome.ts";
import { type IndexedBlock, indexBlock, unindexBlock } from "../state/tx-index.ts";
import { type Change, DamagedRecord, type Reader } from "../store/store.ts";
import type { ChainGenesis } from "./chain-state.ts";
import type { Committed, Source } from "./source.ts";

/** The block, what belongs to it, and the index by which its transactions and events are found. */
export function blockRecords(committed: Committed, block: Block): Change[] {
  const { header, data } = block;
  const stored = putBlock(committed.height, {
    block: committed.block,
    meta: {
      blockId: committed.blockId,
      blockSize: BigInt(committed.block.length),
      numTxs: BigInt(data.txs.length),
      time: header.time,
    },
    commit: committed.commit,
    results: outcomeRecord(committed.results),
    validators: committed.validators,
    consensusParams: committed.consensusParams,
  });
  return [...stored, ...indexBlock(indexedBlock(committed, block))];
}

/** What undoes `blockRecords` for a block that is stored. */
export async function withoutBlock(reader: Reader, height: bigint): Promise<Change[]> {
  const committed = await readCommitted(reader, height);
  const indexed = indexedBlock(committed, blockCodec.decode(committed.block));
  return [...removeBlock(height, committed.blockId.hash), ...(await unindexBlock(reader, indexed))];
}

/** What the first commit says about the chain once and for all. */
export function chainRecord(genesis: ChainGenesis, source: Source): Change {
  return putChainInfo({
    chainId: genesis.chainId,
    bech32Prefix: genesis.bech32Prefix,
    initialHeight: genesis.initialHeight,
    genesisTime: genesis.time,
    source: source.name,
  });
}

/** A block that is stored, with all that belongs to it but its changes: those have become the state. */
export async function readCommitted(reader: Reader, height: bigint): Promise<Committed> {
  const block = await getBlockBytes(reader, height);
  if (block === null) throw new DamagedRecord(`block ${height} is not stored`);
  return {
    height,
    block,
    blockId: (await getBlockMeta(reader, height)).blockId,
    commit: await getCommit(reader, height),
    results: await getBlockOutcome(reader, height),
    validators: await getValidators(reader, height),
    consensusParams: await getConsensusParams(reader, height),
    changes: [],
  };
}

/** The root of the state at the height of the reader, which the next header carries. */
export async function readAppHash(reader: Reader): Promise<Bytes> {
  const roots = await getStoreRoots(reader);
  if (roots === null) throw new DamagedRecord("the roots of the stores are not stored");
  return roots.appHash as Bytes;
}

function indexedBlock({ height, results: execution }: Committed, { data }: Block): IndexedBlock {
  const { results, beginBlockEvents, endBlockEvents } = execution;
  return { height, txs: data.txs, results, blockEvents: [...beginBlockEvents, ...endBlockEvents] };
}
