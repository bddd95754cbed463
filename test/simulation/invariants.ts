// What must hold of a chain whatever its transactions are. Throws at the first thing that does not.
//
// At every height, from all that the store holds at it:
//   checkCoins        supply equals the sum of balances in every denom; no coin below one is stored; of no account is
//                     more spendable than its balance, vesting ones at the time of the block; counts of the lists
//   checkSequences    every account that changed went up by what it signed, one by one: no sequence comes twice
// The look-up index is held against a model of its own at every height too (index-model.ts).
//
// checkEverything, now and then and at the end, derives anew all that is derived, with the node's own `verify`: counts
// and positions of all lists, holders, account numbers, names, indexes, and the trees under the app hash.

import { type Bytes, toHex, utf8Decode } from "../../src/codec/bytes.ts";
import type { TxResult } from "../../src/codec/tx-result.ts";
import { verifyIndex } from "../../src/sources/verify-index.ts";
import { verifyNames } from "../../src/sources/verify-names.ts";
import { verifyAccountNumbers, verifyLists, verifySupply } from "../../src/sources/verify-state.ts";
import { verifyTrees } from "../../src/sources/verify-tree.ts";
import type { Findings } from "../../src/sources/verify-walk.ts";
import { type Account, accounts, baseOf, decodeAccount } from "../../src/state/account.ts";
import { amountOf, denomOfBalanceKey, supply } from "../../src/state/bank.ts";
import { documents } from "../../src/state/identity.ts";
import { SPACE, spaceKey } from "../../src/state/keys.ts";
import { countList, type List } from "../../src/state/list.ts";
import { lockedCoins, spendable } from "../../src/state/vesting.ts";
import { prefixEnd } from "../../src/store/key-range.ts";
import type { Change, Entry, Reader, Snapshot } from "../../src/store/store.ts";

const BALANCES = spaceKey(SPACE.bank, Uint8Array.of(0x02));
/** Above all that a random chain has of anything. */
const ALL = 1_000_000;

/** `now`: the time of the block, in seconds. */
export async function checkCoins(view: Snapshot, now: bigint): Promise<void> {
  const sums = new Map<string, bigint>();
  const owned = new Map<string, Map<string, bigint>>();
  for (const [key, value] of await allBelow(view, BALANCES)) {
    const [denom, amount] = [denomOfBalanceKey(key), amountOf(value)];
    if (amount <= 0n) throw new Error(`a balance of ${amount}${denom} is stored`);
    sums.set(denom, (sums.get(denom) ?? 0n) + amount);
    const owner = toHex(key.subarray(3, 3 + key[2]!));
    owned.set(owner, (owned.get(owner) ?? new Map<string, bigint>()).set(denom, amount));
  }
  const supplies = await allBelow(view, supply.prefix);
  for (const [key, value] of supplies) {
    const denom = utf8Decode(key.subarray(supply.prefix.length));
    const [sum, amount] = [sums.get(denom) ?? 0n, amountOf(value)];
    if (sum !== amount) throw new Error(`the supply of ${denom} is ${amount}, its balances are ${sum}`);
    sums.delete(denom);
  }
  if (sums.size > 0) throw new Error(`no supply is stored of ${[...sums.keys()].join()}`);
  const all = await allBelow(view, accounts.prefix);
  for (const [key, value] of all) checkSpendable(value, owned.get(toHex(key.subarray(accounts.prefix.length))), now);
  await checkCount(view, supply, supplies.length);
  await checkCount(view, accounts, all.length);
  await checkCount(view, documents, (await allBelow(view, documents.prefix)).length);
}

/** By the bytes object, which the engine in memory gives again as long as the account does not change. */
const decoded = new WeakMap<Bytes, Account>();

function checkSpendable(record: Bytes, balances: ReadonlyMap<string, bigint> = new Map(), now: bigint): void {
  const account = decoded.get(record) ?? decodeAccount(record);
  decoded.set(record, account);
  for (const [denom, amount] of spendable(balances, lockedCoins(account, now))) {
    const balance = balances.get(denom) ?? 0n;
    if (amount < 0n || amount > balance) throw new Error(`${amount}${denom} of ${balance} are spendable`);
  }
}

async function checkCount(view: Snapshot, list: List, entries: number): Promise<void> {
  const counted = await countList(view, list);
  if (counted !== BigInt(entries)) {
    throw new Error(`list ${toHex(list.prefix)}: ${entries} entries, but ${counted} are counted`);
  }
}

export async function checkSequences(
  before: Reader,
  changes: readonly Change[],
  results: readonly TxResult[],
): Promise<void> {
  const signed = signedSequences(results);
  for (const [key, value] of changes) {
    if (key[0] !== SPACE.acc || key[1] !== accounts.prefix[1] || key.length !== accounts.prefix.length + 20) continue;
    if (value === null) throw new Error(`the account ${toHex(key)} was removed`);
    const earlier = await before.get(key);
    const { address, sequence } = baseOf(decodeAccount(value));
    const from = earlier === null ? 0n : baseOf(decodeAccount(earlier)).sequence;
    const used = signed.get(address) ?? [];
    const expected = Array.from({ length: Number(sequence - from) }, (_, i) => from + BigInt(i));
    if (used.join() !== expected.join()) {
      throw new Error(`${address} went from sequence ${from} to ${sequence}, but signed with ${used.join(", ")}`);
    }
    signed.delete(address);
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

export function allBelow(reader: Reader, prefix: Bytes): Promise<Entry[]> {
  return reader.range({ start: prefix, end: prefixEnd(prefix), limit: ALL });
}
