// A validator and the set of them, as they are encoded and hashed.

import { type Bytes, compareBytes } from "./bytes.ts";
import { merkleRoot } from "./merkle.ts";
import { always, bytes, int64, listOf, message, optional } from "./message.ts";
import { consensusAddress, type PublicKey, publicKeyCodec } from "./public-key.ts";

export type Validator = {
  readonly address: Bytes;
  readonly publicKey: PublicKey;
  readonly votingPower: bigint;
  readonly proposerPriority: bigint;
};

/** In set order: voting power descending, then address ascending. Signatures and indexes follow this order. */
export type ValidatorSet = { readonly validators: readonly Validator[]; readonly proposer: Validator | null };

export const validatorCodec = message<Validator>("Validator", {
  address: bytes(1),
  publicKey: always(2, publicKeyCodec),
  votingPower: int64(3),
  proposerPriority: int64(4),
});

type EncodedSet = ValidatorSet & { readonly totalVotingPower: bigint };

const encodedSetCodec = message<EncodedSet>("ValidatorSet", {
  validators: listOf(1, validatorCodec),
  proposer: optional(2, validatorCodec),
  totalVotingPower: int64(3),
});

/** The reference leaves the total at zero when it writes a set, and computes it when it reads one. */
export const validatorSetCodec = {
  encode: (set: ValidatorSet): Bytes => encodedSetCodec.encode({ ...set, totalVotingPower: 0n }),
  decode(bytes: Bytes): ValidatorSet {
    const { validators, proposer } = encodedSetCodec.decode(bytes);
    return { validators, proposer };
  },
};

type SimpleValidator = { readonly publicKey: PublicKey; readonly votingPower: bigint };

const simpleValidatorCodec = message<SimpleValidator>("SimpleValidator", {
  publicKey: always(1, publicKeyCodec),
  votingPower: int64(2),
});

export function newValidator(publicKey: PublicKey, votingPower: bigint, proposerPriority = 0n): Validator {
  return { address: consensusAddress(publicKey), publicKey, votingPower, proposerPriority };
}

/** Covers keys and powers in set order; addresses follow from keys, and priorities are local. */
export function validatorsHash(validators: readonly Validator[]): Bytes {
  return merkleRoot(validators.map(simpleValidatorCodec.encode));
}

export function totalPower(validators: readonly Validator[]): bigint {
  return validators.reduce((sum, { votingPower }) => sum + votingPower, 0n);
}

export function compareInSet(a: Validator, b: Validator): number {
  if (a.votingPower !== b.votingPower) return a.votingPower > b.votingPower ? -1 : 1;
  return compareBytes(a.address, b.address);
}
