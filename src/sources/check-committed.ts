// Whether a final block may follow the chain so far: asked before it is stored, and again by a check of what is stored.

import { type Block, blockCodec, blockIdOf } from "../codec/block.ts";
import { equalBlockIds } from "../codec/block-id.ts";
import { type Bytes, equalBytes, toHex } from "../codec/bytes.ts";
import { consensusParamsCodec } from "../codec/consensus-params.ts";
import { advanceState, type ConsensusState } from "../codec/consensus-state.ts";
import { validateBlock } from "../codec/validate-block.ts";
import { type Validator, validatorCodec, validatorSetCodec } from "../codec/validator.ts";
import { findValidator } from "../codec/validator-set.ts";
import { verifyCommit } from "../codec/verify-commit.ts";
import type { Committed, Source } from "./source.ts";

class InvalidCommitted extends Error {
  override readonly name = "InvalidCommitted";
}

/** Throws InvalidCommitted, with the height and the first rule that is broken. Returns the decoded block. */
export function checkCommitted(state: ConsensusState, committed: Committed, source: Source): Block {
  try {
    const block = blockCodec.decode(committed.block);
    checkNames(committed, block);
    validateBlock(source.appHashes === "own" ? state : { ...state, appHash: block.header.appHash }, block);
    checkCompany(state, committed, block);
    verifyCommit(state.chainId, state.validators, committed.blockId, committed.height, committed.commit);
    return block;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidCommitted(`block ${committed.height}: ${reason}`, { cause: error });
  }
}

/** The state that the next block must follow. `appHash`: the root of the state after this block. */
export function stateAfter(state: ConsensusState, committed: Committed, block: Block, appHash: Bytes): ConsensusState {
  return advanceState(state, block.header, committed.blockId, { ...committed.results, appHash });
}

/** The block is the one that the source says it is. */
function checkNames(committed: Committed, block: Block): void {
  if (block.header.height !== committed.height) throw new Error(`its header is of height ${block.header.height}`);
  const id = blockIdOf(block, committed.block);
  if (!equalBlockIds(id, committed.blockId)) {
    throw new Error(`its bytes make the id ${idText(id)}, not ${idText(committed.blockId)}`);
  }
}

/** What comes with a block fits to it: results, the validators and the parameters in force. */
function checkCompany(state: ConsensusState, committed: Committed, { header, data }: Block): void {
  const { results } = committed.results;
  if (results.length !== data.txs.length) {
    throw new Error(`${results.length} results for ${data.txs.length} transactions`);
  }
  // Whose turn it was may differ from the set's own order: a later round has another proposer.
  const members = (set: Committed["validators"]) => validatorSetCodec.encode({ ...set, proposer: null });
  if (!equalBytes(members(committed.validators), members(state.validators))) {
    throw new Error("the validators or their priorities are not those that follow from the blocks before");
  }
  const proposer = findValidator(committed.validators, header.proposerAddress);
  const recorded = committed.validators.proposer;
  if (proposer === null || recorded === null || !equalBytes(encoded(recorded), encoded(proposer))) {
    throw new Error("the set's proposer is not the member that the header names");
  }
  const params = consensusParamsCodec.encode(committed.consensusParams);
  if (!equalBytes(params, consensusParamsCodec.encode(state.params))) {
    throw new Error("the consensus parameters are not those that follow from the blocks before");
  }
}

function idText({ hash, partSetHeader }: Committed["blockId"]): string {
  return `${toHex(hash)} with parts ${partSetHeader.total}:${toHex(partSetHeader.hash)}`;
}

function encoded(validator: Validator): Bytes {
  return validatorCodec.encode(validator);
}
