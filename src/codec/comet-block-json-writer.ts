// Blocks and what they are made of, written as the JSON of CometBFT's RPC: the inverse of comet-block-json.ts.
//
// 64-bit integers are strings, smaller ones numbers; hashes and addresses are upper-case hex, other bytes base64.

import type { Block } from "./block.ts";
import type { BlockId } from "./block-id.ts";
import { type Bytes, toBase64, toHex } from "./bytes.ts";
import type { Commit, CommitSig } from "./commit.ts";
import type { Evidence } from "./evidence.ts";
import type { Header } from "./header.ts";
import type { LightBlock } from "./light-block.ts";
import type { PublicKey } from "./public-key.ts";
import { formatTime } from "./time.ts";
import type { Validator } from "./validator.ts";
import type { Vote } from "./vote.ts";

/** A value that JSON.stringify prints as it is: no bigint, no bytes. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export function blockJson(block: Block): Json {
  return {
    header: headerJson(block.header),
    data: { txs: block.data.txs.map(toBase64) },
    evidence: { evidence: block.evidence.map(evidenceJson) },
    last_commit: block.lastCommit === null ? null : commitJson(block.lastCommit),
  };
}

export function headerJson(header: Header): Json {
  return {
    version: { block: String(header.version.block), ...(header.version.app && { app: String(header.version.app) }) },
    chain_id: header.chainId,
    height: String(header.height),
    time: formatTime(header.time, "minimal"),
    last_block_id: blockIdJson(header.lastBlockId),
    last_commit_hash: upperHex(header.lastCommitHash),
    data_hash: upperHex(header.dataHash),
    validators_hash: upperHex(header.validatorsHash),
    next_validators_hash: upperHex(header.nextValidatorsHash),
    consensus_hash: upperHex(header.consensusHash),
    app_hash: upperHex(header.appHash),
    last_results_hash: upperHex(header.lastResultsHash),
    evidence_hash: upperHex(header.evidenceHash),
    proposer_address: upperHex(header.proposerAddress),
  };
}

export function blockIdJson({ hash, partSetHeader: { total, hash: parts } }: BlockId): Json {
  return { hash: upperHex(hash), parts: { total, hash: upperHex(parts) } };
}

export function commitJson(commit: Commit): Json {
  return {
    height: String(commit.height),
    round: commit.round,
    block_id: blockIdJson(commit.blockId),
    signatures: commit.signatures.map(signatureJson),
  };
}

export function validatorJson(validator: Validator): Json {
  return {
    address: upperHex(validator.address),
    pub_key: publicKeyJson(validator.publicKey),
    voting_power: String(validator.votingPower),
    proposer_priority: String(validator.proposerPriority),
  };
}

export function publicKeyJson({ type, key }: PublicKey): Json {
  const name = type === "ed25519" ? "tendermint/PubKeyEd25519" : "tendermint/PubKeySecp256k1";
  return { type: name, value: toBase64(key) };
}

export function upperHex(bytes: Uint8Array): string {
  return toHex(bytes).toUpperCase();
}

/** No bytes are null, as Go writes an empty slice that was never set. */
export function base64OrNull(bytes: Bytes): string | null {
  return bytes.length === 0 ? null : toBase64(bytes);
}

function signatureJson({ flag, validatorAddress, timestamp, signature }: CommitSig): Json {
  return {
    block_id_flag: flag,
    validator_address: upperHex(validatorAddress),
    timestamp: formatTime(timestamp, "minimal"),
    signature: base64OrNull(signature),
  };
}

/** The 0.37 line writes evidence with Go's own field names. */
function evidenceJson(evidence: Evidence): Json {
  if (evidence.type === "duplicate-vote") {
    const { voteA, voteB, totalVotingPower, validatorPower, timestamp } = evidence.value;
    return {
      type: "tendermint/DuplicateVoteEvidence",
      value: {
        vote_a: voteA === null ? null : voteJson(voteA),
        vote_b: voteB === null ? null : voteJson(voteB),
        TotalVotingPower: String(totalVotingPower),
        ValidatorPower: String(validatorPower),
        Timestamp: formatTime(timestamp, "minimal"),
      },
    };
  }
  const { conflictingBlock, commonHeight, byzantineValidators, totalVotingPower, timestamp } = evidence.value;
  return {
    type: "tendermint/LightClientAttackEvidence",
    value: {
      ConflictingBlock: conflictingBlock === null ? null : lightBlockJson(conflictingBlock),
      CommonHeight: String(commonHeight),
      ByzantineValidators: byzantineValidators.map(validatorJson),
      TotalVotingPower: String(totalVotingPower),
      Timestamp: formatTime(timestamp, "minimal"),
    },
  };
}

function voteJson(vote: Vote): Json {
  return {
    type: vote.type,
    height: String(vote.height),
    round: vote.round,
    block_id: blockIdJson(vote.blockId),
    timestamp: formatTime(vote.timestamp, "minimal"),
    validator_address: upperHex(vote.validatorAddress),
    validator_index: vote.validatorIndex,
    signature: base64OrNull(vote.signature),
  };
}

function lightBlockJson({ signedHeader, validatorSet }: LightBlock): Json {
  return {
    signed_header: signedHeader && {
      header: signedHeader.header && headerJson(signedHeader.header),
      commit: signedHeader.commit && commitJson(signedHeader.commit),
    },
    validator_set: validatorSet && {
      validators: validatorSet.validators.map(validatorJson),
      proposer: validatorSet.proposer && validatorJson(validatorSet.proposer),
    },
  };
}
