// The kinds of accounts, told apart by `@type`. A chain with kinds of its own answers those too: handle the default.

import type { Coin, Integer } from "./answers.ts";
import type { TypedObject } from "./typed-object.ts";

type BaseFields<N extends Integer> = {
  readonly address: string;
  readonly pub_key: TypedObject | null;
  readonly account_number: N;
  readonly sequence: N;
};

type VestingFields<N extends Integer> = {
  readonly base_account: BaseFields<N>;
  readonly original_vesting: readonly Coin<N>[];
  readonly delegated_free: readonly Coin<N>[];
  readonly delegated_vesting: readonly Coin<N>[];
  /** Seconds since 1970, as all times of vesting. */
  readonly end_time: N;
};

type Vesting<Name extends string, N extends Integer> = {
  readonly "@type": `/cosmos.vesting.v1beta1.${Name}`;
  readonly base_vesting_account: VestingFields<N>;
};

export type BaseAccount<N extends Integer = string> = BaseFields<N> & {
  readonly "@type": "/cosmos.auth.v1beta1.BaseAccount";
};

export type ModuleAccount<N extends Integer = string> = {
  readonly "@type": "/cosmos.auth.v1beta1.ModuleAccount";
  readonly base_account: BaseFields<N>;
  readonly name: string;
  readonly permissions: readonly string[];
};

export type BaseVestingAccount<N extends Integer = string> = VestingFields<N> & {
  readonly "@type": "/cosmos.vesting.v1beta1.BaseVestingAccount";
};

export type ContinuousVestingAccount<N extends Integer = string> = Vesting<"ContinuousVestingAccount", N> & {
  readonly start_time: N;
};

export type DelayedVestingAccount<N extends Integer = string> = Vesting<"DelayedVestingAccount", N>;

export type PeriodicVestingAccount<N extends Integer = string> = Vesting<"PeriodicVestingAccount", N> & {
  readonly start_time: N;
  readonly vesting_periods: readonly { readonly length: N; readonly amount: readonly Coin<N>[] }[];
};

export type PermanentLockedAccount<N extends Integer = string> = Vesting<"PermanentLockedAccount", N>;

export type Account<N extends Integer = string> =
  | BaseAccount<N>
  | ModuleAccount<N>
  | BaseVestingAccount<N>
  | ContinuousVestingAccount<N>
  | DelayedVestingAccount<N>
  | PeriodicVestingAccount<N>
  | PermanentLockedAccount<N>;
