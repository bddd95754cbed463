// The JSON of CometBFT's RPC, read into our types: blocks, their results, commits, validators and parameters.
//
// Members that later versions added are ignored: what matters is under a hash that the caller checks.

import type { Block } from "./block.ts";
import type { BlockId } from "./block-id.ts";
import type { Commit, CommitSig } from "./commit.ts";
import type { ConsensusParams, ConsensusParamsUpdate } from "./consensus-params.ts";
import type { Evidence } from "./evidence.ts";
import type { Header } from "./header.ts";
import { JsonValue } from "./json-shape.ts";
import type { LightBlock, SignedHeader } from "./light-block.ts";
import { type PublicKey, publicKey } from "./public-key.ts";
import type { TxEvent, TxResult } from "./tx-result.ts";
import type { Validator, ValidatorSet } from "./validator.ts";
import type { ValidatorUpdate } from "./validator-set.ts";
import type { Vote } from "./vote.ts";

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

/** The answers of `block`, `block_results`, `commit`, `validators` (all pages) and `consensus_params` in one object. */
export function parseRecordedHeight(json: unknown): RecordedHeight {
  const root = new JsonValue(json, "recording");
  return {
    ...parseBlockAnswer(root.get("block").value),
    results: parseBlockResults(root.get("block_results").value),
    commit: parseSignedHeader(root.get("commit").value).commit,
    validators: root.get("validators").get("validators").list().map(validator),
    params: consensusParams(root.get("consensus_params").get("consensus_params")),
  };
}

/** The result of `block` and `block_by_hash`. */
export function parseBlockAnswer(json: unknown): { blockId: BlockId; block: Block } {
  const root = new JsonValue(json, "block answer");
  return { blockId: blockId(root.get("block_id")), block: block(root.get("block")) };
}

/** The result of `commit`. */
export function parseSignedHeader(json: unknown): { header: Header; commit: Commit } {
  const signed = new JsonValue(json, "commit answer").get("signed_header");
  return { header: header(signed.get("header")), commit: commit(signed.get("commit")) };
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

function block(json: JsonValue): Block {
  const lastCommit = json.get("last_commit");
  return {
    header: header(json.get("header")),
    data: {
      txs: json
        .get("data")
        .get("txs")
        .listOrNull()
        .map((tx) => tx.base64()),
    },
    evidence: json.get("evidence").get("evidence").listOrNull().map(evidence),
    lastCommit: lastCommit.isNull ? null : commit(lastCommit),
  };
}

function header(json: JsonValue): Header {
  const app = json.get("version").get("app");
  return {
    version: { block: json.get("version").get("block").int64(), app: app.isNull ? 0n : app.int64() },
    chainId: json.get("chain_id").string(),
    height: json.get("height").int64(),
    time: json.get("time").time(),
    lastBlockId: blockId(json.get("last_block_id")),
    lastCommitHash: json.get("last_commit_hash").hex(),
    dataHash: json.get("data_hash").hex(),
    validatorsHash: json.get("validators_hash").hex(),
    nextValidatorsHash: json.get("next_validators_hash").hex(),
    consensusHash: json.get("consensus_hash").hex(),
    appHash: json.get("app_hash").hex(),
    lastResultsHash: json.get("last_results_hash").hex(),
    evidenceHash: json.get("evidence_hash").hex(),
    proposerAddress: json.get("proposer_address").hex(),
  };
}

function blockId(json: JsonValue): BlockId {
  const parts = json.get("parts");
  return {
    hash: json.get("hash").hex(),
    partSetHeader: { total: parts.get("total").uint32(), hash: parts.get("hash").hex() },
  };
}

function commit(json: JsonValue): Commit {
  return {
    height: json.get("height").int64(),
    round: json.get("round").int32(),
    blockId: blockId(json.get("block_id")),
    signatures: json.get("signatures").listOrNull().map(commitSig),
  };
}

function commitSig(json: JsonValue): CommitSig {
  return {
    flag: json.get("block_id_flag").int32(),
    validatorAddress: json.get("validator_address").hex(),
    timestamp: json.get("timestamp").time(),
    signature: json.get("signature").base64(),
  };
}

function validator(json: JsonValue): Validator {
  return {
    address: json.get("address").hex(),
    publicKey: typedKey(json.get("pub_key")),
    votingPower: json.get("voting_power").int64(),
    proposerPriority: json.get("proposer_priority").int64(),
  };
}

function typedKey(json: JsonValue): PublicKey {
  const name = json.get("type").string();
  const key = json.get("value").base64();
  if (name === "tendermint/PubKeyEd25519") return publicKey("ed25519", key);
  if (name === "tendermint/PubKeySecp256k1") return publicKey("secp256k1", key);
  throw json.get("type").not("a known key type");
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

function consensusParams(json: JsonValue): ConsensusParams {
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

function evidence(json: JsonValue): Evidence {
  const name = json.get("type").string();
  const value = json.get("value");
  if (name === "tendermint/DuplicateVoteEvidence") {
    return {
      type: "duplicate-vote",
      value: {
        voteA: vote(value.get("vote_a")),
        voteB: vote(value.get("vote_b")),
        totalVotingPower: either(value, "TotalVotingPower", "total_voting_power").int64(),
        validatorPower: either(value, "ValidatorPower", "validator_power").int64(),
        timestamp: either(value, "Timestamp", "timestamp").time(),
      },
    };
  }
  if (name !== "tendermint/LightClientAttackEvidence") throw json.get("type").not("a known kind of evidence");
  return {
    type: "light-client-attack",
    value: {
      conflictingBlock: lightBlock(either(value, "ConflictingBlock", "conflicting_block")),
      commonHeight: either(value, "CommonHeight", "common_height").int64(),
      byzantineValidators: either(value, "ByzantineValidators", "byzantine_validators").listOrNull().map(validator),
      totalVotingPower: either(value, "TotalVotingPower", "total_voting_power").int64(),
      timestamp: either(value, "Timestamp", "timestamp").time(),
    },
  };
}

/** Evidence carries Go's field names up to the 0.37 line, and the usual ones after it. */
function either(json: JsonValue, older: string, newer: string): JsonValue {
  const found = json.get(older);
  return found.isNull ? json.get(newer) : found;
}

function vote(json: JsonValue): Vote {
  return {
    type: json.get("type").int32(),
    height: json.get("height").int64(),
    round: json.get("round").int32(),
    blockId: blockId(json.get("block_id")),
    timestamp: json.get("timestamp").time(),
    validatorAddress: json.get("validator_address").hex(),
    validatorIndex: json.get("validator_index").int32(),
    signature: json.get("signature").base64(),
  };
}

function lightBlock(json: JsonValue): LightBlock {
  return { signedHeader: signedHeader(json.get("signed_header")), validatorSet: set(json.get("validator_set")) };
}

function signedHeader(json: JsonValue): SignedHeader {
  return { header: header(json.get("header")), commit: commit(json.get("commit")) };
}

function set(json: JsonValue): ValidatorSet {
  const proposer = json.get("proposer");
  return {
    validators: json.get("validators").listOrNull().map(validator),
    proposer: proposer.isNull ? null : validator(proposer),
  };
}
