// A block: its bytes, its parts, and its id.

import type { BlockId, PartSetHeader } from "./block-id.ts";
import type { Bytes } from "./bytes.ts";
import { type Commit, commitCodec } from "./commit.ts";
import { type Evidence, evidenceListCodec } from "./evidence.ts";
import { sha256 } from "./hash.ts";
import { type Header, headerCodec, headerHash } from "./header.ts";
import { merkleRoot } from "./merkle.ts";
import { always, listOfBytes, message, optional } from "./message.ts";

export type BlockData = { readonly txs: readonly Bytes[] };

export type Block = {
  readonly header: Header;
  readonly data: BlockData;
  readonly evidence: readonly Evidence[];
  /** Present in every valid block; the first one has an empty commit. */
  readonly lastCommit: Commit | null;
};

/** Blocks travel in parts of this many bytes; the last one is shorter. */
const PART_SIZE = 65536;

const evidenceCodec = {
  encode: (evidence: readonly Evidence[]): Bytes => evidenceListCodec.encode({ evidence }),
  decode: (bytes: Bytes): readonly Evidence[] => evidenceListCodec.decode(bytes).evidence,
};

export const blockCodec = message<Block>("Block", {
  header: always(1, headerCodec),
  data: always(2, message<BlockData>("Data", { txs: listOfBytes(1) })),
  evidence: always(3, evidenceCodec),
  lastCommit: optional(4, commitCodec),
});

/** Leaves are hashes of transactions, so that a proof of one need not carry the transaction. */
export function dataHash(txs: readonly Bytes[]): Bytes {
  return merkleRoot(txs.map(sha256));
}

function partSetHeader(encodedBlock: Bytes): PartSetHeader {
  const parts: Bytes[] = [];
  for (let pos = 0; pos < encodedBlock.length; pos += PART_SIZE)
    parts.push(encodedBlock.subarray(pos, pos + PART_SIZE));
  return { total: parts.length, hash: merkleRoot(parts) };
}

/** `encoded` spares the work when the caller has the block's bytes already. */
export function blockIdOf(block: Block, encoded: Bytes = blockCodec.encode(block)): BlockId {
  return { hash: headerHash(block.header), partSetHeader: partSetHeader(encoded) };
}
