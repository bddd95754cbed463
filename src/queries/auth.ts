// Single accounts, the accounts of modules, and the rules of the auth module.

import { create, toBinary } from "@bufbuild/protobuf";
import { invalid, notFound } from "../api/errors.ts";
import type { NeighbourRequest } from "../api/neighbours.ts";
import { encodeAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import { moduleAddress } from "../codec/key-address.ts";
import { WireWriter } from "../codec/wire.ts";
import {
  Bech32PrefixResponseSchema,
  QueryAccountInfoResponseSchema,
  QueryParamsResponseSchema,
} from "../gen/cosmos/auth/v1beta1/query_pb.ts";
import {
  addressOfNumber,
  baseOf,
  decodeAccount,
  getAccount as readAccount,
  getAuthParams as readAuthParams,
} from "../state/account.ts";
import type { Snapshot } from "../store/store.ts";
import { addressOf } from "./bank.ts";

/** Modules that have accounts on chains of this line; those that a chain lacks are left out of its list. */
const MODULES = [
  "bonded_tokens_pool",
  "distribution",
  "fee_collector",
  "gov",
  "group",
  "mint",
  "nft",
  "not_bonded_tokens_pool",
  "transfer",
];

/** The stored record is the typed object that the answer carries. */
export async function getAccount(
  view: Snapshot,
  { address }: NeighbourRequest<"getAccount">,
  prefix: string,
): Promise<Bytes> {
  const account = await accountOf(view, address, prefix);
  return new WireWriter(account.length + 8).messageField(1, account).finish();
}

export async function getAccountInfo(
  view: Snapshot,
  { address }: NeighbourRequest<"getAccountInfo">,
  prefix: string,
): Promise<Bytes> {
  const info = baseOf(decodeAccount(await accountOf(view, address, prefix)));
  return toBinary(QueryAccountInfoResponseSchema, create(QueryAccountInfoResponseSchema, { info })) as Bytes;
}

export async function getAuthParams(view: Snapshot): Promise<Bytes> {
  const params = await readAuthParams(view);
  return toBinary(QueryParamsResponseSchema, create(QueryParamsResponseSchema, { params })) as Bytes;
}

export async function listModuleAccounts(view: Snapshot): Promise<Bytes> {
  const response = new WireWriter(1024);
  for (const name of MODULES) {
    const account = await moduleAccount(view, name);
    if (account !== null) response.messageField(1, account);
  }
  return response.finish();
}

export async function getModuleAccount(view: Snapshot, { name }: NeighbourRequest<"getModuleAccount">): Promise<Bytes> {
  if (name === "") throw invalid("name", "module name is empty");
  const account = await moduleAccount(view, name);
  if (account === null) throw notFound(`account ${name} not found`);
  return new WireWriter(account.length + 8).messageField(1, account).finish();
}

export async function getAddressOfNumber(
  view: Snapshot,
  { id, accountId }: NeighbourRequest<"getAddressOfNumber">,
  prefix: string,
): Promise<Bytes> {
  if (id < 0n) throw invalid("id", "requested account id must not be negative");
  // The path carries the older name; whoever asks by the newer one leaves that at zero.
  const number = accountId === 0n ? id : accountId;
  const address = await addressOfNumber(view, number);
  if (address === null) throw notFound(`account address not found with account number ${number}`);
  return textResponse(encodeAddress(prefix, address));
}

export function getAddressText({ addressBytes }: NeighbourRequest<"getAddressText">, prefix: string): Bytes {
  const { length } = addressBytes;
  if (length === 0) throw invalid("address_bytes", "empty address bytes is not allowed");
  if (length > MAX_ADDRESS) throw invalid("address_bytes", `address max length is ${MAX_ADDRESS}, got ${length}`);
  return textResponse(encodeAddress(prefix, addressBytes));
}

export function getAddressBytes({ addressString }: NeighbourRequest<"getAddressBytes">, prefix: string): Bytes {
  const address = addressOf(addressString, prefix, "address_string");
  return new WireWriter(address.length + 8).bytesField(1, address).finish();
}

/** Of the responses whose one field is an address as text. */
function textResponse(address: string): Bytes {
  return new WireWriter(address.length + 8).stringField(1, address).finish();
}

const MAX_ADDRESS = 255;

export function bech32PrefixResponse(bech32Prefix: string): Bytes {
  return toBinary(Bech32PrefixResponseSchema, create(Bech32PrefixResponseSchema, { bech32Prefix })) as Bytes;
}

async function accountOf(view: Snapshot, address: string, prefix: string): Promise<Bytes> {
  if (address === "") throw invalid("address", "Address cannot be empty");
  const account = await readAccount(view, addressOf(address, prefix));
  if (account === null) throw notFound(`account ${address} not found`);
  return account;
}

async function moduleAccount(view: Snapshot, name: string): Promise<Bytes | null> {
  const account = await readAccount(view, moduleAddress(name));
  if (account === null) return null;
  return decodeAccount(account).$typeName === "cosmos.auth.v1beta1.ModuleAccount" ? account : null;
}
