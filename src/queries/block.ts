// Blocks: the consensus block as it is stored, and the SDK's view of it, which shows the proposer's address as text.

import { invalid, notKept } from "../api/errors.ts";
import type { RequestOf } from "../api/operations.ts";
import { encodeAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import { rewriteField } from "../codec/rewrite.ts";
import { WireWriter } from "../codec/wire.ts";
import { type BlockRecord, firstBlockHeight, getBlock as readBlock } from "../state/block.ts";
import type { Snapshot } from "../store/store.ts";

export async function getBlock(view: Snapshot, request: RequestOf<"getBlock">, bech32Prefix: string): Promise<Bytes> {
  return blockResponse(await blockAt(view, request.height), bech32Prefix);
}

export async function getLatestBlock(view: Snapshot, bech32Prefix: string): Promise<Bytes> {
  return blockResponse(await blockAt(view, view.height), bech32Prefix);
}

/** The block at a height that the caller asked for; the sentences are the reference's. */
export async function blockAt(view: Snapshot, height: bigint): Promise<BlockRecord> {
  const latest = view.height;
  if (height < 1n) throw invalid("height", `height must be greater than 0, but got ${height}`);
  if (height > latest) {
    const reason = `requested block height is bigger then the chain length: ${height} is above the latest height ${latest}`;
    throw invalid("height", `${reason}; ${await keptBlocks(view)}`);
  }
  const block = await readBlock(view, height);
  if (block === null) throw notKept("height", height, await firstBlockHeight(view), latest);
  return block;
}

/** Both ends, so that a caller knows what to ask for instead. */
export async function keptBlocks(view: Snapshot): Promise<string> {
  return `the kept heights are ${await firstBlockHeight(view)} to ${view.height}`;
}

function blockResponse(record: BlockRecord, bech32Prefix: string): Bytes {
  const response = new WireWriter(record.block.length * 2 + record.blockId.length + 128);
  response.messageField(1, record.blockId).messageField(2, record.block);
  return response.nestedField(3, () => writeSdkBlock(response, record.block, bech32Prefix)).finish();
}

function writeSdkBlock(response: WireWriter, block: Bytes, bech32Prefix: string): void {
  const proposer = (address: Bytes) => response.stringField(14, encodeAddress(`${bech32Prefix}valcons`, address));
  rewriteField(block, 1, response, (header) =>
    response.nestedField(1, () => rewriteField(header, 14, response, proposer)),
  );
}
