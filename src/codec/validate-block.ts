// Whether a block may follow the chain so far: for the chain that makes blocks, and for a check of stored ones.

import { type Block, dataHash } from "./block.ts";
import { equalBlockIds } from "./block-id.ts";
import { type Bytes, equalBytes, toHex } from "./bytes.ts";
import { commitHash } from "./commit.ts";
import { consensusHash } from "./consensus-params.ts";
import { type ConsensusState, nextHeight } from "./consensus-state.ts";
import { evidenceListCodec, evidenceListHash } from "./evidence.ts";
import { BLOCK_PROTOCOL, type Header } from "./header.ts";
import { compareTimes, formatTime } from "./time.ts";
import { type ValidatorSet, validatorsHash } from "./validator.ts";
import { findValidator } from "./validator-set.ts";
import { InvalidCommit, medianTime, verifyCommit } from "./verify-commit.ts";

export class InvalidBlock extends Error {
  override readonly name = "InvalidBlock";
}

/** Throws InvalidBlock with the first rule that the block breaks. Evidence is checked for its hash and size only. */
export function validateBlock(state: ConsensusState, block: Block): void {
  const { header } = block;
  checkPlace(state, header);
  checkBody(state, block);
  checkAgainstState(state, header);
  if (findValidator(state.validators, header.proposerAddress) === null) {
    throw new InvalidBlock(`proposer ${toHex(header.proposerAddress)} is not in the validator set`);
  }
  if (state.lastHeight === 0n) checkFirst(state, block);
  else if (state.lastValidators !== null) checkLater(state, block, state.lastValidators);
}

function checkPlace(state: ConsensusState, header: Header): void {
  if (header.version.block !== BLOCK_PROTOCOL) throw new InvalidBlock(`block protocol ${header.version.block}`);
  if (header.version.app !== state.version.app) {
    throw new InvalidBlock(`app version ${header.version.app}, expected ${state.version.app}`);
  }
  if (header.chainId !== state.chainId) {
    throw new InvalidBlock(`chain id ${JSON.stringify(header.chainId)}, expected ${JSON.stringify(state.chainId)}`);
  }
  if (header.height !== nextHeight(state)) {
    throw new InvalidBlock(`height ${header.height}, expected ${nextHeight(state)}`);
  }
  if (!equalBlockIds(header.lastBlockId, state.lastBlockId)) {
    const found = toHex(header.lastBlockId.hash);
    throw new InvalidBlock(`follows block ${found}, expected ${toHex(state.lastBlockId.hash)}`);
  }
}

/** The hashes of what the block carries. */
function checkBody(state: ConsensusState, block: Block): void {
  const { header, data, evidence, lastCommit } = block;
  if (lastCommit === null) throw new InvalidBlock("no last commit");
  expectHash("last_commit_hash", header.lastCommitHash, commitHash(lastCommit));
  expectHash("data_hash", header.dataHash, dataHash(data.txs));
  expectHash("evidence_hash", header.evidenceHash, evidenceListHash(evidence));
  const size = BigInt(evidenceListCodec.encode({ evidence }).length);
  if (size > state.params.evidence.maxBytes) {
    throw new InvalidBlock(`evidence of ${size} bytes, at most ${state.params.evidence.maxBytes} are allowed`);
  }
}

/** The hashes that follow from the blocks before. */
function checkAgainstState(state: ConsensusState, header: Header): void {
  expectHash("validators_hash", header.validatorsHash, validatorsHash(state.validators.validators));
  expectHash("next_validators_hash", header.nextValidatorsHash, validatorsHash(state.nextValidators.validators));
  expectHash("consensus_hash", header.consensusHash, consensusHash(state.params));
  expectHash("app_hash", header.appHash, state.appHash);
  expectHash("last_results_hash", header.lastResultsHash, state.lastResultsHash);
}

function checkFirst(state: ConsensusState, { header, lastCommit }: Block): void {
  if (lastCommit!.signatures.length > 0) throw new InvalidBlock("the first block has signatures in its last commit");
  if (compareTimes(header.time, state.lastBlockTime) !== 0) {
    const found = formatTime(header.time, "minimal");
    throw new InvalidBlock(`first block at ${found}, genesis at ${formatTime(state.lastBlockTime, "minimal")}`);
  }
}

function checkLater(state: ConsensusState, { header, lastCommit }: Block, signers: ValidatorSet): void {
  try {
    verifyCommit(state.chainId, signers, state.lastBlockId, state.lastHeight, lastCommit!);
  } catch (error) {
    if (error instanceof InvalidCommit) throw new InvalidBlock(`last commit: ${error.message}`);
    throw error;
  }
  if (compareTimes(header.time, state.lastBlockTime) <= 0) throw new InvalidBlock("not later than the block before");
  const median = medianTime(lastCommit!, signers);
  if (compareTimes(header.time, median) !== 0) {
    const found = formatTime(header.time, "minimal");
    throw new InvalidBlock(`time ${found}, but the votes' median is ${formatTime(median, "minimal")}`);
  }
}

function expectHash(name: string, found: Bytes, expected: Bytes): void {
  if (!equalBytes(found, expected)) throw new InvalidBlock(`${name} ${toHex(found)}, expected ${toHex(expected)}`);
}
