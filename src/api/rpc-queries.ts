// What the RPC door asks of the node, as typed values: the door itself only speaks JSON-RPC. The sentences of refusals
// are the reference's, because clients match them.

import type { Block } from "../codec/block.ts";
import type { BlockExecution } from "../codec/block-execution.ts";
import type { BlockId } from "../codec/block-id.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { Commit } from "../codec/commit.ts";
import type { ConsensusParams } from "../codec/consensus-params.ts";
import type { Header } from "../codec/header.ts";
import type { MerkleProof } from "../codec/merkle.ts";
import type { PublicKey } from "../codec/public-key.ts";
import type { Time } from "../codec/time.ts";
import type { TxResult } from "../codec/tx-result.ts";
import type { Validator } from "../codec/validator.ts";
import type { ProofOp } from "../codec/verify-proof.ts";

/** A request that cannot be answered, for a reason that its caller is told. */
export class RpcRefusal extends Error {
  override readonly name = "RpcRefusal";
}

export type NamedBlock = { readonly blockId: BlockId; readonly block: Block };

export type BlockSummary = {
  readonly blockId: BlockId;
  readonly blockSize: bigint;
  readonly header: Header;
  readonly numTxs: bigint;
};

export type FoundTx = {
  readonly hash: Bytes;
  readonly height: bigint;
  readonly index: number;
  readonly tx: Bytes;
  readonly result: TxResult;
  /** Its place under the data hash of its block; null where it was not asked for. */
  readonly proof: { readonly root: Bytes; readonly place: MerkleProof } | null;
};

export type NodeDescription = {
  readonly nodeId: string;
  readonly listenAddress: string;
  readonly rpcAddress: string;
  readonly chainId: string;
  readonly moniker: string;
  readonly channels: string;
  readonly consensusVersion: string;
  readonly protocol: { readonly p2p: bigint; readonly block: bigint; readonly app: bigint };
};

export type HeadDescription = {
  readonly hash: Bytes;
  readonly appHash: Bytes;
  readonly height: bigint;
  readonly time: Time;
};

export type NodeStatus = {
  readonly node: NodeDescription;
  readonly latest: HeadDescription;
  readonly earliest: HeadDescription;
  /** The key that the node signs with, and what power it has now. */
  readonly validator: { readonly address: Bytes; readonly publicKey: PublicKey; readonly votingPower: bigint };
};

export type AppInfo = {
  readonly name: string;
  readonly version: string;
  readonly appVersion: bigint;
  readonly height: bigint;
  readonly appHash: Bytes;
};

/** `code` is 0 for an answer. */
export type AbciAnswer = {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly key: Bytes | null;
  /** Null for a key that is absent; an empty value is a value. */
  readonly value: Bytes | null;
  readonly proof: readonly ProofOp[] | null;
  readonly height: bigint;
};

export type AbciQuestion = {
  readonly path: string;
  readonly data: Bytes;
  readonly height: bigint;
  readonly prove: boolean;
};

/** One page of a search; `page` counts from 1. */
export type SearchPage = { readonly page: number; readonly perPage: number; readonly descending: boolean };

export type TxSearchPage = SearchPage & { readonly prove: boolean };

/** A height of null is the newest one. All of them throw RpcRefusal. */
export type RpcQueries = {
  status(): Promise<NodeStatus>;
  /** The parsed genesis.json; null where the node does not have it. */
  genesis(): unknown;
  block(height: bigint | null): Promise<NamedBlock>;
  blockByHash(hash: Bytes): Promise<NamedBlock | null>;
  /** Newest first. Zero is the least, or the greatest, that there is. */
  blockchain(
    min: bigint,
    max: bigint,
  ): Promise<{ readonly lastHeight: bigint; readonly blocks: readonly BlockSummary[] }>;
  blockResults(height: bigint | null): Promise<BlockExecution & { readonly height: bigint }>;
  commit(
    height: bigint | null,
  ): Promise<{ readonly header: Header; readonly commit: Commit; readonly canonical: boolean }>;
  /** Also of the height after the newest. */
  validators(height: bigint | null): Promise<{ readonly height: bigint; readonly validators: readonly Validator[] }>;
  /** Also of the height after the newest. */
  consensusParams(height: bigint | null): Promise<{ readonly height: bigint; readonly params: ConsensusParams }>;
  tx(hash: Bytes, prove: boolean): Promise<FoundTx>;
  txSearch(query: string, page: TxSearchPage): Promise<{ readonly txs: readonly FoundTx[]; readonly total: number }>;
  blockSearch(
    query: string,
    page: SearchPage,
  ): Promise<{ readonly blocks: readonly NamedBlock[]; readonly total: number }>;
  abciInfo(): Promise<AppInfo>;
  abciQuery(question: AbciQuestion): Promise<AbciAnswer>;
};

/** A block that was committed just now. */
export type NewBlock = { readonly block: Block; readonly results: BlockExecution };
