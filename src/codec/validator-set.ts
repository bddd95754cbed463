// How a validator set changes: the rotation of proposers by priority, and updates of powers.
//
// Every node computes the same rotation, so the arithmetic is exact: 64-bit integers that stop at their limits,
// averages rounded down, ratios cut toward zero.

import { compareBytes, equalBytes, toHex } from "./bytes.ts";
import type { PublicKey } from "./public-key.ts";
import { compareInSet, newValidator, totalPower, type Validator, type ValidatorSet } from "./validator.ts";

/** Power 0 removes the validator. */
export type ValidatorUpdate = { readonly publicKey: PublicKey; readonly power: bigint };

const MAX_INT64 = (1n << 63n) - 1n;
const MIN_INT64 = -(1n << 63n);
const MAX_TOTAL_POWER = MAX_INT64 / 8n;
/** Priorities may lie apart by this many times the total power before they are scaled down. */
const PRIORITY_WINDOW = 2n;

/** The set of a new chain, with its first proposer chosen. */
export function newValidatorSet(updates: readonly ValidatorUpdate[]): ValidatorSet {
  return rotate(updateValidators({ validators: [], proposer: null }, updates), 1);
}

/** Moves the turn on `times` times. Round r of a height is led by the proposer of the height's set, rotated r times. */
export function rotate(set: ValidatorSet, times: number): ValidatorSet {
  if (set.validators.length === 0) throw new Error("an empty validator set has no proposer");
  if (times < 1) throw new Error("a rotation takes at least one step");
  const total = totalPower(set.validators);
  const turns = shift(rescale(set.validators.map(toTurn), total));
  let leader = turns[0]!;
  for (let i = 0; i < times; i++) {
    for (const turn of turns) turn.priority = clip(turn.priority + turn.validator.votingPower);
    leader = turns.reduce(ahead);
    leader.priority = clip(leader.priority - total);
  }
  return { validators: turns.map(toValidator), proposer: toValidator(leader) };
}

/** Adds, changes and removes validators; who is new starts far behind, so that rejoining gains no turn. */
export function updateValidators(set: ValidatorSet, updates: readonly ValidatorUpdate[]): ValidatorSet {
  if (updates.length === 0) return set;
  const members = new Map(set.validators.map((validator) => [toHex(validator.address), validator]));
  const changed = checkedUpdates(updates, members);
  const before = totalBeforeRemovals(set.validators, changed);
  const newcomerPriority = -(before + (before >> 3n));
  for (const [address, { votingPower, publicKey }] of changed) {
    if (votingPower === 0n) members.delete(address);
    else {
      const priority = members.get(address)?.proposerPriority ?? newcomerPriority;
      members.set(address, newValidator(publicKey, votingPower, priority));
    }
  }
  const validators = [...members.values()];
  if (validators.length === 0) throw new Error("the updates would leave no validator");
  const total = totalPower(validators);
  if (total > MAX_TOTAL_POWER) throw new Error(`total voting power ${total} is above ${MAX_TOTAL_POWER}`);
  const turns = shift(rescale(validators.map(toTurn), total));
  return { validators: turns.map(toValidator).sort(compareInSet), proposer: set.proposer };
}

export function findValidator(set: ValidatorSet, address: Validator["address"]): Validator | null {
  return set.validators.find((validator) => equalBytes(validator.address, address)) ?? null;
}

type Turn = { readonly validator: Validator; priority: bigint };

const toTurn = (validator: Validator): Turn => ({ validator, priority: validator.proposerPriority });
const toValidator = ({ validator, priority }: Turn): Validator => ({ ...validator, proposerPriority: priority });

function ahead(a: Turn, b: Turn): Turn {
  if (a.priority !== b.priority) return a.priority > b.priority ? a : b;
  return compareBytes(a.validator.address, b.validator.address) < 0 ? a : b;
}

function rescale(turns: Turn[], total: bigint): Turn[] {
  const window = PRIORITY_WINDOW * total;
  const priorities = turns.map((turn) => turn.priority);
  const spread = priorities.reduce(max) - priorities.reduce(min);
  if (window <= 0n || spread <= window) return turns;
  const ratio = (spread + window - 1n) / window;
  for (const turn of turns) turn.priority /= ratio;
  return turns;
}

function shift(turns: Turn[]): Turn[] {
  const sum = turns.reduce((total, turn) => total + turn.priority, 0n);
  const average = floorDivide(sum, BigInt(turns.length));
  for (const turn of turns) turn.priority = clip(turn.priority - average);
  return turns;
}

function checkedUpdates(updates: readonly ValidatorUpdate[], members: ReadonlyMap<string, Validator>) {
  const changed = new Map<string, Validator>();
  for (const { publicKey, power } of updates) {
    const validator = newValidator(publicKey, power);
    const address = toHex(validator.address);
    if (power < 0n) throw new Error(`validator ${address}: negative power ${power}`);
    if (power > MAX_TOTAL_POWER) throw new Error(`validator ${address}: power ${power} is above ${MAX_TOTAL_POWER}`);
    if (changed.has(address)) throw new Error(`validator ${address} is updated twice`);
    if (power === 0n && !members.has(address)) throw new Error(`validator ${address} is removed, but no member`);
    changed.set(address, validator);
  }
  return changed;
}

function totalBeforeRemovals(validators: readonly Validator[], changed: ReadonlyMap<string, Validator>): bigint {
  const kept = validators.filter(({ address }) => (changed.get(toHex(address))?.votingPower ?? 0n) === 0n);
  return totalPower(kept) + totalPower([...changed.values()]);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

const clip = (n: bigint): bigint => max(MIN_INT64, min(MAX_INT64, n));
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
