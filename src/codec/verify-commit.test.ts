// Commits of four validators: one that just misses two thirds, one that holds, and all the ways to damage it.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ABSENT_SIGNATURE } from "../../test/harness/absent-signature.ts";
import type { BlockId } from "./block-id.ts";
import { type Bytes, toBase64, toHex, utf8Encode } from "./bytes.ts";
import { COMMIT, type Commit, type CommitSig, commitCodec, commitHash, NIL, voteOf } from "./commit.ts";
import { sha256 } from "./hash.ts";
import { ed25519PublicKey } from "./public-key.ts";
import { parseTime, type Time } from "./time.ts";
import { type ValidatorSet, validatorsHash } from "./validator.ts";
import { newValidatorSet } from "./validator-set.ts";
import { InvalidCommit, medianTime, verifyCommit } from "./verify-commit.ts";
import { signVote } from "./vote.ts";

const CHAIN = "own-4";
const seeds = [2, 1, 3, 4].map((byte) => new Uint8Array(32).fill(byte));
const powers = [20n, 10n, 10n, 5n];
const set = newValidatorSet(seeds.map((seed, i) => ({ publicKey: ed25519PublicKey(seed), power: powers[i]! })));
const blockId: BlockId = {
  hash: sha256(utf8Encode("b")),
  partSetHeader: { total: 1, hash: sha256(utf8Encode("p")) },
};
const times = ["05.000000002", "03.1", "09"].map((s) => parseTime(`2024-01-01T00:00:${s}Z`));

function signed(index: number, flag: number, timestamp: Time): CommitSig {
  const commit: Commit = { height: 7n, round: 1, blockId, signatures: [] };
  const unsigned = { flag, validatorAddress: set.validators[index]!.address, timestamp, signature: new Uint8Array() };
  return { ...unsigned, signature: signVote(seeds[index]!, CHAIN, voteOf(commit, unsigned)) };
}

const commitOf = (...signatures: CommitSig[]): Commit => ({ height: 7n, round: 1, blockId, signatures });
const v0 = signed(0, COMMIT, times[0]!);
const v1 = signed(1, COMMIT, times[1]!);
const v2 = signed(2, COMMIT, times[2]!);
const v2nil = signed(2, NIL, times[2]!);
const v3 = signed(3, COMMIT, times[2]!);
const boundary = commitOf(v0, v1, v2nil, ABSENT_SIGNATURE);
const good = commitOf(v0, v1, v2, ABSENT_SIGNATURE);
const verify = (commit: Commit, validators: ValidatorSet = set) => verifyCommit(CHAIN, validators, blockId, 7n, commit);

test("the vector's set, signatures, hash and size", () => {
  expect(toHex(validatorsHash(set.validators))).toBe(
    "0e7f615326f6a41b87a2af7a92402e33b62839116740a42494924d4a298d6bb6",
  );
  expect([v0, v1, v2nil].map(({ signature }) => toBase64(signature))).toEqual([
    "fqK8GIRMa+ttvEF7VEuqRwj6WK03qK3b6rC2AGcYwdZ/b3qqFx6MAEx5/VxwYmfm1D99KvJWtNukHMUPs4U1Bg==",
    "X6BZjj41ZeKerGa1kdl2qa2YMcx9ea9T3lHSe1Gmesbx80dM5LgcyMw2hwvK3qd3BjNwmnkwgYG/5LK01r7KAA==",
    "PRDWXSpTS9xJOAHKKXY+g9t57NyDxov3yJ32iCoR+fKgyR6lI8JJV67lkVz0BzJln2//tAxaSOTLQ/Z9LgEYBA==",
  ]);
  expect(toHex(commitHash(boundary))).toBe("ea4ac854a926ce26fa01468a61237023d2f7dde6a42fda2cc4bd5cee757130a2");
  expect(commitCodec.encode(boundary).length).toBe(402);
  expect(medianTime(boundary, set)).toEqual(times[0]!);
});

test("more than two thirds are needed: 30 of 45 fail, 35 and 40 pass", () => {
  expect(() => verify(boundary)).toThrow("voting power 30, but more than 30 is needed");
  verify(good);
  verify(commitOf(v0, v1, ABSENT_SIGNATURE, v3));
});

describe("a damaged commit is refused", () => {
  const flip = (bytes: Bytes, pos: number) => bytes.map((byte, i) => (i === pos ? byte ^ 1 : byte)) as Bytes;
  const withFirst = (change: Partial<CommitSig>) => commitOf({ ...v0, ...change }, v1, v2, v3);
  const other: BlockId = { ...blockId, hash: flip(blockId.hash, 0) };
  const otherParts: BlockId = { ...blockId, partSetHeader: { ...blockId.partSetHeader, total: 2 } };

  test.each<[string, Commit, string]>([
    ["signature", withFirst({ signature: flip(v0.signature, 5) }), "signature 0 of validator"],
    ["signature of a vote for no block", commitOf(v0, v1, { ...v2nil, signature: v2.signature }, v3), "signature 2 of"],
    ["address", withFirst({ validatorAddress: flip(v0.validatorAddress, 0) }), "signature 0: address"],
    ["places changed", commitOf(v1, v0, v2, v3), "signature 0: address"],
    ["time", withFirst({ timestamp: times[1]! }), "signature 0 of validator"],
    ["block id", { ...good, blockId: other }, "for block"],
    ["part set", { ...good, blockId: otherParts }, "for block"],
    ["height", { ...good, height: 8n }, "of height 8, expected 7"],
    ["round", { ...good, round: 0 }, "signature 0 of validator"],
    ["negative round", { ...good, round: -1 }, "negative round"],
    ["too few signatures", commitOf(v0, v1, v2), "3 signatures for 4 validators"],
    ["too many signatures", commitOf(v0, v1, v2, v3, v3), "5 signatures for 4 validators"],
    ["none", commitOf(), "no signatures"],
    ["unknown flag", withFirst({ flag: 4 }), "unknown flag 4"],
    ["flag zero", withFirst({ flag: 0 }), "unknown flag 0"],
    ["commit turned nil", withFirst({ flag: NIL }), "signature 0 of validator"],
    ["short address", withFirst({ validatorAddress: new Uint8Array(19) }), "address of 19 bytes"],
    ["no signature", withFirst({ signature: new Uint8Array() }), "signature of 0 bytes"],
    ["long signature", withFirst({ signature: new Uint8Array(65) }), "signature of 65 bytes"],
    [
      "absent with address",
      commitOf({ ...ABSENT_SIGNATURE, validatorAddress: v0.validatorAddress }, v1, v2, v3),
      "has an address",
    ],
    ["absent with time", commitOf({ ...ABSENT_SIGNATURE, timestamp: times[0]! }, v1, v2, v3), "has a time"],
    ["absent with signature", commitOf({ ...ABSENT_SIGNATURE, signature: v0.signature }, v1, v2, v3), "but signed"],
  ])("%s", (_name, commit, reason) => {
    expect(() => verify(commit)).toThrow(InvalidCommit);
    expect(() => verify(commit)).toThrow(reason);
  });

  test("other powers, another chain, another key", () => {
    const heavier = { ...set, validators: set.validators.map((v, i) => (i === 3 ? { ...v, votingPower: 20n } : v)) };
    expect(() => verify(good, heavier)).toThrow("voting power 40, but more than 40");
    expect(() => verifyCommit("own-5", set, blockId, 7n, good)).toThrow("signature 0 of validator");
    const publicKey = ed25519PublicKey(new Uint8Array(32).fill(9));
    const swapped = { ...set, validators: set.validators.map((v, i) => (i === 1 ? { ...v, publicKey } : v)) };
    expect(() => verify(good, swapped)).toThrow("signature 1 of validator");
  });
});

test("the median splits the power in half", () => {
  const member = fc.record({ weight: fc.integer({ min: 1, max: 50 }), nanos: fc.nat({ max: 20 }) });
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 4 }), (members) => {
      const validators = members.map(({ weight }, i) => ({ ...set.validators[i]!, votingPower: BigInt(weight) }));
      const signatures = members.map(({ nanos }, i) => ({
        ...v0,
        validatorAddress: validators[i]!.address,
        timestamp: { seconds: 0n, nanos },
      }));
      const median = medianTime({ ...good, signatures }, { validators, proposer: null }).nanos;
      const weigh = (test: (nanos: number) => boolean) =>
        members.filter(({ nanos }) => test(nanos)).reduce((sum, { weight }) => sum + weight, 0);
      const half = Math.floor(weigh(() => true) / 2);
      expect(weigh((nanos) => nanos <= median)).toBeGreaterThanOrEqual(half);
      expect(weigh((nanos) => nanos < median)).toBeLessThan(Math.max(half, 1));
    }),
  );
});
