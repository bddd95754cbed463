// Whether a commit makes a block final, and the time that its votes give to the next block.

import { type BlockId, equalBlockIds } from "./block-id.ts";
import { equalBytes, toHex } from "./bytes.ts";
import { ABSENT, COMMIT, type Commit, commitFault, voteOf } from "./commit.ts";
import { verifySignature } from "./public-key.ts";
import { compareTimes, type Time } from "./time.ts";
import { totalPower, type ValidatorSet } from "./validator.ts";
import { findValidator } from "./validator-set.ts";
import { voteSignBytes } from "./vote.ts";

export class InvalidCommit extends Error {
  override readonly name = "InvalidCommit";
}

/**
 * The full rule of a validating node: every signature that is there must be right, also those for no block, and those
 * for the block must hold more than two thirds of the power. Throws InvalidCommit with what failed.
 */
export function verifyCommit(
  chainId: string,
  set: ValidatorSet,
  blockId: BlockId,
  height: bigint,
  commit: Commit,
): void {
  checkShape(set, blockId, height, commit);
  let tallied = 0n;
  for (const [index, signature] of commit.signatures.entries()) {
    if (signature.flag === ABSENT) continue;
    const validator = set.validators[index]!;
    if (!equalBytes(signature.validatorAddress, validator.address)) {
      const found = toHex(signature.validatorAddress);
      throw new InvalidCommit(`signature ${index}: address ${found}, expected ${toHex(validator.address)}`);
    }
    const signed = voteSignBytes(chainId, voteOf(commit, signature));
    if (!verifySignature(validator.publicKey, signed, signature.signature)) {
      throw new InvalidCommit(`signature ${index} of validator ${toHex(validator.address)} is wrong`);
    }
    if (signature.flag === COMMIT) tallied += validator.votingPower;
  }
  const needed = (totalPower(set.validators) * 2n) / 3n;
  if (tallied <= needed) throw new InvalidCommit(`voting power ${tallied}, but more than ${needed} is needed`);
}

/**
 * The time of the block that carries this commit: the median of the votes' times, weighted by power. Votes for no
 * block count too.
 */
export function medianTime(commit: Commit, set: ValidatorSet): Time {
  const votes = commit.signatures.flatMap(({ flag, validatorAddress, timestamp }) => {
    const validator = flag === ABSENT ? null : findValidator(set, validatorAddress);
    return validator === null ? [] : [{ timestamp, weight: validator.votingPower }];
  });
  votes.sort((a, b) => compareTimes(a.timestamp, b.timestamp));
  let rest = votes.reduce((sum, { weight }) => sum + weight, 0n) / 2n;
  for (const { timestamp, weight } of votes) {
    if (rest <= weight) return timestamp;
    rest -= weight;
  }
  throw new InvalidCommit("no vote of a member, so no median time");
}

function checkShape(set: ValidatorSet, blockId: BlockId, height: bigint, commit: Commit): void {
  const fault = commitFault(commit);
  if (fault !== null) throw new InvalidCommit(fault);
  if (commit.signatures.length !== set.validators.length) {
    const counts = `${commit.signatures.length} signatures for ${set.validators.length} validators`;
    throw new InvalidCommit(counts);
  }
  if (commit.height !== height) throw new InvalidCommit(`of height ${commit.height}, expected ${height}`);
  if (!equalBlockIds(commit.blockId, blockId)) {
    throw new InvalidCommit(`for block ${toHex(commit.blockId.hash)}, expected ${toHex(blockId.hash)}`);
  }
}
