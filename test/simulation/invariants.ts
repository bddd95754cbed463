// What must hold of a chain at every height, whatever its transactions are. Throws at the first thing that does not.

import { type Bytes, toHex } from "../../src/codec/bytes.ts";
import type { TxResult } from "../../src/codec/tx-result.ts";
import { verifyIndex } from "../../src/sources/verify-index.ts";
import { verifyNames } from "../../src/sources/verify-names.ts";
import { verifyAccountNumbers, verifyLists, verifySupply } from "../../src/sources/verify-state.ts";
import { verifyTrees } from "../../src/sources/verify-tree.ts";
import type { Findings } from "../../src/sources/verify-walk.ts";
import { accounts, baseOf, decodeAccount, getAccount } from "../../src/state/account.ts";
import { amountOf, balancesOf, denomOfBalanceKey, supply } from "../../src/state/bank.ts";
import { SPACE } from "../../src/state/keys.ts";
import { lockedCoins, spendable } from "../../src/state/vesting.ts";
import { prefixEnd } from "../../src/store/key-range.ts";
import type { Change, Reader, Snapshot } from "../../src/store/store.ts";

const BALANCE = 0x02;
const SUPPLY = 0x00;

/** Nothing comes from nowhere: balances move by as much as the supply does, and none falls below zero. */
export async function checkCoins(before: Reader, changes: readonly Change[]): Promise<void> {
  const moved = new Map<string, bigint>();
  for (const [key, value] of changes) {
    if (key[0] !== SPACE.bank || (key[1] !== BALANCE && key[1] !== SUPPLY)) continue;
    const isBalance = key[1] === BALANCE;
    const denom = isBalance ? denomOfBalanceKey(key) : new TextDecoder().decode(key.subarray(supply.prefix.length));
    const amount = amountOf(value);
    if (amount < 0n || (value !== null && amount === 0n)) throw new Error(`${denom}: ${amount} is stored`);
    const difference = amount - amountOf(await before.get(key));
    moved.set(denom, (moved.get(denom) ?? 0n) + (isBalance ? difference : -difference));
  }
  for (const [denom, difference] of moved) {
    if (difference !== 0n) throw new Error(`${denom}: balances and supply moved apart by ${difference}`);
  }
}

/** Every account that changed has at most its balance to spend, and its sequence goes up by what it signed. */
export async function checkAccounts(
  before: Reader,
  after: Reader,
  changes: readonly Change[],
  results: readonly TxResult[],
  now: bigint,
): Promise<void> {
  const signed = signedSequences(results);
  for (const [key, value] of changes) {
    if (key[0] !== SPACE.acc || key[1] !== accounts.prefix[1] || key.length !== accounts.prefix.length + 20) continue;
    if (value === null) throw new Error(`the account ${toHex(key)} was removed`);
    const account = decodeAccount(value);
    const earlier = await before.get(key);
    const { address, sequence } = baseOf(account);
    const from = earlier === null ? 0n : baseOf(decodeAccount(earlier)).sequence;
    const used = signed.get(address) ?? [];
    const expected = Array.from({ length: Number(sequence - from) }, (_, i) => from + BigInt(i));
    if (used.join() !== expected.join()) {
      throw new Error(`${address} went from sequence ${from} to ${sequence}, but signed with ${used.join(", ")}`);
    }
    signed.delete(address);
    await checkSpendable(after, key.slice(accounts.prefix.length), now);
  }
  if (signed.size > 0) throw new Error(`${[...signed.keys()].join()} signed, but their sequences did not change`);
}

/** By whom and with which sequence the transactions were signed that came to their messages. */
function signedSequences(results: readonly TxResult[]): Map<string, bigint[]> {
  const signed = new Map<string, bigint[]>();
  for (const { type, attributes } of results.flatMap(({ events }) => events)) {
    const pair = type === "tx" ? attributes.find(({ key }) => key === "acc_seq")?.value : undefined;
    if (pair === undefined) continue;
    const [address, sequence] = pair.split("/") as [string, string];
    signed.set(address, [...(signed.get(address) ?? []), BigInt(sequence)]);
  }
  return signed;
}

async function checkSpendable(reader: Reader, address: Bytes, now: bigint): Promise<void> {
  const { prefix } = balancesOf(address);
  const entries = await reader.range({ start: prefix, end: prefixEnd(prefix), limit: 1000 });
  const balances = new Map(entries.map(([key, value]) => [denomOfBalanceKey(key), amountOf(value)]));
  const account = decodeAccount((await getAccount(reader, address))!);
  for (const [denom, amount] of spendable(balances, lockedCoins(account, now))) {
    const balance = balances.get(denom) ?? 0n;
    if (amount < 0n || amount > balance) throw new Error(`${amount}${denom} of ${balance} are spendable`);
  }
}

/** All that is derived equals what is built anew, and every sum is right. */
export async function checkEverything(view: Snapshot): Promise<void> {
  const checks: Findings[] = [
    verifySupply(view),
    verifyLists(view),
    verifyIndex(view),
    verifyNames(view),
    verifyAccountNumbers(view),
    verifyTrees(view, view.height, view.newest),
  ];
  for (const findings of checks) for await (const finding of findings) throw new Error(finding);
}
