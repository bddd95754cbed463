// Transactions and blocks that the RPC door finds: by hash, and by queries over their events.

import { type FoundTx, type NamedBlock, RpcRefusal, type SearchPage } from "../api/rpc-queries.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import { EventQueryError, parseEventQuery } from "../codec/event-query.ts";
import { sha256 } from "../codec/hash.ts";
import { merkleProofs } from "../codec/merkle.ts";
import { type Indexed, type Place, placeOfTx } from "../state/tx-index.ts";
import { SearchTooWide, searchIndex } from "../state/tx-search.ts";
import type { Snapshot } from "../store/store.ts";
import { DamagedRecord } from "../store/store.ts";
import { readBlock, readOutcome } from "./rpc-blocks.ts";

/** Null for a transaction that no block holds. */
export async function findTx(view: Snapshot, hash: Bytes): Promise<FoundTx | null> {
  const place = await placeOfTx(view, hash);
  return place === null ? null : ((await readTxs(view, [place]))[0] ?? null);
}

export async function txOrRefusal(view: Snapshot, hash: Bytes): Promise<FoundTx> {
  const found = await findTx(view, hash);
  if (found === null) throw new RpcRefusal(`tx (${toHex(hash).toUpperCase()}) not found`);
  return found;
}

export async function searchTxs(
  view: Snapshot,
  query: string,
  page: SearchPage,
): Promise<{ txs: FoundTx[]; total: number }> {
  const places = await search(view, "tx", query);
  return { txs: await readTxs(view, pageOf(places, page)), total: places.length };
}

export async function searchBlocks(
  view: Snapshot,
  query: string,
  page: SearchPage,
): Promise<{ blocks: NamedBlock[]; total: number }> {
  const places = await search(view, "block", query);
  const blocks: NamedBlock[] = [];
  for (const { height } of pageOf(places, page)) blocks.push(await readBlock(view, height));
  return { blocks, total: places.length };
}

async function search(view: Snapshot, indexed: Indexed, query: string): Promise<Place[]> {
  try {
    return await searchIndex(view, indexed, parseEventQuery(query));
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

/** Transactions of one block are read together. */
async function readTxs(view: Snapshot, places: readonly Place[]): Promise<FoundTx[]> {
  const found: FoundTx[] = [];
  let height = -1n;
  let txsOfBlock: FoundTx[] = [];
  for (const place of places) {
    if (place.height !== height) txsOfBlock = await txsAt(view, place.height);
    height = place.height;
    const tx = txsOfBlock[place.index];
    if (tx === undefined) throw new DamagedRecord(`the index names transaction ${place.index} of block ${height}`);
    found.push(tx);
  }
  return found;
}

async function txsAt(view: Snapshot, height: bigint): Promise<FoundTx[]> {
  const { block } = await readBlock(view, height);
  const { results } = await readOutcome(view, height);
  const hashes = block.data.txs.map(sha256);
  const proofs = merkleProofs(hashes);
  return block.data.txs.map((tx, index) => {
    const [hash, result, place] = [hashes[index], results[index], proofs[index]];
    if (!hash || !result || !place) throw new DamagedRecord(`block ${height} has fewer results than transactions`);
    return { hash, height, index, tx, result, proof: { root: block.header.dataHash, place } };
  });
}
