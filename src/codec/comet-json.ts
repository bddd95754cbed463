// The JSON of CometBFT's RPC, read into our types: blocks, their results, commits, validators and parameters.
//
// Members that later versions added are ignored: what matters is under a hash that the caller checks.

import type { Block } from "./block.ts";
import type { BlockId } from "./block-id.ts";
import { readBlock, readBlockId, readCommit, readHeader, readValidator } from "./comet-block-json.ts";
import type { Commit } from "./commit.ts";
import type { ConsensusParams, ConsensusParamsUpdate } from "./consensus-params.ts";
import type { Header } from "./header.ts";
import { JsonValue } from "./json-shape.ts";
import { publicKey } from "./public-key.ts";
import type { TxEvent, TxResult } from "./tx-result.ts";
import type { Validator } from "./validator.ts";
import type { ValidatorUpdate } from "./validator-set.ts";

/** What a node answers about one height, as a recording keeps it. */
export type RecordedHeight = {
  readonly blockId: BlockId;
  readonly block: Block;
  readonly results: BlockResults;
  /** Locally seen when it is of the newest height, else the one in the next block. */
  readonly commit: Commit;
  readonly validators: readonly Validator[];
  readonly params: ConsensusParams;
};

export type BlockResults = {
  readonly height: bigint;
  readonly txs: readonly TxResult[];
  readonly beginBlockEvents: readonly TxEvent[];
  readonly endBlockEvents: readonly TxEvent[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  readonly paramUpdates: ConsensusParamsUpdate;
};

/**
 * The answers of `block`, `block_results`, `commit`, `validators` (all pages) and `consensus_params` in one object.
 * Throws JsonError, with the place under `name`.
 */
export function parseRecordedHeight(json: unknown, name = "recording"): RecordedHeight {
  const root = new JsonValue(json, name);
  return {
    ...parseBlockAnswer(root.get("block").value),
    results: parseBlockResults(root.get("block_results").value),
    commit: parseSignedHeader(root.get("commit").value).commit,
    validators: root.get("validators").get("validators").list().map(readValidator),
    params: readConsensusParams(root.get("consensus_params").get("consensus_params")),
  };
}

/** The result of `block` and `block_by_hash`. */
export function parseBlockAnswer(json: unknown): { blockId: BlockId; block: Block } {
  const root = new JsonValue(json, "block answer");
  return { blockId: readBlockId(root.get("block_id")), block: readBlock(root.get("block")) };
}

/** The result of `commit`. */
export function parseSignedHeader(json: unknown): { header: Header; commit: Commit } {
  const signed = new JsonValue(json, "commit answer").get("signed_header");
  return { header: readHeader(signed.get("header")), commit: readCommit(signed.get("commit")) };
}

/** The result of `block_results`. */
export function parseBlockResults(json: unknown): BlockResults {
  const root = new JsonValue(json, "block results");
  const updates = root.get("consensus_param_updates");
  return {
    height: root.get("height").int64(),
    txs: root.get("txs_results").listOrNull().map(txResult),
    beginBlockEvents: root.get("begin_block_events").listOrNull().map(event),
    endBlockEvents: root.get("end_block_events").listOrNull().map(event),
    validatorUpdates: root.get("validator_updates").listOrNull().map(validatorUpdate),
    paramUpdates: updates.isNull ? {} : paramUpdates(updates),
  };
}

function validatorUpdate(json: JsonValue): ValidatorUpdate {
  const sum = json.get("pub_key").get("Sum").get("value");
  const [ed25519, secp256k1] = [sum.get("ed25519"), sum.get("secp256k1")];
  const power = json.get("power");
  return {
    publicKey: ed25519.isNull ? publicKey("secp256k1", secp256k1.base64()) : publicKey("ed25519", ed25519.base64()),
    power: power.isNull ? 0n : power.int64(),
  };
}

function txResult(json: JsonValue): TxResult {
  return {
    code: json.get("code").uint32(),
    data: json.get("data").base64(),
    log: json.get("log").string(),
    info: json.get("info").string(),
    gasWanted: json.get("gas_wanted").int64(),
    gasUsed: json.get("gas_used").int64(),
    events: json.get("events").list().map(event),
    codespace: json.get("codespace").string(),
  };
}

function event(json: JsonValue): TxEvent {
  return {
    type: json.get("type").string(),
    attributes: json
      .get("attributes")
      .listOrNull()
      .map((attribute) => ({
        key: attribute.get("key").string(),
        value: attribute.get("value").string(),
        index: attribute.get("index").boolean(),
      })),
  };
}

export function readConsensusParams(json: JsonValue): ConsensusParams {
  const { block, evidence, validator, version } = paramUpdates(json);
  if (!block || !evidence || !validator) throw json.not("a full set of consensus parameters");
  return { block, evidence, validator, version: version ?? { app: 0n } };
}

function paramUpdates(json: JsonValue): ConsensusParamsUpdate {
  const [block, evidence] = [json.get("block"), json.get("evidence")];
  const [validator, version] = [json.get("validator"), json.get("version")];
  const app = version.isNull ? version : version.get("app");
  return {
    ...(block.isNull ? {} : { block: { maxBytes: int(block, "max_bytes"), maxGas: int(block, "max_gas") } }),
    ...(evidence.isNull ? {} : { evidence: evidenceParams(evidence) }),
    ...(validator.isNull ? {} : { validator: { pubKeyTypes: names(validator.get("pub_key_types")) } }),
    ...(version.isNull ? {} : { version: { app: app.isNull ? 0n : app.int64() } }),
  };
}

function evidenceParams(json: JsonValue) {
  return {
    maxAgeNumBlocks: int(json, "max_age_num_blocks"),
    maxAgeDuration: int(json, "max_age_duration"),
    maxBytes: int(json, "max_bytes"),
  };
}

/** Zero fields are left out of updates. */
function int(json: JsonValue, name: string): bigint {
  return json.get(name).isNull ? 0n : json.get(name).int64();
}

function names(json: JsonValue): string[] {
  return json.listOrNull().map((name) => name.string());
}
