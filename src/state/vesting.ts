// How much of a vesting account's coins is still locked at an instant. Integer arithmetic of the reference's 18-digit
// decimals, rounding half to even, so that amounts agree to the last unit.

import type { Coin } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import type { PeriodicVestingAccount } from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import { type Account, vestingOf } from "./account.ts";

type Amounts = ReadonlyMap<string, bigint>;

/** Per denom: what has not vested, less what of it is delegated. Denoms with nothing locked are left out. */
export function lockedCoins(account: Account, unixSeconds: bigint): Map<string, bigint> {
  const locked = new Map<string, bigint>();
  const vesting = vestingOf(account);
  if (vesting === null || account.$typeName === "cosmos.vesting.v1beta1.BaseVestingAccount") return locked;
  const vested = vestedCoins(account, unixSeconds);
  const delegated = amountsOf(vesting.delegatedVesting);
  for (const [denom, original] of amountsOf(vesting.originalVesting)) {
    const amount = original - (vested.get(denom) ?? 0n) - (delegated.get(denom) ?? 0n);
    if (amount > 0n) locked.set(denom, amount);
  }
  return locked;
}

/**
 * What of `balances` (all of an account's) may be sent. One denom that is locked beyond its balance leaves nothing
 * spendable of any denom, as in the reference, which subtracts the whole sets.
 */
export function spendable(balances: Amounts, locked: Amounts): Map<string, bigint> {
  for (const [denom, amount] of locked) if (amount > (balances.get(denom) ?? 0n)) return new Map();
  const free = new Map<string, bigint>();
  for (const [denom, amount] of balances) {
    const rest = amount - (locked.get(denom) ?? 0n);
    if (rest > 0n) free.set(denom, rest);
  }
  return free;
}

/** Of the amount, the share that `passed` of `whole` seconds have set free. */
export function vestedAmount(amount: bigint, passed: bigint, whole: bigint): bigint {
  return roundHalfEven(amount * vestedShare(passed, whole));
}

/** passed / whole with 18 decimals: cut at 36 digits first, then rounded, as the reference divides. */
export function vestedShare(passed: bigint, whole: bigint): bigint {
  return roundHalfEven((passed * ONE * ONE) / whole);
}

const ONE = 10n ** 18n;

function vestedCoins(account: Account, now: bigint): Amounts {
  const { originalVesting, endTime } = vestingOf(account)!;
  const original = amountsOf(originalVesting);
  switch (account.$typeName) {
    case "cosmos.vesting.v1beta1.DelayedVestingAccount":
      return now >= endTime ? original : NOTHING;
    case "cosmos.vesting.v1beta1.ContinuousVestingAccount": {
      const { startTime } = account;
      if (now <= startTime) return NOTHING;
      if (now >= endTime) return original;
      const share = (amount: bigint) => vestedAmount(amount, now - startTime, endTime - startTime);
      return new Map([...original].map(([denom, amount]) => [denom, share(amount)]));
    }
    case "cosmos.vesting.v1beta1.PeriodicVestingAccount":
      if (now <= account.startTime) return NOTHING;
      return now >= endTime ? original : finishedPeriods(account, now);
    default:
      return NOTHING;
  }
}

const NOTHING: Amounts = new Map();

function finishedPeriods({ startTime, vestingPeriods }: PeriodicVestingAccount, now: bigint): Amounts {
  const finished: Coin[] = [];
  let end = startTime;
  for (const { length, amount } of vestingPeriods) {
    end += length;
    if (now < end) break;
    finished.push(...amount);
  }
  return amountsOf(finished);
}

function amountsOf(coins: readonly Coin[]): Amounts {
  const amounts = new Map<string, bigint>();
  for (const { denom, amount } of coins) amounts.set(denom, (amounts.get(denom) ?? 0n) + BigInt(amount));
  return amounts;
}

/** n / 10^18 to the nearest integer, a half to the even one. n is not negative. */
function roundHalfEven(n: bigint): bigint {
  const quotient = n / ONE;
  const twice = (n % ONE) * 2n;
  const up = twice > ONE || (twice === ONE && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
