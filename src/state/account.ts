// The acc store: accounts, the numbers they got, and the parameters of the auth module.
//
//   00                             auth Params
//   01 ‖ address                   the account, as Any
//   accountNumber ‖ be64 number    the address
//   globalAccountNumber            the next number, as UInt64Value

import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AnySchema, UInt64ValueSchema } from "@bufbuild/protobuf/wkt";
import { messageOfTypeUrl, packAny } from "../codec/any.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import {
  type BaseAccount,
  BaseAccountSchema,
  type ModuleAccount,
  ModuleAccountSchema,
  type Params,
  ParamsSchema,
} from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import {
  type BaseVestingAccount,
  BaseVestingAccountSchema,
  type ContinuousVestingAccount,
  ContinuousVestingAccountSchema,
  type DelayedVestingAccount,
  DelayedVestingAccountSchema,
  type PeriodicVestingAccount,
  PeriodicVestingAccountSchema,
  type PermanentLockedAccount,
  PermanentLockedAccountSchema,
} from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import type { Branch } from "../store/branch.ts";
import type { Reader } from "../store/store.ts";
import { be64, SPACE, spaceKey } from "./keys.ts";
import type { List } from "./list.ts";

/** Every kind of account, told apart by the `$typeName` of its message. */
export type Account =
  | BaseAccount
  | ModuleAccount
  | BaseVestingAccount
  | ContinuousVestingAccount
  | DelayedVestingAccount
  | PeriodicVestingAccount
  | PermanentLockedAccount;

const SCHEMAS: { readonly [K in Account["$typeName"]]: DescMessage } = {
  "cosmos.auth.v1beta1.BaseAccount": BaseAccountSchema,
  "cosmos.auth.v1beta1.ModuleAccount": ModuleAccountSchema,
  "cosmos.vesting.v1beta1.BaseVestingAccount": BaseVestingAccountSchema,
  "cosmos.vesting.v1beta1.ContinuousVestingAccount": ContinuousVestingAccountSchema,
  "cosmos.vesting.v1beta1.DelayedVestingAccount": DelayedVestingAccountSchema,
  "cosmos.vesting.v1beta1.PeriodicVestingAccount": PeriodicVestingAccountSchema,
  "cosmos.vesting.v1beta1.PermanentLockedAccount": PermanentLockedAccountSchema,
};

export const accounts: List = { prefix: spaceKey(SPACE.acc, Uint8Array.of(0x01)) };

const PARAMS = spaceKey(SPACE.acc, Uint8Array.of(0x00));
const NEXT_NUMBER = spaceKey(SPACE.acc, utf8Encode("globalAccountNumber"));

export function accountKey(address: Bytes): Bytes {
  return spaceKey(SPACE.acc, Uint8Array.of(0x01), address);
}

export function accountNumberKey(number: bigint): Bytes {
  return spaceKey(SPACE.acc, utf8Encode("accountNumber"), be64(number));
}

export function addressOfNumber(reader: Reader, number: bigint): Promise<Bytes | null> {
  return reader.get(accountNumberKey(number));
}

/** The stored bytes: an Any. */
export function getAccount(reader: Reader, address: Bytes): Promise<Bytes | null> {
  return reader.get(accountKey(address));
}

/** Throws for a kind of account that this node does not know. */
export function decodeAccount(stored: Bytes): Account {
  const { typeUrl, value } = fromBinary(AnySchema, stored);
  const desc = messageOfTypeUrl(typeUrl);
  if (desc === undefined || !(desc.typeName in SCHEMAS)) throw new Error(`no kind of account: ${typeUrl}`);
  return fromBinary(desc, value) as Account;
}

export function encodeAccount(account: Account): Bytes {
  return toBinary(AnySchema, packAny(SCHEMAS[account.$typeName], account)) as Bytes;
}

/** The part that all kinds share: address, key, number and sequence. Changes to it are changes of the account. */
export function baseOf(account: Account): BaseAccount {
  if (account.$typeName === "cosmos.auth.v1beta1.BaseAccount") return account;
  const holder = vestingOf(account) ?? (account as ModuleAccount);
  holder.baseAccount ??= create(BaseAccountSchema);
  return holder.baseAccount;
}

/** The part that all vesting kinds share; null for accounts that do not vest. */
export function vestingOf(account: Account): BaseVestingAccount | null {
  switch (account.$typeName) {
    case "cosmos.auth.v1beta1.BaseAccount":
    case "cosmos.auth.v1beta1.ModuleAccount":
      return null;
    case "cosmos.vesting.v1beta1.BaseVestingAccount":
      return account;
    default:
      account.baseVestingAccount ??= create(BaseVestingAccountSchema);
      return account.baseVestingAccount;
  }
}

/** Writes the account, then its number: two writes, in the reference's order. */
export function putAccount(branch: Branch, address: Bytes, account: Account): void {
  branch.set(accountKey(address), encodeAccount(account));
  branch.set(accountNumberKey(baseOf(account).accountNumber), address);
}

/** Takes the next number: one read, one write. */
export async function nextAccountNumber(branch: Branch): Promise<bigint> {
  const stored = await branch.get(NEXT_NUMBER);
  const number = stored === null ? 0n : fromBinary(UInt64ValueSchema, stored).value;
  putNextAccountNumber(branch, number + 1n);
  return number;
}

export function putNextAccountNumber(branch: Branch, next: bigint): void {
  branch.set(NEXT_NUMBER, toBinary(UInt64ValueSchema, create(UInt64ValueSchema, { value: next })) as Bytes);
}

/** A chain that never stored them has zeros, as the reference reads it. */
export async function getAuthParams(reader: Reader): Promise<Params> {
  const stored = await reader.get(PARAMS);
  return stored === null ? create(ParamsSchema) : fromBinary(ParamsSchema, stored);
}

export function putAuthParams(branch: Branch, params: Params): void {
  branch.set(PARAMS, toBinary(ParamsSchema, params) as Bytes);
}
