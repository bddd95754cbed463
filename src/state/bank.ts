// The bank store: supply, token metadata, balances and who holds what, and whether coins may be sent.
//
//   00 ‖ denom                            supply, decimal digits
//   01 ‖ base denom                       Metadata
//   02 ‖ length ‖ address ‖ denom         balance, decimal digits
//   03 ‖ denom ‖ 00 ‖ length ‖ address    one zero byte: the address holds the denom
//   04 ‖ denom                            BoolValue: whether it may be sent; false is an empty value
//   05                                    bank Params
//
// Zero balances and zero supplies are never stored.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BoolValueSchema } from "@bufbuild/protobuf/wkt";
import { type Bytes, utf8Decode, utf8Encode } from "../codec/bytes.ts";
import { decodeCoin, parseAmount } from "../codec/coin.ts";
import { type Metadata, MetadataSchema, type Params, ParamsSchema } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import type { Branch } from "../store/branch.ts";
import { DamagedRecord, type Reader } from "../store/store.ts";
import { lengthPrefixed, SPACE, spaceKey } from "./keys.ts";
import type { List } from "./list.ts";

export const supply: List = { prefix: bankKey(0x00) };
export const tokens: List = { prefix: bankKey(0x01) };
export const sendEnabled: List = { prefix: bankKey(0x04) };

export function balancesOf(address: Bytes): List {
  return { prefix: bankKey(0x02, lengthPrefixed(address)) };
}

export function balanceKey(address: Bytes, denom: string): Bytes {
  return bankKey(0x02, lengthPrefixed(address), utf8Encode(denom));
}

/** Keys below the prefix are addresses with their length before them. */
export function holdersOf(denom: string): List {
  return { prefix: bankKey(0x03, utf8Encode(denom), ZERO_BYTE) };
}

export function holderKey(denom: string, address: Bytes): Bytes {
  return bankKey(0x03, utf8Encode(denom), ZERO_BYTE, lengthPrefixed(address));
}

/** The inverse of balanceKey. */
export function denomOfBalanceKey(key: Bytes): string {
  return utf8Decode(key.subarray(BALANCE_ADDRESS + key[BALANCE_ADDRESS - 1]!));
}

export async function getBalance(reader: Reader, address: Bytes, denom: string): Promise<bigint> {
  return amountOf(await reader.get(balanceKey(address, denom)));
}

/** In one read; denoms that the address does not hold are left out. */
export async function getBalances(
  reader: Reader,
  address: Bytes,
  denoms: readonly string[],
): Promise<Map<string, bigint>> {
  const stored = await reader.getMany(denoms.map((denom) => balanceKey(address, denom)));
  const balances = new Map<string, bigint>();
  for (const [i, denom] of denoms.entries()) {
    const amount = amountOf(stored[i] ?? null);
    if (amount !== 0n) balances.set(denom, amount);
  }
  return balances;
}

/** The balance, then the holder's entry if it is not there: the accesses of the reference, in its order. */
export async function putBalance(branch: Branch, address: Bytes, denom: string, amount: bigint): Promise<void> {
  const key = balanceKey(address, denom);
  const holder = holderKey(denom, address);
  if (amount === 0n) {
    branch.delete(key);
    branch.delete(holder);
    return;
  }
  branch.set(key, digitsOf(amount));
  if (!(await branch.has(holder))) branch.set(holder, ZERO_BYTE);
}

export async function getSupply(reader: Reader, denom: string): Promise<bigint> {
  return amountOf(await reader.get(bankKey(0x00, utf8Encode(denom))));
}

export function putSupply(branch: Branch, denom: string, amount: bigint): void {
  const key = bankKey(0x00, utf8Encode(denom));
  if (amount === 0n) branch.delete(key);
  else branch.set(key, digitsOf(amount));
}

export function metadataKey(denom: string): Bytes {
  return bankKey(0x01, utf8Encode(denom));
}

/** The stored bytes. */
export function getMetadata(reader: Reader, denom: string): Promise<Bytes | null> {
  return reader.get(metadataKey(denom));
}

export function putMetadata(branch: Branch, metadata: Metadata): void {
  branch.set(metadataKey(metadata.base), toBinary(MetadataSchema, metadata) as Bytes);
}

/** Null when nothing is said of this denom: the default of the parameters counts then. */
export async function getSendEnabled(reader: Reader, denom: string): Promise<boolean | null> {
  const stored = await reader.get(sendEnabledKey(denom));
  return stored === null ? null : decodeSendEnabled(stored);
}

/** In one read, in the order of the denoms; null as above. */
export async function getSendEnabledOf(reader: Reader, denoms: readonly string[]): Promise<(boolean | null)[]> {
  const stored = await reader.getMany(denoms.map(sendEnabledKey));
  return stored.map((value) => (value === null ? null : decodeSendEnabled(value)));
}

export function decodeSendEnabled(stored: Bytes): boolean {
  return fromBinary(BoolValueSchema, stored).value;
}

/** The accesses of the reference: whether there is an entry, and only then the entry. */
export async function isSendEnabled(branch: Branch, denom: string, byDefault: boolean): Promise<boolean> {
  if (!(await branch.has(sendEnabledKey(denom)))) return byDefault;
  return (await getSendEnabled(branch, denom)) ?? byDefault;
}

export function putSendEnabled(branch: Branch, denom: string, enabled: boolean): void {
  const value = create(BoolValueSchema, { value: enabled });
  branch.set(sendEnabledKey(denom), toBinary(BoolValueSchema, value) as Bytes);
}

export async function getBankParams(reader: Reader): Promise<Params> {
  const stored = await reader.get(PARAMS);
  return stored === null ? create(ParamsSchema) : fromBinary(ParamsSchema, stored);
}

export function putBankParams(branch: Branch, params: Params): void {
  branch.set(PARAMS, toBinary(ParamsSchema, params) as Bytes);
}

/** Null is zero. Chains that began before v0.46 may still hold whole Coin messages: those begin with a tag. */
export function amountOf(stored: Bytes | null): bigint {
  if (stored === null) return 0n;
  if (stored[0] === COIN_TAG) return decodeCoin(stored).amount;
  const amount = parseAmount(utf8Decode(stored));
  if (amount === null) throw new DamagedRecord("a stored amount is not a number");
  return amount;
}

const BALANCE_ADDRESS = 3;
const COIN_TAG = 0x0a;
const ZERO_BYTE = Uint8Array.of(0);
const PARAMS = bankKey(0x05);

function sendEnabledKey(denom: string): Bytes {
  return bankKey(0x04, utf8Encode(denom));
}

function bankKey(kind: number, ...parts: readonly Bytes[]): Bytes {
  return spaceKey(SPACE.bank, Uint8Array.of(kind), ...parts);
}

function digitsOf(amount: bigint): Bytes {
  if (amount < 0n) throw new RangeError(`a negative amount cannot be stored: ${amount}`);
  return utf8Encode(amount.toString());
}
