// Blocks and what belongs to each of them, and the few records that tell which chain this is.
//
//   block space   'b' ‖ be64 height   the encoded block          'c' ‖ be64 height   the commit that made it final
//                 'm' ‖ be64 height   its id, size and time      'r' ‖ be64 height   what its execution gave
//                 'v' ‖ be64 height   the validators in force    'p' ‖ be64 height   the consensus parameters in force
//                 'h' ‖ block hash    be64 height
//   meta space    'chain'             what never changes         'roots'             the roots of the stores
//
// `getBlock` and `heightOfHash` say by null that a block is not stored. The other getters are for blocks that are.

import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type BlockId, blockIdCodec } from "../codec/block-id.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import { type Commit, commitCodec } from "../codec/commit.ts";
import { type ConsensusParams, consensusParamsCodec } from "../codec/consensus-params.ts";
import { always, int64, message } from "../codec/message.ts";
import { type Time, timeCodec } from "../codec/time.ts";
import { type ValidatorSet, validatorSetCodec } from "../codec/validator.ts";
import { LENGTH_DELIMITED, WireReader } from "../codec/wire.ts";
import {
  type BlockResults,
  BlockResultsSchema,
  type ChainInfo,
  ChainInfoSchema,
  type StoreRoots,
  StoreRootsSchema,
} from "../gen/orrery/state/v1/state_pb.ts";
import { prefixEnd } from "../store/key-range.ts";
import { type Change, DamagedRecord, type Reader } from "../store/store.ts";
import { be64, fromBe64, SPACE, spaceKey } from "./keys.ts";

/** orrery.state.v1.BlockMeta. */
export type BlockMeta = {
  readonly blockId: BlockId;
  readonly blockSize: bigint;
  readonly numTxs: bigint;
  readonly time: Time;
};

export type StoredBlock = {
  /** Encoded, as it was hashed into its parts. */
  readonly block: Bytes;
  readonly meta: BlockMeta;
  readonly commit: Commit;
  readonly results: MessageInitShape<typeof BlockResultsSchema>;
  readonly validators: ValidatorSet;
  readonly consensusParams: ConsensusParams;
};

/** A block and its id, both encoded: an answer is made of these bytes. */
export type BlockRecord = { readonly block: Bytes; readonly blockId: Bytes };

const PARTS = ["b", "m", "c", "r", "v", "p"] as const;

type Part = (typeof PARTS)[number];

const blockMetaCodec = message<BlockMeta>("BlockMeta", {
  blockId: always(1, blockIdCodec),
  blockSize: int64(2),
  numTxs: int64(3),
  time: always(4, timeCodec),
});

export function putBlock(height: bigint, stored: StoredBlock): Change[] {
  const results = toBinary(BlockResultsSchema, create(BlockResultsSchema, stored.results));
  return [
    [partKey("b", height), stored.block],
    [partKey("m", height), blockMetaCodec.encode(stored.meta)],
    [partKey("c", height), commitCodec.encode(stored.commit)],
    [partKey("r", height), results],
    [partKey("v", height), validatorSetCodec.encode(stored.validators)],
    [partKey("p", height), consensusParamsCodec.encode(stored.consensusParams)],
    [hashKey(stored.meta.blockId.hash), be64(height)],
  ];
}

/** What a commit must write so that nothing of the block is left. */
export function removeBlock(height: bigint, hash: Bytes): Change[] {
  return [...PARTS.map((part) => partKey(part, height)), hashKey(hash)].map((key) => [key, null]);
}

export async function getBlock(reader: Reader, height: bigint): Promise<BlockRecord | null> {
  const [block, meta] = await reader.getMany([partKey("b", height), partKey("m", height)]);
  if (block == null && meta == null) return null;
  if (block == null || meta == null) throw new DamagedRecord(`block ${height}: one of its records is not stored`);
  return { block, blockId: firstField(meta) };
}

export function getBlockBytes(reader: Reader, height: bigint): Promise<Bytes | null> {
  return reader.get(partKey("b", height));
}

export async function getBlockMeta(reader: Reader, height: bigint): Promise<BlockMeta> {
  return blockMetaCodec.decode(await getPart(reader, "m", height));
}

/** The commit that the node saw, not the one that the next block carries. */
export async function getCommit(reader: Reader, height: bigint): Promise<Commit> {
  return commitCodec.decode(await getPart(reader, "c", height));
}

export async function getBlockResults(reader: Reader, height: bigint): Promise<BlockResults> {
  return fromBinary(BlockResultsSchema, await getPart(reader, "r", height));
}

export async function getValidators(reader: Reader, height: bigint): Promise<ValidatorSet> {
  return validatorSetCodec.decode(await getPart(reader, "v", height));
}

export async function getConsensusParams(reader: Reader, height: bigint): Promise<ConsensusParams> {
  return consensusParamsCodec.decode(await getPart(reader, "p", height));
}

export async function heightOfHash(reader: Reader, hash: Bytes): Promise<bigint | null> {
  const height = await reader.get(hashKey(hash));
  return height === null ? null : fromBe64(height);
}

/** The oldest block that is stored. Throws when there is none. */
export async function firstBlockHeight(reader: Reader): Promise<bigint> {
  const start = spaceKey(SPACE.block, utf8Encode("b"));
  const [first] = await reader.range({ start, end: prefixEnd(start), limit: 1 });
  if (first === undefined) throw new DamagedRecord("no block is stored");
  return fromBe64(first[0].slice(start.length));
}

/** The transactions of an encoded block, as views into it. */
export function blockTxs(block: Bytes): Bytes[] {
  return fieldsOf(block, 2).flatMap((data) => fieldsOf(data, 1));
}

export function putChainInfo(info: MessageInitShape<typeof ChainInfoSchema>): Change {
  return [CHAIN, toBinary(ChainInfoSchema, create(ChainInfoSchema, info))];
}

/** Null for a store without a chain. */
export async function getChainInfo(reader: Reader): Promise<ChainInfo | null> {
  const record = await reader.get(CHAIN);
  return record === null ? null : fromBinary(ChainInfoSchema, record);
}

export function putStoreRoots(roots: MessageInitShape<typeof StoreRootsSchema>): Change {
  return [ROOTS, toBinary(StoreRootsSchema, create(StoreRootsSchema, roots))];
}

/** As of the height that the reader shows; null before the first commit. */
export async function getStoreRoots(reader: Reader): Promise<StoreRoots | null> {
  const record = await reader.get(ROOTS);
  return record === null ? null : fromBinary(StoreRootsSchema, record);
}

const CHAIN = spaceKey(SPACE.meta, utf8Encode("chain"));
const ROOTS = spaceKey(SPACE.meta, utf8Encode("roots"));

function partKey(part: Part, height: bigint): Bytes {
  return spaceKey(SPACE.block, utf8Encode(part), be64(height));
}

function hashKey(hash: Bytes): Bytes {
  return spaceKey(SPACE.block, utf8Encode("h"), hash);
}

async function getPart(reader: Reader, part: Part, height: bigint): Promise<Bytes> {
  const record = await reader.get(partKey(part, height));
  if (record === null) throw new DamagedRecord(`block ${height}: its record '${part}' is not stored`);
  return record;
}

function firstField(record: Bytes): Bytes {
  const [field] = fieldsOf(record, 1);
  if (field === undefined) throw new DamagedRecord("a block's record without its id");
  return field;
}

/** Every occurrence of a length-delimited field. */
function fieldsOf(record: Bytes, field: number): Bytes[] {
  const found: Bytes[] = [];
  const reader = new WireReader(record);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === field * 8 + LENGTH_DELIMITED) found.push(reader.view());
    else reader.skip(tag & 7);
  }
  return found;
}
