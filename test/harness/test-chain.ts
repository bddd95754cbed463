// A chain for tests: any state and any block content at any height, without the rules of a real chain, which would
// refuse most of what a contract must be shown to hold for.

import { type Block, blockCodec, blockIdOf, dataHash } from "../../src/codec/block.ts";
import { ZERO_BLOCK_ID } from "../../src/codec/block-id.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import { type Commit, EMPTY_COMMIT } from "../../src/codec/commit.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../../src/codec/consensus-params.ts";
import { type Evidence, evidenceListHash } from "../../src/codec/evidence.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { BLOCK_PROTOCOL, type Header } from "../../src/codec/header.ts";
import { ed25519PublicKey } from "../../src/codec/public-key.ts";
import type { Time } from "../../src/codec/time.ts";
import { newValidator } from "../../src/codec/validator.ts";
import { putBlock } from "../../src/state/block.ts";
import { deriveClaims } from "../../src/state/identity-index.ts";
import { deriveCounts } from "../../src/state/list.ts";
import type { Change, Reader, Store } from "../../src/store/store.ts";

export type TestBlock = {
  readonly changes?: readonly Change[];
  readonly txs?: readonly Bytes[];
  readonly evidence?: readonly Evidence[];
  readonly lastCommit?: Commit;
  readonly time?: Time;
};

export const VALIDATOR = newValidator(ed25519PublicKey(new Uint8Array(32).fill(7)), 10n);

/** Commits the next height, beginning with 1. The trees under the app hash are left out: no operation reads them. */
export async function commitBlock(store: Store, content: TestBlock = {}): Promise<bigint> {
  const head = store.head();
  const height = (head ?? 0n) + 1n;
  const changes = content.changes ?? [];
  const reader = head === null ? NOTHING : store.at(head);
  const index = await deriveClaims(reader, changes, height);
  const counts = await deriveCounts(reader, changes);
  await store.commit(height, [...changes, ...index, ...counts, ...blockChanges(height, content)]);
  return height;
}

const NOTHING: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};

function blockChanges(height: bigint, content: TestBlock): Change[] {
  const block = blockOf(height, content);
  const encoded = blockCodec.encode(block);
  const blockId = blockIdOf(block, encoded);
  const numTxs = BigInt(block.data.txs.length);
  return putBlock(height, {
    block: encoded,
    meta: { blockId, blockSize: BigInt(encoded.length), numTxs, time: block.header.time },
    commit: { ...EMPTY_COMMIT, height, blockId },
    results: { txResults: block.data.txs.map(() => new Uint8Array(0)) },
    validators: { validators: [VALIDATOR], proposer: VALIDATOR },
    consensusParams: DEFAULT_CONSENSUS_PARAMS,
  });
}

function blockOf(height: bigint, { txs = [], evidence = [], lastCommit = EMPTY_COMMIT, time }: TestBlock): Block {
  return { header: headerOf(height, txs, evidence, time), data: { txs }, evidence, lastCommit };
}

/** Nanoseconds that no rendering may round away by chance. */
const GENESIS_SECONDS = 1_800_000_000n;
const NANOS = 123_456_789;

export function headerOf(
  height: bigint,
  txs: readonly Bytes[] = [],
  evidence: readonly Evidence[] = [],
  time: Time = { seconds: GENESIS_SECONDS + height, nanos: NANOS },
): Header {
  const hash = sha256(new TextEncoder().encode(`height ${height}`));
  return {
    version: { block: BLOCK_PROTOCOL, app: 0n },
    chainId: "reference-1",
    height,
    time,
    lastBlockId: height === 1n ? ZERO_BLOCK_ID : { hash, partSetHeader: { total: 1, hash } },
    lastCommitHash: hash,
    dataHash: dataHash(txs),
    validatorsHash: hash,
    nextValidatorsHash: hash,
    consensusHash: hash,
    appHash: hash,
    lastResultsHash: hash,
    evidenceHash: evidenceListHash(evidence),
    proposerAddress: VALIDATOR.address,
  };
}
