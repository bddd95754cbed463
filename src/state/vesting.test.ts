// Vesting to the unit: the vectors of the reference's decimal library, and nine accounts of a real node at one instant.

import { describe, expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { BaseAccountSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import {
  type BaseVestingAccount,
  ContinuousVestingAccountSchema,
  DelayedVestingAccountSchema,
  PeriodicVestingAccountSchema,
  PermanentLockedAccountSchema,
} from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import type { Account } from "./account.ts";
import { lockedCoins, spendable, vestedAmount, vestedShare } from "./vesting.ts";

// The time of block 66 of the recorded chain, in whole seconds.
const T = 1794708129n;

describe("the share of an amount that time has set free", () => {
  test.each([
    [1000n, 1n, 3n, 333333333333333333n, 333n],
    [1000n, 2n, 3n, 666666666666666667n, 667n],
    [5n, 1n, 2n, 500000000000000000n, 2n],
    [7n, 1n, 2n, 500000000000000000n, 4n],
    [3n, 1n, 2n, 500000000000000000n, 2n],
    [1n, 1n, 2n, 500000000000000000n, 0n],
    [10n ** 24n, 1n, 3n, 333333333333333333n, 333333333333333333000000n],
    [1000000n, 123456n, 31536000n, 3914764079147641n, 3915n],
    [10n ** 9n, 27482529n, 315532800n, 87098802406596081n, 87098802n],
    [5000n, 45n, 205291916n, 219200058516n, 0n],
  ])("%p after %p of %p seconds", (amount, passed, whole, share, vested) => {
    expect(vestedShare(passed, whole)).toBe(share);
    expect(vestedAmount(amount, passed, whole)).toBe(vested);
  });
});

type Row = {
  name: string;
  account: Account;
  balances: [string, bigint][];
  locked: Record<string, bigint>;
  spendable: Record<string, bigint>;
};

const ROWS: Row[] = [
  {
    name: "continuous",
    account: create(ContinuousVestingAccountSchema, {
      ...vesting({ uorr: 10n ** 9n }, 2082758400n),
      startTime: 1767225600n,
    }),
    balances: [["uorr", 1499998500n]],
    locked: { uorr: 912901198n },
    spendable: { uorr: 587097302n },
  },
  {
    name: "created_continuous",
    account: create(ContinuousVestingAccountSchema, {
      ...vesting({ uorr: 5000n }, 2000000000n),
      startTime: 1794708084n,
    }),
    balances: [["uorr", 5000n]],
    locked: { uorr: 5000n },
    spendable: {},
  },
  {
    name: "periodic",
    account: create(PeriodicVestingAccountSchema, {
      ...vesting({ uorr: 900000000n }, 2082758400n),
      startTime: 1767225600n,
      vestingPeriods: [period(3600n, 300000000n), period(315529200n, 600000000n)],
    }),
    balances: [["uorr", 1000000000n]],
    locked: { uorr: 600000000n },
    spendable: { uorr: 400000000n },
  },
  {
    name: "created_periodic",
    account: create(PeriodicVestingAccountSchema, {
      ...vesting({ uorr: 100n }, 2700000100n),
      startTime: 1700000000n,
      vestingPeriods: [period(100n, 10n), period(1000000000n, 90n)],
    }),
    balances: [["uorr", 100n]],
    locked: { uorr: 90n },
    spendable: { uorr: 10n },
  },
  {
    name: "delayed",
    account: create(DelayedVestingAccountSchema, vesting({ ucred: 4000n, uorr: 700000000n }, 2082758400n)),
    balances: [
      ["ucred", 5000n],
      ["uorr", 700000250n],
    ],
    locked: { ucred: 4000n, uorr: 700000000n },
    spendable: { ucred: 1000n, uorr: 250n },
  },
  {
    name: "vested",
    account: create(DelayedVestingAccountSchema, vesting({ uorr: 700000n }, 1767229200n)),
    balances: [["uorr", 700001n]],
    locked: {},
    spendable: { uorr: 700001n },
  },
  {
    name: "locked",
    account: create(PermanentLockedAccountSchema, vesting({ uorr: 50000000n }, 0n)),
    balances: [["uorr", 60000000n]],
    locked: { uorr: 50000000n },
    spendable: { uorr: 10000000n },
  },
];

describe("accounts of the recorded chain", () => {
  for (const row of ROWS) {
    test(row.name, () => {
      const locked = lockedCoins(row.account, T);
      expect(Object.fromEntries(locked)).toEqual(row.locked);
      expect(Object.fromEntries(spendable(new Map(row.balances), locked))).toEqual(row.spendable);
    });
  }
});

describe("the edges of time", () => {
  const continuous = create(ContinuousVestingAccountSchema, { ...vesting({ uorr: 100n }, 200n), startTime: 100n });
  const delayed = create(DelayedVestingAccountSchema, vesting({ uorr: 100n }, 200n));
  const periodic = create(PeriodicVestingAccountSchema, {
    ...vesting({ uorr: 100n }, 200n),
    startTime: 100n,
    vestingPeriods: [period(40n, 30n), period(60n, 70n)],
  });

  const edges: [Account, bigint, bigint][] = [
    [continuous, 100n, 100n],
    [continuous, 101n, 99n],
    [continuous, 199n, 1n],
    [continuous, 200n, 0n],
    [delayed, 199n, 100n],
    [delayed, 200n, 0n],
    [periodic, 100n, 100n],
    [periodic, 139n, 100n],
    [periodic, 140n, 70n],
    [periodic, 199n, 70n],
    [periodic, 200n, 0n],
  ];

  test.each(edges)("%#", (account, now, locked) => {
    expect(lockedCoins(account, now).get("uorr") ?? 0n).toBe(locked);
  });
});

test("what is delegated of the vesting coins is not locked twice", () => {
  const account = create(DelayedVestingAccountSchema, vesting({ uorr: 100n }, 200n));
  account.baseVestingAccount!.delegatedVesting = coins({ uorr: 60n }) as BaseVestingAccount["delegatedVesting"];
  expect(lockedCoins(account, 0n).get("uorr")).toBe(40n);
  account.baseVestingAccount!.delegatedVesting = coins({ uorr: 130n }) as BaseVestingAccount["delegatedVesting"];
  expect(lockedCoins(account, 0n).size).toBe(0);
});

test("one denom that is locked beyond its balance leaves nothing spendable", () => {
  const balances = new Map([
    ["ucred", 5n],
    ["uorr", 99n],
  ]);
  expect(spendable(balances, new Map([["uorr", 100n]])).size).toBe(0);
  expect(spendable(balances, new Map([["absent", 1n]])).size).toBe(0);
  expect(spendable(balances, new Map()).size).toBe(2);
});

test("an account that does not vest locks nothing", () => {
  expect(lockedCoins(create(BaseAccountSchema, { address: "a" }), T).size).toBe(0);
});

function vesting(original: Record<string, bigint>, endTime: bigint) {
  return { baseVestingAccount: { originalVesting: coins(original), endTime } };
}

function period(length: bigint, uorr: bigint) {
  return { length, amount: coins({ uorr }) };
}

function coins(amounts: Record<string, bigint>) {
  return Object.entries(amounts).map(([denom, amount]) => ({ denom, amount: amount.toString() }));
}
