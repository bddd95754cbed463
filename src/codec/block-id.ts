// What names a block: the hash of its header, and the Merkle root of its encoded parts.

import { type Bytes, EMPTY, equalBytes } from "./bytes.ts";
import { always, bytes, message, uint32 } from "./message.ts";

export type PartSetHeader = { readonly total: number; readonly hash: Bytes };
export type BlockId = { readonly hash: Bytes; readonly partSetHeader: PartSetHeader };

/** The id before the first block, and in a vote for no block. */
export const ZERO_BLOCK_ID: BlockId = { hash: EMPTY, partSetHeader: { total: 0, hash: EMPTY } };

export const partSetHeaderCodec = message<PartSetHeader>("PartSetHeader", { total: uint32(1), hash: bytes(2) });

export const blockIdCodec = message<BlockId>("BlockID", {
  hash: bytes(1),
  partSetHeader: always(2, partSetHeaderCodec),
});

export function equalBlockIds(a: BlockId, b: BlockId): boolean {
  return (
    equalBytes(a.hash, b.hash) &&
    a.partSetHeader.total === b.partSetHeader.total &&
    equalBytes(a.partSetHeader.hash, b.partSetHeader.hash)
  );
}

export function isZeroBlockId(id: BlockId): boolean {
  return equalBlockIds(id, ZERO_BLOCK_ID);
}
