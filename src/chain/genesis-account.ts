// One account of a genesis file: its kinds, their fields, and what the reference demands of each.

import { create } from "@bufbuild/protobuf";
import { type Bytes, equalBytes } from "../codec/bytes.ts";
import { type Coin, formatCoins, normalizeCoins } from "../codec/coin.ts";
import { moduleAddress } from "../codec/key-address.ts";
import { BaseAccountSchema, ModuleAccountSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import {
  BaseVestingAccountSchema,
  ContinuousVestingAccountSchema,
  DelayedVestingAccountSchema,
  PeriodicVestingAccountSchema,
  PermanentLockedAccountSchema,
} from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import type { Account } from "../state/account.ts";
import { asMessages, readAddress, readCoins } from "./genesis-coin.ts";
import type { GenesisValue } from "./genesis-json.ts";
import { readPublicKey } from "./genesis-key.ts";

export type GenesisAccount = { readonly address: Bytes; readonly text: string; readonly account: Account };

type Reading = { readonly json: GenesisValue; readonly prefix: string };
type Read = { readonly address: Bytes; readonly text: string };

/** Refuses by the account's place and address. */
export function readAccount(json: GenesisValue, prefix: string): GenesisAccount {
  const type = json.get("@type").string();
  const read = KINDS[type];
  if (read === undefined) throw json.error(`unknown account type ${JSON.stringify(type)}`);
  return read({ json, prefix });
}

const KINDS: { readonly [type: string]: ((reading: Reading) => GenesisAccount) | undefined } = {
  "/cosmos.auth.v1beta1.BaseAccount": ({ json, prefix }) => readBase(json, prefix, "@type"),
  "/cosmos.auth.v1beta1.ModuleAccount": readModule,
  "/cosmos.vesting.v1beta1.BaseVestingAccount": ({ json, prefix }) => readVesting(json, prefix, "@type"),
  "/cosmos.vesting.v1beta1.ContinuousVestingAccount": readContinuous,
  "/cosmos.vesting.v1beta1.DelayedVestingAccount": readDelayed,
  "/cosmos.vesting.v1beta1.PeriodicVestingAccount": readPeriodic,
  "/cosmos.vesting.v1beta1.PermanentLockedAccount": readPermanent,
};

function readBase(json: GenesisValue, prefix: string, ...also: "@type"[]) {
  const fields = json.members("address", "pub_key", "account_number", "sequence", ...also);
  const { text, bytes: address } = readAddress(fields.address, prefix);
  const key = fields.pub_key.isNull ? null : readPublicKey(fields.pub_key);
  if (key !== null && !equalBytes(key.owner, address)) {
    throw json.error("account address and pubkey address do not match", text);
  }
  const account = create(BaseAccountSchema, {
    address: text,
    ...(key === null ? {} : { pubKey: key.any }),
    accountNumber: fields.account_number.uint64(),
    sequence: fields.sequence.uint64(),
  });
  return { address, text, account };
}

function readModule({ json, prefix }: Reading): GenesisAccount {
  const fields = json.members("@type", "base_account", "name", "permissions");
  const { address, text, account: baseAccount } = readBase(fields.base_account, prefix);
  const name = fields.name.string();
  if (name.trim() === "") throw json.error("module account name cannot be blank", text);
  if (!equalBytes(moduleAddress(name), address)) {
    throw json.error(`address ${text} cannot be derived from the module name '${name}'`, text);
  }
  const permissions = fields.permissions.list().map((permission) => permission.string());
  if (permissions.some((permission) => permission.trim() === "")) {
    throw json.error("module permission is empty", text);
  }
  return { address, text, account: create(ModuleAccountSchema, { baseAccount, name, permissions }) };
}

function readContinuous({ json, prefix }: Reading): GenesisAccount {
  const fields = json.members("@type", "base_vesting_account", "start_time");
  const { account: baseVestingAccount, ...rest } = readVesting(fields.base_vesting_account, prefix);
  const startTime = readTime(fields.start_time);
  checkStart(json, rest, startTime, baseVestingAccount.endTime);
  return { ...rest, account: create(ContinuousVestingAccountSchema, { baseVestingAccount, startTime }) };
}

function readDelayed({ json, prefix }: Reading): GenesisAccount {
  const fields = json.members("@type", "base_vesting_account");
  const { account: baseVestingAccount, ...rest } = readVesting(fields.base_vesting_account, prefix);
  return { ...rest, account: create(DelayedVestingAccountSchema, { baseVestingAccount }) };
}

function readPermanent({ json, prefix }: Reading): GenesisAccount {
  const fields = json.members("@type", "base_vesting_account");
  const { account: baseVestingAccount, ...rest } = readVesting(fields.base_vesting_account, prefix);
  if (baseVestingAccount.endTime !== 0n) {
    throw json.error("permanently vested accounts cannot have an end-time", rest.text);
  }
  return { ...rest, account: create(PermanentLockedAccountSchema, { baseVestingAccount }) };
}

function readPeriodic({ json, prefix }: Reading): GenesisAccount {
  const fields = json.members("@type", "base_vesting_account", "start_time", "vesting_periods");
  const { account: baseVestingAccount, original, ...rest } = readVesting(fields.base_vesting_account, prefix);
  const startTime = readTime(fields.start_time);
  checkStart(json, rest, startTime, baseVestingAccount.endTime);
  const periods = fields.vesting_periods.list().map((item) => {
    const { length, amount } = item.members("length", "amount");
    return { length: readTime(length), coins: readCoins(amount, rest.text) };
  });
  if (periods.reduce((end, { length }) => end + length, startTime) !== baseVestingAccount.endTime) {
    throw json.error("vesting end time does not match length of all vesting periods", rest.text);
  }
  const sum = normalizeCoins(periods.flatMap(({ coins }) => coins));
  if (formatCoins(sum) !== formatCoins(original)) {
    throw json.error("original vesting coins does not match the sum of all coins in vesting periods", rest.text);
  }
  const vestingPeriods = periods.map(({ length, coins }) => ({ length, amount: asMessages(coins) }));
  const account = create(PeriodicVestingAccountSchema, { baseVestingAccount, startTime, vestingPeriods });
  return { ...rest, account };
}

function readVesting(json: GenesisValue, prefix: string, ...also: "@type"[]) {
  const names = ["base_account", "original_vesting", "delegated_free", "delegated_vesting", "end_time"] as const;
  const fields = json.members(...names, ...also);
  const { address, text, account: baseAccount } = readBase(fields.base_account, prefix);
  const original = readCoins(fields.original_vesting, text);
  const delegated = readCoins(fields.delegated_vesting, text);
  if (!delegated.every((coin) => coin.amount <= amountIn(original, coin.denom))) {
    throw json.error("delegated vesting amount cannot be greater than the original vesting amount", text);
  }
  const account = create(BaseVestingAccountSchema, {
    baseAccount,
    originalVesting: asMessages(original),
    delegatedFree: asMessages(readCoins(fields.delegated_free, text)),
    delegatedVesting: asMessages(delegated),
    endTime: readTime(fields.end_time),
  });
  return { address, text, account, original };
}

/** Seconds. The reference lets negative ones through, and then computes nonsense. */
function readTime(json: GenesisValue): bigint {
  const seconds = json.int64();
  if (seconds < 0n) throw json.error(`negative time ${seconds}`);
  return seconds;
}

function checkStart(json: GenesisValue, { text }: Read, start: bigint, end: bigint): void {
  if (start >= end) throw json.error(`vesting start-time ${start} is not before end-time ${end}`, text);
}

function amountIn(coins: readonly Coin[], denom: string): bigint {
  return coins.find((coin) => coin.denom === denom)?.amount ?? 0n;
}
