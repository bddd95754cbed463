// Blocks and what belongs to them, from the JSON that a reference node's RPC answers.

import type { BlockExecution } from "../chain/execute-block.ts";
import type { Block } from "../codec/block.ts";
import type { BlockId } from "../codec/block-id.ts";
import { EMPTY } from "../codec/bytes.ts";
import type { Commit, CommitSig } from "../codec/commit.ts";
import type { ConsensusParams, ConsensusParamsUpdate } from "../codec/consensus-params.ts";
import type { Header } from "../codec/header.ts";
import { publicKey } from "../codec/public-key.ts";
import type { TxEvent, TxResult } from "../codec/tx-result.ts";
import { newValidator, type ValidatorSet } from "../codec/validator.ts";
import { findValidator, type ValidatorUpdate } from "../codec/validator-set.ts";
import type { Json } from "./json-reader.ts";

export function blockFromJson(json: Json): Block {
  const evidence = json.at("evidence").at("evidence");
  if (evidence.list().length > 0) throw evidence.wrong("no evidence (blocks with evidence cannot be read from JSON)");
  return {
    header: headerFromJson(json.at("header")),
    data: {
      txs: json
        .at("data")
        .at("txs")
        .list()
        .map((tx) => tx.base64()),
    },
    evidence: [],
    lastCommit: commitFromJson(json.at("last_commit")),
  };
}

export function blockIdFromJson(json: Json): BlockId {
  const parts = json.at("parts");
  return {
    hash: json.at("hash").hex(),
    partSetHeader: { total: parts.at("total").number(), hash: parts.at("hash").hex() },
  };
}

export function commitFromJson(json: Json): Commit {
  return {
    height: json.at("height").integer(),
    round: json.at("round").number(),
    blockId: blockIdFromJson(json.at("block_id")),
    signatures: json.at("signatures").list().map(signatureFromJson),
  };
}

/** The set of a height, with the proposer that its header names: the RPC does not tell whose turn it was. */
export function validatorsFromJson(json: Json, { proposerAddress }: Header): ValidatorSet {
  const members = json.at("validators").list();
  const validators = members.map((member) => {
    const key = member.at("pub_key");
    const type = key.at("type").string();
    if (type !== ED25519 && type !== SECP256K1) throw key.at("type").wrong("a type of key that is known");
    return newValidator(
      publicKey(type === ED25519 ? "ed25519" : "secp256k1", key.at("value").base64()),
      member.at("voting_power").integer(),
      member.at("proposer_priority").integer(),
    );
  });
  if (json.at("total").integer() !== BigInt(members.length)) throw json.at("total").wrong(`${members.length} in all`);
  const set = { validators, proposer: null };
  return { validators, proposer: findValidator(set, proposerAddress) };
}

export function consensusParamsFromJson(json: Json): ConsensusParams {
  return {
    block: blockParams(json.at("block")),
    evidence: evidenceParams(json.at("evidence")),
    validator: validatorParams(json.at("validator")),
    version: versionParams(json.at("version")),
  };
}

export function executionFromJson(json: Json): BlockExecution {
  return {
    results: json.at("txs_results").list().map(txResultFromJson),
    beginBlockEvents: json.at("begin_block_events").list().map(eventFromJson),
    endBlockEvents: json.at("end_block_events").list().map(eventFromJson),
    validatorUpdates: json.at("validator_updates").list().map(validatorUpdateFromJson),
    paramUpdates: paramUpdatesFromJson(json.at("consensus_param_updates")),
  };
}

const ED25519 = "tendermint/PubKeyEd25519";
const SECP256K1 = "tendermint/PubKeySecp256k1";

function headerFromJson(json: Json): Header {
  const version = json.at("version");
  return {
    version: { block: version.at("block").integer(), app: version.at("app").integerOrZero() },
    chainId: json.at("chain_id").string(),
    height: json.at("height").integer(),
    time: json.at("time").time(),
    lastBlockId: blockIdFromJson(json.at("last_block_id")),
    lastCommitHash: json.at("last_commit_hash").hex(),
    dataHash: json.at("data_hash").hex(),
    validatorsHash: json.at("validators_hash").hex(),
    nextValidatorsHash: json.at("next_validators_hash").hex(),
    consensusHash: json.at("consensus_hash").hex(),
    appHash: json.at("app_hash").hex(),
    lastResultsHash: json.at("last_results_hash").hex(),
    evidenceHash: json.at("evidence_hash").hex(),
    proposerAddress: json.at("proposer_address").hex(),
  };
}

function signatureFromJson(json: Json): CommitSig {
  const signature = json.at("signature");
  return {
    flag: json.at("block_id_flag").number(),
    validatorAddress: json.at("validator_address").hex(),
    timestamp: json.at("timestamp").time(),
    signature: signature.absent ? EMPTY : signature.base64(),
  };
}

function txResultFromJson(json: Json): TxResult {
  const data = json.at("data");
  return {
    code: json.at("code").number(),
    data: data.absent ? EMPTY : data.base64(),
    log: json.at("log").string(),
    info: json.at("info").string(),
    gasWanted: json.at("gas_wanted").integer(),
    gasUsed: json.at("gas_used").integer(),
    events: json.at("events").list().map(eventFromJson),
    codespace: json.at("codespace").string(),
  };
}

/** Zero values are left out of events. */
function eventFromJson(json: Json): TxEvent {
  const attributes = json.at("attributes").list();
  return {
    type: json.at("type").string(),
    attributes: attributes.map((attribute) => ({
      key: text(attribute.at("key")),
      value: text(attribute.at("value")),
      index: attribute.at("index").absent ? false : attribute.at("index").boolean(),
    })),
  };
}

/** Without a power it is a removal. */
function validatorUpdateFromJson(json: Json): ValidatorUpdate {
  const value = json.at("pub_key").at("Sum").at("value");
  const key = value.at("ed25519").absent
    ? publicKey("secp256k1", value.at("secp256k1").base64())
    : publicKey("ed25519", value.at("ed25519").base64());
  return { publicKey: key, power: json.at("power").integerOrZero() };
}

function paramUpdatesFromJson(json: Json): ConsensusParamsUpdate {
  return {
    ...(json.at("block").absent ? {} : { block: blockParams(json.at("block")) }),
    ...(json.at("evidence").absent ? {} : { evidence: evidenceParams(json.at("evidence")) }),
    ...(json.at("validator").absent ? {} : { validator: validatorParams(json.at("validator")) }),
    ...(json.at("version").absent ? {} : { version: versionParams(json.at("version")) }),
  };
}

function blockParams(json: Json): ConsensusParams["block"] {
  return { maxBytes: json.at("max_bytes").integer(), maxGas: json.at("max_gas").integer() };
}

function evidenceParams(json: Json): ConsensusParams["evidence"] {
  return {
    maxAgeNumBlocks: json.at("max_age_num_blocks").integer(),
    maxAgeDuration: json.at("max_age_duration").integer(),
    maxBytes: json.at("max_bytes").integerOrZero(),
  };
}

function validatorParams(json: Json): ConsensusParams["validator"] {
  const types = json.at("pub_key_types").list();
  return { pubKeyTypes: types.map((type) => type.string()) };
}

function versionParams(json: Json): ConsensusParams["version"] {
  return { app: json.at("app").integerOrZero() };
}

function text(json: Json): string {
  return json.absent ? "" : json.string();
}
