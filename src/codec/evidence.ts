// Evidence of misbehaviour that a block carries: its bytes, and the hash of all of it.

import type { Bytes } from "./bytes.ts";
import { type LightBlock, lightBlockCodec } from "./light-block.ts";
import { merkleRoot } from "./merkle.ts";
import { always, type Codec, int64, listOf, message, optional } from "./message.ts";
import { type Time, timeCodec } from "./time.ts";
import { type Validator, validatorCodec } from "./validator.ts";
import { type Vote, voteCodec } from "./vote.ts";
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
