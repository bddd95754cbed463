// Blocks, part 2.5 of the interface. Hashes, keys, signatures and raw transactions are base64.

import type { Integer } from "./answers.ts";

export type BlockIdFlag =
  | "BLOCK_ID_FLAG_UNKNOWN"
  | "BLOCK_ID_FLAG_ABSENT"
  | "BLOCK_ID_FLAG_COMMIT"
  | "BLOCK_ID_FLAG_NIL";

export type SignedMsgType =
  | "SIGNED_MSG_TYPE_UNKNOWN"
  | "SIGNED_MSG_TYPE_PREVOTE"
  | "SIGNED_MSG_TYPE_PRECOMMIT"
  | "SIGNED_MSG_TYPE_PROPOSAL";

export type BlockId = {
  readonly hash: string;
  readonly part_set_header: { readonly total: number; readonly hash: string };
};

export type Header<N extends Integer = string> = {
  readonly version: { readonly block: N; readonly app: N };
  readonly chain_id: string;
  readonly height: N;
  /** RFC 3339, UTC, milliseconds; as all times. */
  readonly time: string;
  readonly last_block_id: BlockId;
  readonly last_commit_hash: string;
  readonly data_hash: string;
  readonly validators_hash: string;
  readonly next_validators_hash: string;
  readonly consensus_hash: string;
  readonly app_hash: string;
  readonly last_results_hash: string;
  readonly evidence_hash: string;
  readonly proposer_address: string;
};

export type CommitSignature = {
  readonly block_id_flag: BlockIdFlag;
  readonly validator_address: string;
  readonly timestamp: string;
  readonly signature: string;
};

export type Commit<N extends Integer = string> = {
  readonly height: N;
  readonly round: number;
  readonly block_id: BlockId;
  readonly signatures: readonly CommitSignature[];
};

export type Vote<N extends Integer = string> = {
  readonly type: SignedMsgType;
  readonly height: N;
  readonly round: number;
  readonly block_id: BlockId;
  readonly timestamp: string;
  readonly validator_address: string;
  readonly validator_index: number;
  readonly signature: string;
};

export type Validator<N extends Integer = string> = {
  readonly address: string;
  /** One of the two. */
  readonly pub_key: { readonly ed25519?: string; readonly secp256k1?: string };
  readonly voting_power: N;
  readonly proposer_priority: N;
};

export type DuplicateVoteEvidence<N extends Integer = string> = {
  readonly vote_a: Vote<N>;
  readonly vote_b: Vote<N>;
  readonly total_voting_power: N;
  readonly validator_power: N;
  readonly timestamp: string;
};

export type LightClientAttackEvidence<N extends Integer = string> = {
  readonly conflicting_block: {
    readonly signed_header: { readonly header: Header<N>; readonly commit: Commit<N> };
    readonly validator_set: {
      readonly validators: readonly Validator<N>[];
      readonly proposer: Validator<N>;
      readonly total_voting_power: N;
    };
  };
  readonly common_height: N;
  readonly byzantine_validators: readonly Validator<N>[];
  readonly total_voting_power: N;
  readonly timestamp: string;
};

/** One of the two. */
export type Evidence<N extends Integer = string> = {
  readonly duplicate_vote_evidence?: DuplicateVoteEvidence<N>;
  readonly light_client_attack_evidence?: LightClientAttackEvidence<N>;
};

export type Block<N extends Integer = string> = {
  readonly header: Header<N>;
  readonly data: { readonly txs: readonly string[] };
  readonly evidence: { readonly evidence: readonly Evidence<N>[] };
  readonly last_commit: Commit<N>;
};
