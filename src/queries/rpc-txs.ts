// Transactions and blocks that the RPC door finds: by hash, and by queries over their events.

import { type FoundTx, type NamedBlock, RpcRefusal, type SearchPage, type TxSearchPage } from "../api/rpc-queries.ts";
import { blockCodec } from "../codec/block.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import { EventQueryError, parseEventQuery } from "../codec/event-query.ts";
import { sha256 } from "../codec/hash.ts";
import { merkleProofs } from "../codec/merkle.ts";
import { txResultCodec } from "../codec/tx-result.ts";
import type { GiveWay } from "../give-way.ts";
import { blockTxs, getBlockBytes, getBlockResults } from "../state/block.ts";
import { type Indexed, type Place, placeOfTx } from "../state/tx-index.ts";
import { SearchTooWide, searchIndex } from "../state/tx-search.ts";
import type { Snapshot } from "../store/store.ts";
import { DamagedRecord } from "../store/store.ts";
import { readBlock } from "./rpc-blocks.ts";

/** Null for a transaction that no block holds. */
export async function findTx(view: Snapshot, hash: Bytes, prove: boolean): Promise<FoundTx | null> {
  const place = await placeOfTx(view, hash);
  return place === null ? null : readTx(await readBlockOfTxs(view, place.height), place, prove);
}

export async function txOrRefusal(view: Snapshot, hash: Bytes, prove: boolean): Promise<FoundTx> {
  const found = await findTx(view, hash, prove);
  if (found === null) throw new RpcRefusal(`tx (${toHex(hash).toUpperCase()}) not found`);
  return found;
}

export async function searchTxs(
  view: Snapshot,
  query: string,
  page: TxSearchPage,
  giveWay: GiveWay,
): Promise<{ txs: FoundTx[]; total: number }> {
  const places = await search(view, "tx", query, giveWay);
  const txs: FoundTx[] = [];
  let block: BlockOfTxs | null = null;
  for (const place of pageOf(places, page)) {
    await giveWay();
    // Transactions of one block lie side by side.
    if (block?.height !== place.height) block = await readBlockOfTxs(view, place.height);
    txs.push(readTx(block, place, page.prove));
  }
  return { txs, total: places.length };
}

export async function searchBlocks(
  view: Snapshot,
  query: string,
  page: SearchPage,
  giveWay: GiveWay,
): Promise<{ blocks: NamedBlock[]; total: number }> {
  const places = await search(view, "block", query, giveWay);
  const blocks: NamedBlock[] = [];
  for (const { height } of pageOf(places, page)) {
    await giveWay();
    blocks.push(await readBlock(view, height));
  }
  return { blocks, total: places.length };
}

async function search(view: Snapshot, indexed: Indexed, query: string, giveWay: GiveWay): Promise<Place[]> {
  try {
    return await searchIndex(view, indexed, parseEventQuery(query), { giveWay });
  } catch (error) {
    if (error instanceof EventQueryError) throw new RpcRefusal(`failed to parse query: ${error.message}`);
    if (error instanceof SearchTooWide) throw new RpcRefusal(error.message);
    throw error;
  }
}

/** Of an empty result there is one page, which is empty. */
function pageOf(places: readonly Place[], { page, perPage, descending }: SearchPage): Place[] {
  const pages = Math.max(1, Math.ceil(places.length / perPage));
  if (page < 1 || page > pages) throw new RpcRefusal(`page should be within [1, ${pages}] range, given ${page}`);
  const ordered = descending ? places.toReversed() : places;
  return ordered.slice((page - 1) * perPage, page * perPage);
}

/** What a block holds of transactions, none of them decoded: most requests want one of very many. */
type BlockOfTxs = {
  readonly height: bigint;
  readonly block: Bytes;
  readonly txs: readonly Bytes[];
  readonly results: readonly Uint8Array[];
};

async function readBlockOfTxs(view: Snapshot, height: bigint): Promise<BlockOfTxs> {
  const block = await getBlockBytes(view, height);
  if (block === null) throw new DamagedRecord(`block ${height} is not stored`);
  const { txResults } = await getBlockResults(view, height);
  return { height, block, txs: blockTxs(block), results: txResults };
}

function readTx({ height, block, txs, results }: BlockOfTxs, { index }: Place, prove: boolean): FoundTx {
  const [tx, result] = [txs[index], results[index]];
  if (tx === undefined) throw new DamagedRecord(`the index names transaction ${index} of block ${height}`);
  if (result === undefined) throw new DamagedRecord(`block ${height} has fewer results than transactions`);
  const proof = prove ? { root: dataHashOf(block), place: merkleProofs(txs.map(sha256))[index]! } : null;
  return { hash: sha256(tx), height, index, tx, result: txResultCodec.decode(result as Bytes), proof };
}

function dataHashOf(block: Bytes): Bytes {
  return blockCodec.decode(block).header.dataHash;
}
