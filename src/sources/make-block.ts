// Makes the next block of a chain whose validators are all local: the proposal, and the precommits that make it final.

import { type Block, dataHash } from "../codec/block.ts";
import type { BlockId } from "../codec/block-id.ts";
import { type Bytes, equalBytes, toHex } from "../codec/bytes.ts";
import { COMMIT, type Commit, type CommitSig, commitHash, EMPTY_COMMIT, voteOf } from "../codec/commit.ts";
import { consensusHash } from "../codec/consensus-params.ts";
import { type ConsensusState, nextHeight } from "../codec/consensus-state.ts";
import { evidenceListHash } from "../codec/evidence.ts";
import type { Header } from "../codec/header.ts";
import { addMillis, compareTimes, type Time } from "../codec/time.ts";
import { validatorsHash } from "../codec/validator.ts";
import { medianTime } from "../codec/verify-commit.ts";
import { signVote } from "../codec/vote.ts";
import type { LocalValidator } from "./validators.ts";

/** `lastCommit` is the commit that made the block before final; null for the first block. */
export function makeBlock(state: ConsensusState, lastCommit: Commit | null, txs: readonly Bytes[]): Block {
  const proposer = state.validators.proposer;
  if (proposer === null) throw new Error("the validator set has no proposer");
  const header: Header = {
    version: state.version,
    chainId: state.chainId,
    height: nextHeight(state),
    time: blockTime(state, lastCommit),
    lastBlockId: state.lastBlockId,
    lastCommitHash: commitHash(lastCommit ?? EMPTY_COMMIT),
    dataHash: dataHash(txs),
    validatorsHash: validatorsHash(state.validators.validators),
    nextValidatorsHash: validatorsHash(state.nextValidators.validators),
    consensusHash: consensusHash(state.params),
    appHash: state.appHash,
    lastResultsHash: state.lastResultsHash,
    evidenceHash: evidenceListHash([]),
    proposerAddress: proposer.address,
  };
  return { header, data: { txs }, evidence: [], lastCommit: lastCommit ?? EMPTY_COMMIT };
}

/** The precommits of the whole set, in its order. A member without a local key is a mistake of the set-up. */
export function signBlock(
  state: ConsensusState,
  header: Header,
  blockId: BlockId,
  keys: readonly LocalValidator[],
  now: () => Time,
): Commit {
  const unsigned: Commit = { height: header.height, round: 0, blockId, signatures: [] };
  const signatures = state.validators.validators.map(({ address }): CommitSig => {
    const key = keys.find((candidate) => equalBytes(candidate.address, address));
    if (key === undefined) throw new Error(`there is no key of validator ${toHex(address)} in this home`);
    const timestamp = voteTime(now(), header.time);
    const vote = { flag: COMMIT, validatorAddress: address, timestamp, signature: new Uint8Array(0) };
    return { ...vote, signature: signVote(key.seed, header.chainId, voteOf(unsigned, vote)) };
  });
  return { ...unsigned, signatures };
}

/** The first block stands at the genesis time; each later one at the median of the votes for the block before. */
function blockTime(state: ConsensusState, lastCommit: Commit | null): Time {
  if (lastCommit === null || state.lastValidators === null) return state.lastBlockTime;
  return medianTime(lastCommit, state.lastValidators);
}

/** After the block's own time by a millisecond at least, also when the clock went backwards: time always increases. */
function voteTime(now: Time, blockTime: Time): Time {
  const least = addMillis(blockTime, 1);
  return compareTimes(now, least) < 0 ? least : now;
}
