// Checks one height of the state by recounting: lists against their counts, supply against balances, account numbers.

import { fromBinary } from "@bufbuild/protobuf";
import { UInt64ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Bytes, equalBytes, toHex, utf8Decode } from "../codec/bytes.ts";
import { accountNumberKey, accounts, baseOf, decodeAccount } from "../state/account.ts";
import { amountOf, balancesOf, denomOfBalanceKey, holderKey, supply, tokens } from "../state/bank.ts";
import { documents } from "../state/identity.ts";
import { SPACE, type Space, spaceKey } from "../state/keys.ts";
import { countList, type List, listOf, walkList } from "../state/list.ts";
import type { Snapshot } from "../store/store.ts";
import { entriesBelow, type Findings } from "./verify-walk.ts";

const LISTED_SPACES = [SPACE.acc, SPACE.bank, SPACE.identity];
const BALANCES = spaceKey(SPACE.bank, Uint8Array.of(0x02));
const HOLDERS = spaceKey(SPACE.bank, Uint8Array.of(0x03));
const ACCOUNT_NUMBERS = spaceKey(SPACE.acc, new TextEncoder().encode("accountNumber"));
const NEXT_NUMBER = spaceKey(SPACE.acc, new TextEncoder().encode("globalAccountNumber"));
/** How many keys of a list are held against its counts at a time. */
const PAGE = 500;

/** Every counted list: its number, and each of its keys at the position that the counts give it. */
export async function* verifyLists(view: Snapshot): Findings {
  const seen = new Set<string>();
  for (const space of LISTED_SPACES) {
    for await (const { list, keys } of listsIn(view, space)) {
      seen.add(toHex(list.prefix));
      yield* verifyList(view, list, keys);
    }
  }
  // A list without entries has nothing to be met by; its count may still say otherwise.
  for (const list of [accounts, supply, tokens, documents]) {
    if (!seen.has(toHex(list.prefix))) yield* verifyList(view, list, []);
  }
  for await (const [key] of entriesBelow(view, accounts.prefix)) {
    const list = balancesOf(key.subarray(accounts.prefix.length));
    if (!seen.has(toHex(list.prefix))) yield* verifyList(view, list, []);
  }
}

/** The lists with entries, in the order of keys; the keys of one list lie together. */
async function* listsIn(view: Snapshot, space: Space): AsyncGenerator<{ list: List; keys: Bytes[] }> {
  let current: { list: List; keys: Bytes[] } | null = null;
  for await (const [key] of entriesBelow(view, spaceKey(space))) {
    const list = listOf(key);
    if (current !== null && (list === null || !equalBytes(list.prefix, current.list.prefix))) {
      yield current;
      current = null;
    }
    if (list === null) continue;
    current ??= { list, keys: [] };
    current.keys.push(key);
  }
  if (current !== null) yield current;
}

async function* verifyList(view: Snapshot, list: List, keys: readonly Bytes[]): Findings {
  const name = `height ${view.height}, list ${toHex(list.prefix)}`;
  const counted = await countList(view, list);
  if (counted !== BigInt(keys.length)) return yield `${name}: ${keys.length} entries, but ${counted} are counted`;
  // As an old height is read: each record is looked up by the key that the counts name.
  const byCounts = { ...bound(view), newest: false };
  for (let low = 0; low < keys.length; low += PAGE) {
    const page = await walkList(byCounts, list, { offset: BigInt(low), reverse: false, limit: PAGE });
    const wrong = page.findIndex(([key], i) => !equalBytes(key, keys[low + i]!));
    if (wrong >= 0) return yield `${name}: the counts have another key at position ${low + wrong}`;
  }
}

/** Balances add up to the supply, denom by denom, and each holder's entry has its balance. */
export async function* verifySupply(view: Snapshot): Findings {
  const place = `height ${view.height}`;
  const sums = new Map<string, bigint>();
  let balances = 0;
  for await (const [key, value] of entriesBelow(view, BALANCES)) {
    const denom = denomOfBalanceKey(key);
    sums.set(denom, (sums.get(denom) ?? 0n) + amountOf(value));
    balances++;
    const address = key.subarray(3, 3 + key[2]!);
    if ((await view.get(holderKey(denom, address))) === null) {
      yield `${place}: ${toHex(address)} holds ${denom}, but is not among its holders`;
    }
  }
  let holders = 0;
  for await (const _ of entriesBelow(view, HOLDERS)) holders++;
  if (holders !== balances) yield `${place}: ${holders} entries of holders for ${balances} balances`;
  for await (const [key, value] of entriesBelow(view, supply.prefix)) {
    const denom = utf8Decode(key.subarray(supply.prefix.length));
    const sum = sums.get(denom) ?? 0n;
    sums.delete(denom);
    if (sum !== amountOf(value))
      yield `${place}: the supply of ${denom} is ${amountOf(value)}, its balances are ${sum}`;
  }
  for (const [denom, sum] of sums) yield `${place}: ${denom} has balances of ${sum}, but no supply`;
}

/** Every account has a number of its own, which leads back to it and is below the next one. */
export async function* verifyAccountNumbers(view: Snapshot): Findings {
  const place = `height ${view.height}`;
  const nextRecord = await view.get(NEXT_NUMBER);
  const next = nextRecord === null ? 0n : fromBinary(UInt64ValueSchema, nextRecord).value;
  const owners = new Map<bigint, string>();
  for await (const [key, value] of entriesBelow(view, accounts.prefix)) {
    const address = key.subarray(accounts.prefix.length);
    const { accountNumber } = baseOf(decodeAccount(value));
    const other = owners.get(accountNumber);
    if (other !== undefined) yield `${place}: ${other} and ${toHex(address)} both have account number ${accountNumber}`;
    owners.set(accountNumber, toHex(address));
    if (accountNumber >= next) yield `${place}: account number ${accountNumber} is given, the next one is ${next}`;
    const owner = await view.get(accountNumberKey(accountNumber));
    if (owner === null || !equalBytes(owner, address)) {
      yield `${place}: account number ${accountNumber} does not lead to ${toHex(address)}`;
    }
  }
  let numbers = 0;
  for await (const _ of entriesBelow(view, ACCOUNT_NUMBERS)) numbers++;
  if (numbers !== owners.size) yield `${place}: ${numbers} account numbers for ${owners.size} accounts`;
}

function bound(view: Snapshot): Snapshot {
  return {
    height: view.height,
    newest: view.newest,
    get: (key) => view.get(key),
    getMany: (keys) => view.getMany(keys),
    range: (request) => view.range(request),
    close: () => {},
  };
}
