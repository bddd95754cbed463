// Checks the stored chain of blocks from the first one that is stored: links, hashes, signatures, sets, results, and the app hashes.

import { blockCodec } from "../codec/block.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import type { ConsensusState } from "../codec/consensus-state.ts";
import { compareTimes, type Time } from "../codec/time.ts";
import type { ValidatorSet } from "../codec/validator.ts";
import { rotate } from "../codec/validator-set.ts";
import type { ChainInfo } from "../gen/orrery/state/v1/state_pb.ts";
import { firstBlockHeight, getBlockMeta, getValidators, heightOfHash } from "../state/block.ts";
import { HeightNotKept, type Reader, type Snapshot, type Store } from "../store/store.ts";
import { readAppHash, readCommitted } from "./block-records.ts";
import { firstState } from "./chain-state.ts";
import { checkCommitted, stateAfter } from "./check-committed.ts";
import { type Committed, RECORDING, SOLO, type Source } from "./source.ts";
import type { Findings } from "./verify-walk.ts";

/** Stops at the first block that breaks a rule: whatever follows it would be wrong for the same reason. */
export async function* verifyBlocks(
  store: Store,
  info: ChainInfo,
  head: bigint,
  onBlock: (height: bigint) => void,
): Findings {
  const source = info.source === RECORDING.name ? RECORDING : SOLO;
  const view = store.at(head);
  const first = await firstBlockHeight(view);
  // A recording has the state of its last height only, and yet every block.
  const expected = source === RECORDING ? info.initialHeight : store.earliest()!;
  if (first > expected) yield `block ${expected} is not stored`;
  let state = await beginning(view, info, first);
  for (let height = first; height <= head; height++) {
    const committed = await readCommitted(view, height);
    try {
      state = await step(store, state, committed, source);
    } catch (error) {
      yield error instanceof Error ? error.message : String(error);
      return;
    }
    yield* verifyNames(view, committed);
    onBlock(height);
  }
}

/** The state before the first block that is stored. */
async function beginning(view: Snapshot, info: ChainInfo, height: bigint): Promise<ConsensusState> {
  const first = await readCommitted(view, height);
  if (height > info.initialHeight) return stateBefore(first, info, await setAfter(view, first));
  return firstState({
    chainId: info.chainId,
    bech32Prefix: info.bech32Prefix,
    initialHeight: info.initialHeight,
    time: info.genesisTime as Time,
    params: first.consensusParams,
    validators: first.validators.validators.map(({ publicKey, votingPower }) => ({ publicKey, power: votingPower })),
  });
}

/** Where the block before is gone: what only that one could tell is taken from the header, which its signers vouch for. */
function stateBefore(
  { height, block, validators, consensusParams }: Committed,
  { chainId, initialHeight }: ChainInfo,
  nextValidators: ValidatorSet,
): ConsensusState {
  const { header } = blockCodec.decode(block);
  return {
    chainId,
    version: header.version,
    initialHeight,
    lastHeight: height - 1n,
    lastBlockId: header.lastBlockId,
    lastBlockTime: header.time,
    lastValidators: null,
    validators,
    nextValidators,
    params: consensusParams,
    appHash: NOT_KNOWN,
    lastResultsHash: header.lastResultsHash,
  };
}

/** Updates of the block before decide on this set, so with that block gone it is taken as recorded. */
async function setAfter(view: Snapshot, { height, validators }: Committed): Promise<ValidatorSet> {
  return height < view.height ? getValidators(view, height + 1n) : rotate(validators, 1);
}

/** Parameters are taken as they were recorded; the header's hash of them is what they are held against. */
async function step(
  store: Store,
  before: ConsensusState,
  committed: Committed,
  source: Source,
): Promise<ConsensusState> {
  const { consensusParams } = committed;
  const version = { ...before.version, app: consensusParams.version.app };
  const state = { ...before, params: consensusParams, version };
  // The state before the oldest kept height is gone, and with it what those headers could be held against.
  const known = before.appHash.length > 0;
  const block = checkCommitted(state, committed, known ? source : { ...source, appHashes: "foreign" });
  return stateAfter(state, committed, block, await appHashAfter(store, committed.height));
}

const NOT_KNOWN: Bytes = new Uint8Array(0);

/** The root of the state after a height; NOT_KNOWN where that state is not kept, or has just ceased to be. */
async function appHashAfter(store: Store, height: bigint): Promise<Bytes> {
  try {
    return await readAppHash(store.at(height));
  } catch (error) {
    if (error instanceof HeightNotKept) return NOT_KNOWN;
    throw error;
  }
}

/** The ways to find a block, and what is said of it without reading it. */
async function* verifyNames(view: Reader, { height, block, blockId }: Committed): Findings {
  const { header, data } = blockCodec.decode(block);
  const meta = await getBlockMeta(view, height);
  if (meta.blockSize !== BigInt(block.length)) yield `block ${height}: its size is recorded as ${meta.blockSize}`;
  if (meta.numTxs !== BigInt(data.txs.length)) yield `block ${height}: ${meta.numTxs} transactions are recorded for it`;
  if (compareTimes(meta.time, header.time) !== 0) yield `block ${height}: another time is recorded for it`;
  const found = await heightOfHash(view, blockId.hash);
  if (found !== height) yield `block ${height}: its hash ${toHex(blockId.hash)} leads to ${found ?? "nothing"}`;
}
