// Methods about blocks and what belongs to them.

import { type NamedBlock, RpcRefusal } from "../api/rpc-queries.ts";
import type { BlockExecution } from "../codec/block-execution.ts";
import { ZERO_BLOCK_ID } from "../codec/block-id.ts";
import {
  blockIdJson,
  blockJson,
  commitJson,
  headerJson,
  type Json,
  validatorJson,
} from "../codec/comet-block-json-writer.ts";
import {
  consensusParamsJson,
  eventJson,
  paramUpdatesJson,
  txResultJson,
  validatorUpdateJson,
} from "../codec/comet-json-writer.ts";
import { method } from "./method.ts";
import { pageArguments } from "./page.ts";

export const BLOCK_METHODS = [
  method(
    "block",
    { height: "height" },
    async ({ queries }, { height }) => namedBlockJson(await queries.block(height)),
    "with height",
  ),
  method("block_by_hash", { hash: "bytes" }, async ({ queries }, { hash }) =>
    namedBlockJson(await queries.blockByHash(hash)),
  ),
  method(
    "header",
    { height: "height" },
    async ({ queries }, { height }) => ({ header: headerJson((await queries.block(height)).block.header) }),
    "with height",
  ),
  method("header_by_hash", { hash: "hex" }, async ({ queries }, { hash }) => {
    const found = await queries.blockByHash(hash);
    return { header: found === null ? null : headerJson(found.block.header) };
  }),
  method("blockchain", { minHeight: "int", maxHeight: "int" }, async ({ queries }, { minHeight, maxHeight }) => {
    const { lastHeight, blocks } = await queries.blockchain(minHeight, maxHeight);
    const metas = blocks.map(({ blockId, blockSize, header, numTxs }) => ({
      block_id: blockIdJson(blockId),
      block_size: String(blockSize),
      header: headerJson(header),
      num_txs: String(numTxs),
    }));
    return { last_height: String(lastHeight), block_metas: metas };
  }),
  method(
    "block_results",
    { height: "height" },
    async ({ queries }, { height }) => resultsJson(await queries.blockResults(height)),
    "with height",
  ),
  // The newest one is not canonical yet, and changes when the next block comes.
  method("commit", { height: "height" }, async ({ queries }, { height }) => {
    const { header, commit, canonical } = await queries.commit(height);
    return { signed_header: { header: headerJson(header), commit: commitJson(commit) }, canonical };
  }),
  method(
    "validators",
    { height: "height", page: "height", per_page: "height" },
    async ({ queries }, given) => {
      const { height, validators } = await queries.validators(given.height);
      const { page, perPage } = pageArguments(given);
      const pages = Math.max(1, Math.ceil(validators.length / perPage));
      if (page < 1 || page > pages) throw new RpcRefusal(`page should be within [1, ${pages}] range, given ${page}`);
      const shown = validators.slice((page - 1) * perPage, page * perPage);
      return {
        block_height: String(height),
        validators: shown.map(validatorJson),
        count: String(shown.length),
        total: String(validators.length),
      };
    },
    "with height",
  ),
  method(
    "consensus_params",
    { height: "height" },
    async ({ queries }, given) => {
      const { height, params } = await queries.consensusParams(given.height);
      return { block_height: String(height), consensus_params: consensusParamsJson(params) };
    },
    "with height",
  ),
];

/** A block that is not there is null, under the id of no block. */
export function namedBlockJson(found: NamedBlock | null): Json {
  if (found === null) return { block_id: blockIdJson(ZERO_BLOCK_ID), block: null };
  return { block_id: blockIdJson(found.blockId), block: blockJson(found.block) };
}

function resultsJson(outcome: BlockExecution & { readonly height: bigint }): Json {
  return {
    height: String(outcome.height),
    txs_results: listOrNull(outcome.results.map(txResultJson)),
    begin_block_events: listOrNull(outcome.beginBlockEvents.map(eventJson)),
    end_block_events: listOrNull(outcome.endBlockEvents.map(eventJson)),
    validator_updates: listOrNull(outcome.validatorUpdates.map(validatorUpdateJson)),
    consensus_param_updates: paramUpdatesJson(outcome.paramUpdates),
  };
}

function listOrNull(list: readonly Json[]): Json {
  return list.length === 0 ? null : list;
}
