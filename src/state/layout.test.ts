// Every pair that a real node holds in its acc and bank stores is read by the typed getters and written back by the
// putters to the same bytes. A kind of key that is not known here fails.

import { expect, test } from "bun:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { UInt64ValueSchema } from "@bufbuild/protobuf/wkt";
import accPairs from "../../test/fixtures/state/acc.json";
import bankPairs from "../../test/fixtures/state/bank.json";
import { parseAddress } from "../codec/address.ts";
import { type Bytes, fromHex, toHex, utf8Decode, utf8Encode } from "../codec/bytes.ts";
import { MetadataSchema } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import { CoinSchema } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { type Branch, createBranch } from "../store/branch.ts";
import { openMemoryStore } from "../store/memory.ts";
import type { Change, Snapshot } from "../store/store.ts";
import * as account from "./account.ts";
import * as bank from "./bank.ts";
import { fromBe64, SPACE, spaceKey } from "./keys.ts";

type Pairs = [string, string][];

const acc = await stored(SPACE.acc, accPairs as Pairs);
const bankState = await stored(SPACE.bank, bankPairs as Pairs);

test("every pair of the acc store", async () => {
  const kinds = await rebuildAll(accPairs as Pairs, SPACE.acc, async (key, value, branch) => {
    const text = utf8Decode(key.filter((byte) => byte < 128));
    if (text.startsWith("accountNumber")) {
      const number = fromBe64(key.slice("accountNumber".length));
      const record = account.decodeAccount((await account.getAccount(acc, value))!);
      expect(account.baseOf(record).accountNumber).toBe(number);
      account.putAccount(branch, value, record);
      return "number";
    }
    if (text === "globalAccountNumber") {
      account.putNextAccountNumber(branch, fromBinary(UInt64ValueSchema, value).value);
      expect(await account.nextAccountNumber(createBranch(acc))).toBe(256n);
      return "next number";
    }
    if (key[0] === 0x01) {
      const address = key.slice(1);
      const record = account.decodeAccount(value);
      expect(parseAddress(account.baseOf(record).address, "cosmos")).toEqual(address);
      account.putAccount(branch, address, record);
      return record.$typeName;
    }
    if (toHex(key) !== "00") return null;
    account.putAuthParams(branch, await account.getAuthParams(acc));
    return "params";
  });
  expect(kinds).toEqual({
    "cosmos.auth.v1beta1.BaseAccount": 241,
    "cosmos.auth.v1beta1.ModuleAccount": 6,
    "cosmos.vesting.v1beta1.ContinuousVestingAccount": 2,
    "cosmos.vesting.v1beta1.DelayedVestingAccount": 3,
    "cosmos.vesting.v1beta1.PeriodicVestingAccount": 2,
    "cosmos.vesting.v1beta1.PermanentLockedAccount": 2,
    "next number": 1,
    number: 256,
    params: 1,
  });
});

test("every pair of the bank store", async () => {
  const kinds = await rebuildAll(bankPairs as Pairs, SPACE.bank, async (key, value, branch) => {
    const rest = key.slice(1);
    switch (key[0]) {
      case 0x00:
        bank.putSupply(branch, utf8Decode(rest), await bank.getSupply(bankState, utf8Decode(rest)));
        return "supply";
      case 0x01:
        expect(await bank.getMetadata(bankState, utf8Decode(rest))).toEqual(value);
        bank.putMetadata(branch, fromBinary(MetadataSchema, value));
        return "metadata";
      case 0x02: {
        const address = rest.slice(1, 1 + rest[0]!);
        const denom = bank.denomOfBalanceKey(spaceKey(SPACE.bank, key));
        await bank.putBalance(branch, address, denom, await bank.getBalance(bankState, address, denom));
        return "balance";
      }
      case 0x03: {
        const end = rest.indexOf(0);
        const address = rest.slice(end + 2);
        const denom = utf8Decode(rest.slice(0, end));
        const balance = (await bank.getBalances(bankState, address, [denom, "absent"])).get(denom);
        await bank.putBalance(branch, address, denom, balance!);
        return "holder";
      }
      case 0x04: {
        const denom = utf8Decode(rest);
        bank.putSendEnabled(branch, denom, (await bank.getSendEnabled(bankState, denom))!);
        return "send enabled";
      }
      case 0x05:
        bank.putBankParams(branch, await bank.getBankParams(bankState));
        return "params";
      default:
        return null;
    }
  });
  expect(kinds).toEqual({ supply: 150, metadata: 4, balance: 638, holder: 638, "send enabled": 2, params: 1 });
});

test("a send-enabled entry that says no is an empty value, and no entry is null", async () => {
  expect(await bank.getSendEnabled(bankState, "ufrozen")).toBe(false);
  expect(await bank.getSendEnabled(bankState, "ucred")).toBe(true);
  expect(await bank.getSendEnabled(bankState, "uorr")).toBeNull();
});

test("zero removes a balance with its holder's entry, and a supply", async () => {
  const branch = createBranch(bankState);
  const address = fromHex("02624e9d664eb0cafb1f24ebdf0fdfc7b61909f4");
  expect(await bank.getBalance(branch, address, "UPPER")).toBe(63n);
  await bank.putBalance(branch, address, "UPPER", 0n);
  bank.putSupply(branch, "UPPER", 0n);
  expect(branch.changes()).toEqual([
    [bank.balanceKey(address, "UPPER"), null],
    [bank.holderKey("UPPER", address), null],
    [spaceKey(SPACE.bank, Uint8Array.of(0), utf8Encode("UPPER")), null],
  ]);
  expect(await bank.getBalance(branch, address, "UPPER")).toBe(0n);
});

test("amounts of the older format are read, and what is no amount is damage", () => {
  const coin = create(CoinSchema, { denom: "uorr", amount: String(1n << 200n) });
  expect(bank.amountOf(toBinary(CoinSchema, coin) as Bytes)).toBe(1n << 200n);
  expect(() => bank.amountOf(utf8Encode("12a"))).toThrow("a stored amount is not a number");
});

test("an account of an unknown kind is refused by name", () => {
  const any = Uint8Array.of(0x0a, 3, 0x2f, 0x61, 0x62);
  expect(() => account.decodeAccount(any)).toThrow("no kind of account: /ab");
});

async function stored(space: typeof SPACE.acc | typeof SPACE.bank, pairs: Pairs): Promise<Snapshot> {
  const store = openMemoryStore();
  await store.commit(
    1n,
    pairs.map(([key, value]): Change => [spaceKey(space, fromHex(key)), fromHex(value)]),
  );
  return store.at(1n);
}

/** Counts the kinds of keys; `rebuild` names the kind and writes the pair to an empty branch, or gives null. */
async function rebuildAll(
  pairs: Pairs,
  space: typeof SPACE.acc | typeof SPACE.bank,
  rebuild: (key: Bytes, value: Bytes, branch: Branch) => Promise<string | null>,
): Promise<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const [key, value] of pairs) {
    const branch = createBranch(openMemoryReader());
    const kind = await rebuild(fromHex(key), fromHex(value), branch);
    if (kind === null) throw new Error(`a kind of key that nobody knows: ${key}`);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const written = await branch.get(spaceKey(space, fromHex(key)));
    expect(written === null ? "nothing" : toHex(written)).toBe(value);
  }
  return kinds;
}

function openMemoryReader() {
  return {
    get: async () => null,
    getMany: async (keys: readonly Bytes[]) => keys.map(() => null),
    range: async () => [],
  };
}
