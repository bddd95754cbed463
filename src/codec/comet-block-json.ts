// Blocks and what they are made of, read from the JSON of CometBFT's RPC.

import type { Block } from "./block.ts";
import type { BlockId } from "./block-id.ts";
import type { Commit, CommitSig } from "./commit.ts";
import type { Evidence } from "./evidence.ts";
import type { Header } from "./header.ts";
import type { JsonValue } from "./json-shape.ts";
import type { LightBlock, SignedHeader } from "./light-block.ts";
import { type PublicKey, publicKey } from "./public-key.ts";
import type { Validator, ValidatorSet } from "./validator.ts";
import type { Vote } from "./vote.ts";

export function readBlock(json: JsonValue): Block {
  const lastCommit = json.get("last_commit");
  return {
    header: readHeader(json.get("header")),
    data: {
      txs: json
        .get("data")
        .get("txs")
        .listOrNull()
        .map((tx) => tx.base64()),
    },
    evidence: json.get("evidence").get("evidence").listOrNull().map(readEvidence),
    lastCommit: lastCommit.isNull ? null : readCommit(lastCommit),
  };
}

export function readHeader(json: JsonValue): Header {
  const app = json.get("version").get("app");
  return {
    version: { block: json.get("version").get("block").int64(), app: app.isNull ? 0n : app.int64() },
    chainId: json.get("chain_id").string(),
    height: json.get("height").int64(),
    time: json.get("time").time(),
    lastBlockId: readBlockId(json.get("last_block_id")),
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

export function readBlockId(json: JsonValue): BlockId {
  const parts = json.get("parts");
  return {
    hash: json.get("hash").hex(),
    partSetHeader: { total: parts.get("total").uint32(), hash: parts.get("hash").hex() },
  };
}

export function readCommit(json: JsonValue): Commit {
  return {
    height: json.get("height").int64(),
    round: json.get("round").int32(),
    blockId: readBlockId(json.get("block_id")),
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

export function readValidator(json: JsonValue): Validator {
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

function readEvidence(json: JsonValue): Evidence {
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
      byzantineValidators: either(value, "ByzantineValidators", "byzantine_validators").listOrNull().map(readValidator),
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
    blockId: readBlockId(json.get("block_id")),
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
  return { header: readHeader(json.get("header")), commit: readCommit(json.get("commit")) };
}

function set(json: JsonValue): ValidatorSet {
  const proposer = json.get("proposer");
  return {
    validators: json.get("validators").listOrNull().map(readValidator),
    proposer: proposer.isNull ? null : readValidator(proposer),
  };
}
