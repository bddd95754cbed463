// Evidence of misbehaviour that a block carries: its bytes, its hashes, and the check of a double vote.

import { type BlockId, equalBlockIds, partSetHeaderCodec } from "./block-id.ts";
import { type Bytes, compareBytes, concatBytes, EMPTY, equalBytes } from "./bytes.ts";
import { sha256 } from "./hash.ts";
import { headerHash } from "./header.ts";
import { type LightBlock, lightBlockCodec } from "./light-block.ts";
import { merkleRoot } from "./merkle.ts";
import { always, type Codec, int64, listOf, message, optional } from "./message.ts";
import { verifySignature } from "./public-key.ts";
import { type Time, timeCodec } from "./time.ts";
import { totalPower, type Validator, type ValidatorSet, validatorCodec } from "./validator.ts";
import { findValidator } from "./validator-set.ts";
import { type Vote, voteCodec, voteSignBytes } from "./vote.ts";
import { LENGTH_DELIMITED, unknownField, WireReader, WireWriter } from "./wire.ts";

export type DuplicateVote = {
  readonly voteA: Vote | null;
  readonly voteB: Vote | null;
  readonly totalVotingPower: bigint;
  readonly validatorPower: bigint;
  readonly timestamp: Time;
};

export type LightClientAttack = {
  readonly conflictingBlock: LightBlock | null;
  readonly commonHeight: bigint;
  readonly byzantineValidators: readonly Validator[];
  readonly totalVotingPower: bigint;
  readonly timestamp: Time;
};

export type Evidence =
  | { readonly type: "duplicate-vote"; readonly value: DuplicateVote }
  | { readonly type: "light-client-attack"; readonly value: LightClientAttack };

const duplicateVoteCodec = message<DuplicateVote>("DuplicateVoteEvidence", {
  voteA: optional(1, voteCodec),
  voteB: optional(2, voteCodec),
  totalVotingPower: int64(3),
  validatorPower: int64(4),
  timestamp: always(5, timeCodec),
});

const lightClientAttackCodec = message<LightClientAttack>("LightClientAttackEvidence", {
  conflictingBlock: optional(1, lightBlockCodec),
  commonHeight: int64(2),
  byzantineValidators: listOf(3, validatorCodec),
  totalVotingPower: int64(4),
  timestamp: always(5, timeCodec),
});

const DUPLICATE_VOTE_TAG = 8 + LENGTH_DELIMITED;
const LIGHT_CLIENT_ATTACK_TAG = 16 + LENGTH_DELIMITED;

const evidenceCodec: Codec<Evidence> = {
  encode(evidence) {
    const field = evidence.type === "duplicate-vote" ? 1 : 2;
    return new WireWriter().messageField(field, evidenceBytes(evidence)).finish();
  },
  decode(bytes) {
    const reader = new WireReader(bytes);
    const tag = reader.tag();
    const body = reader.view();
    if (!reader.done) throw new Error("Evidence: more than one item in a single place");
    if (tag === DUPLICATE_VOTE_TAG) return { type: "duplicate-vote", value: duplicateVoteCodec.decode(body) };
    if (tag === LIGHT_CLIENT_ATTACK_TAG) {
      return { type: "light-client-attack", value: lightClientAttackCodec.decode(body) };
    }
    throw unknownField("Evidence", tag);
  },
};

export type EvidenceList = { readonly evidence: readonly Evidence[] };

export const evidenceListCodec = message<EvidenceList>("EvidenceList", { evidence: listOf(1, evidenceCodec) });

/** The bytes of the evidence itself, without the choice around it: this is what the header's hash covers. */
function evidenceBytes(evidence: Evidence): Bytes {
  return evidence.type === "duplicate-vote"
    ? duplicateVoteCodec.encode(evidence.value)
    : lightClientAttackCodec.encode(evidence.value);
}

export function evidenceListHash(evidence: readonly Evidence[]): Bytes {
  return merkleRoot(evidence.map(evidenceBytes));
}

/** The name of one piece of evidence. An attack is named by 31 bytes of a hash and a zero byte: an old slip, kept. */
export function evidenceId(evidence: Evidence): Bytes {
  if (evidence.type === "duplicate-vote") return sha256(evidenceBytes(evidence));
  const header = evidence.value.conflictingBlock?.signedHeader?.header;
  const name = new Uint8Array(32);
  if (header && header.validatorsHash.length > 0) name.set(headerHash(header).subarray(0, 31));
  return sha256(concatBytes(name, new WireWriter().zigzag(evidence.value.commonHeight).finish()));
}

/** Both votes must be signed by one member of `set`, the validators of the votes' height. Returns a fault, or null. */
export function duplicateVoteFault(chainId: string, evidence: DuplicateVote, set: ValidatorSet): string | null {
  const { voteA, voteB } = evidence;
  if (voteA === null || voteB === null) return "a vote is missing";
  if (voteA.height !== voteB.height || voteA.round !== voteB.round || voteA.type !== voteB.type) {
    return "the votes are not of one height, round and type";
  }
  if (!equalBytes(voteA.validatorAddress, voteB.validatorAddress)) return "the votes are of two validators";
  if (equalBlockIds(voteA.blockId, voteB.blockId)) return "the votes are for the same block";
  if (compareBytes(blockIdKey(voteA.blockId), blockIdKey(voteB.blockId)) >= 0) return "the votes are in wrong order";
  const validator = findValidator(set, voteA.validatorAddress);
  if (validator === null) return "the voter is not in the validator set";
  if (evidence.validatorPower !== validator.votingPower) return "wrong validator power";
  if (evidence.totalVotingPower !== totalPower(set.validators)) return "wrong total voting power";
  for (const vote of [voteA, voteB]) {
    const signed = verifySignature(validator.publicKey, voteSignBytes(chainId, vote), vote.signature);
    if (!signed) return "a signature is wrong";
  }
  return null;
}

/** The byte string by which the two votes are ordered; a vote for no block comes first. */
function blockIdKey(id: BlockId): Bytes {
  return id.hash.length === 0 ? EMPTY : concatBytes(id.hash, partSetHeaderCodec.encode(id.partSetHeader));
}
