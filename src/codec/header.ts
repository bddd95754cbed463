// The header of a block, and its hash, which is the block's hash.

import { type BlockId, blockIdCodec } from "./block-id.ts";
import type { Bytes } from "./bytes.ts";
import { merkleRoot } from "./merkle.ts";
import { always, bytes, int64, message, string, uint64 } from "./message.ts";
import { type Time, timeCodec } from "./time.ts";
import { WireWriter } from "./wire.ts";

/** The version of the block format, and of the application that executes it. */
export type ConsensusVersion = { readonly block: bigint; readonly app: bigint };

export type Header = {
  readonly version: ConsensusVersion;
  readonly chainId: string;
  readonly height: bigint;
  readonly time: Time;
  readonly lastBlockId: BlockId;
  readonly lastCommitHash: Bytes;
  readonly dataHash: Bytes;
  readonly validatorsHash: Bytes;
  readonly nextValidatorsHash: Bytes;
  readonly consensusHash: Bytes;
  /** The state's root after the previous height. */
  readonly appHash: Bytes;
  readonly lastResultsHash: Bytes;
  readonly evidenceHash: Bytes;
  readonly proposerAddress: Bytes;
};

/** The block format of every CometBFT line that this code knows. */
export const BLOCK_PROTOCOL = 11n;

const versionCodec = message<ConsensusVersion>("Consensus", { block: uint64(1), app: uint64(2) });

export const headerCodec = message<Header>("Header", {
  version: always(1, versionCodec),
  chainId: string(2),
  height: int64(3),
  time: always(4, timeCodec),
  lastBlockId: always(5, blockIdCodec),
  lastCommitHash: bytes(6),
  dataHash: bytes(7),
  validatorsHash: bytes(8),
  nextValidatorsHash: bytes(9),
  consensusHash: bytes(10),
  appHash: bytes(11),
  lastResultsHash: bytes(12),
  evidenceHash: bytes(13),
  proposerAddress: bytes(14),
});

/** Scalars are wrapped as field 1 of a message of their own; version, time and block id are messages already. */
export function headerHash(header: Header): Bytes {
  const wrapped = (value: Bytes) => new WireWriter().bytesField(1, value).finish();
  return merkleRoot([
    versionCodec.encode(header.version),
    new WireWriter().stringField(1, header.chainId).finish(),
    new WireWriter().varintField(1, header.height).finish(),
    timeCodec.encode(header.time),
    blockIdCodec.encode(header.lastBlockId),
    wrapped(header.lastCommitHash),
    wrapped(header.dataHash),
    wrapped(header.validatorsHash),
    wrapped(header.nextValidatorsHash),
    wrapped(header.consensusHash),
    wrapped(header.appHash),
    wrapped(header.lastResultsHash),
    wrapped(header.evidenceHash),
    wrapped(header.proposerAddress),
  ]);
}
