import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toHex, utf8Decode, utf8Encode } from "./bytes.ts";
import { ed25519PublicKey } from "./public-key.ts";
import { compareInSet, newValidator, totalPower, type Validator, type ValidatorSet } from "./validator.ts";
import { findValidator, newValidatorSet, rotate, updateValidators } from "./validator-set.ts";

const keys = Array.from({ length: 8 }, (_, i) => ed25519PublicKey(new Uint8Array(32).fill(i + 1)));
const key = (i: number) => keys[i]!;
const priorities = ({ validators }: ValidatorSet) => validators.map((v) => Number(v.proposerPriority));

/** A set with made-up addresses, all priorities zero: what updating an empty set gives. */
function named(powers: Record<string, number>): ValidatorSet {
  const validators = Object.entries(powers).map(([name, power]): Validator => {
    return { ...newValidator(key(0), BigInt(power)), address: utf8Encode(name) };
  });
  return { validators: validators.sort(compareInSet), proposer: null };
}

test("proposers come in the reference's order", () => {
  let set = rotate(named({ foo: 1000, bar: 300, baz: 330 }), 1);
  expect(priorities(set)).toEqual([-630, 330, 300]);
  const seen: string[] = [];
  const steps: number[][] = [];
  for (let i = 0; i < 30; i++) {
    seen.push(utf8Decode(set.proposer!.address));
    set = rotate(set, 1);
    steps.push(priorities(set));
  }
  expect(seen.join(" ")).toBe(
    "foo baz foo bar foo foo baz foo bar foo foo baz foo foo bar foo baz foo foo bar foo foo baz foo bar foo foo baz foo bar",
  );
  expect(steps.slice(0, 3)).toEqual([
    [370, -970, 600],
    [-260, -640, 900],
    [740, -310, -430],
  ]);
});

test.each([
  [1, [-2, 1, 1], "a"],
  [5, [2, -7, 5], "b"],
  [9, [6, -3, -3], "c"],
])("%p steps at once", (times, expected, proposer) => {
  const set = rotate(named({ a: 10, b: 1, c: 1 }), times);
  expect(priorities(set)).toEqual(expected);
  expect(utf8Decode(set.proposer!.address)).toBe(proposer);
});

describe("updates seen on a real network", () => {
  const member = (i: number, power: number, priority: number) => newValidator(key(i), BigInt(power), BigInt(priority));

  test("a removal", () => {
    const before = [member(0, 43, 47), member(1, 37, -26), member(2, 18, 35), member(3, 17, -56)];
    const removed = updateValidators({ validators: before, proposer: null }, [{ publicKey: key(3), power: 0n }]);
    expect(priorities(removed)).toEqual([29, -44, 17]);
    expect(priorities(rotate(removed, 1))).toEqual([-26, -7, 35]);
  });

  test("a return", () => {
    const before = [member(0, 43, 47), member(1, 37, -8), member(2, 18, -37)];
    const grown = updateValidators({ validators: before, proposer: null }, [{ publicKey: key(3), power: 25n }]);
    expect(priorities(grown)).toEqual([81, 26, -104, -3]);
    expect(priorities(rotate(grown, 1))).toEqual([1, 63, -79, 15]);
  });
});

const powers = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 8 });

test("turns are shared by power, priorities stay centred, one power never loses a turn", () => {
  fc.assert(
    fc.property(powers, (list) => {
      let set = newValidatorSet(list.map((power, i) => ({ publicKey: key(i), power: BigInt(power) })));
      const total = totalPower(set.validators);
      const turns = new Map<string, number>();
      for (let i = 0; i < 200; i++) {
        const name = toHex(set.proposer!.address);
        turns.set(name, (turns.get(name) ?? 0) + 1);
        const all = set.validators.map((v) => v.proposerPriority);
        const sum = all.reduce((a, b) => a + b, 0n);
        expect(sum < BigInt(all.length) && sum > -BigInt(all.length)).toBe(true);
        set = rotate(set, 1);
      }
      for (const { address, votingPower } of set.validators) {
        const fair = (200 * Number(votingPower)) / Number(total);
        expect(Math.abs((turns.get(toHex(address)) ?? 0) - fair)).toBeLessThan(3);
      }
    }),
    { numRuns: 30 },
  );
});

test("a set is ordered by power, then address, in whatever order it came", () => {
  const updates = [5n, 9n, 5n, 7n].map((power, i) => ({ publicKey: key(i), power }));
  const set = newValidatorSet(updates);
  expect(newValidatorSet([...updates].reverse())).toEqual(set);
  expect(set.validators.map((v) => Number(v.votingPower))).toEqual([9, 7, 5, 5]);
  expect(toHex(set.validators[2]!.address) < toHex(set.validators[3]!.address)).toBe(true);
  expect(findValidator(set, set.validators[2]!.address)).toEqual(set.validators[2]!);
  expect(findValidator(set, utf8Encode("nobody"))).toBeNull();
});

test("far priorities are scaled down, cut toward zero", () => {
  const far = [newValidator(key(0), 1n, 100n), newValidator(key(1), 1n, -101n)];
  // Spread 201 over a window of 4: ratio 51, so 1 and -1; average 0; then one step.
  const set = rotate({ validators: far, proposer: null }, 1);
  expect(priorities(set)).toEqual([0, 0]);
});

test("the average is rounded down, also below zero", () => {
  const validators = [newValidator(key(0), 1n, -1n), newValidator(key(1), 1n, 0n)];
  expect(priorities(rotate({ validators, proposer: null }, 1))).toEqual([1, 0]);
});

describe("impossible updates are refused", () => {
  const set = newValidatorSet([{ publicKey: key(0), power: 10n }]);
  test.each([
    ["negative power", [{ publicKey: key(1), power: -1n }]],
    [
      "updated twice",
      [
        { publicKey: key(1), power: 1n },
        { publicKey: key(1), power: 2n },
      ],
    ],
    ["no member", [{ publicKey: key(1), power: 0n }]],
    ["leave no validator", [{ publicKey: key(0), power: 0n }]],
    ["is above", [{ publicKey: key(1), power: 1n << 62n }]],
    ["total voting power", [{ publicKey: key(1), power: (1n << 60n) - 1n }]],
  ])("%s", (reason, updates) => {
    expect(() => updateValidators(set, updates)).toThrow(reason);
  });

  test("a set without members has no proposer", () => {
    expect(() => rotate({ validators: [], proposer: null }, 1)).toThrow("no proposer");
    expect(() => newValidatorSet([])).toThrow("no proposer");
  });
});
