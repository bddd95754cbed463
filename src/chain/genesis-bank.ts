// The bank section of a genesis: balances, the supply they add up to, token metadata, and what may be sent.

import { create } from "@bufbuild/protobuf";
import { type Bytes, compareBytes, toHex } from "../codec/bytes.ts";
import { type Coin, isDenom, MAX_AMOUNT } from "../codec/coin.ts";
import { type Metadata, type Params, ParamsSchema } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import { putBalance, putBankParams, putMetadata, putSendEnabled, putSupply } from "../state/bank.ts";
import type { Branch } from "../store/branch.ts";
import { readAddress, readCoins } from "./genesis-coin.ts";
import type { GenesisValue } from "./genesis-json.ts";
import { readMetadata } from "./genesis-metadata.ts";

export type BankGenesis = {
  readonly params: Params;
  readonly sendEnabled: readonly { readonly denom: string; readonly enabled: boolean }[];
  /** In the order of the raw addresses. */
  readonly balances: readonly { readonly address: Bytes; readonly coins: readonly Coin[] }[];
  /** The sum of all balances, in the order of the denoms. */
  readonly supply: readonly Coin[];
  readonly metadata: readonly Metadata[];
};

export function readBank(json: GenesisValue, prefix: string): BankGenesis {
  const fields = json.members("params", "balances", "supply", "denom_metadata", "send_enabled");
  const params = readParams(fields.params);
  const sendEnabled = readSendEnabled(fields.send_enabled);
  const balances = readBalances(fields.balances, prefix);
  const supply = sumOf(fields.balances, balances);
  checkSupply(fields.supply, supply);
  return { params, sendEnabled, balances, supply, metadata: readTokens(fields.denom_metadata) };
}

export async function writeBank(branch: Branch, bank: BankGenesis): Promise<void> {
  putBankParams(branch, bank.params);
  for (const { denom, enabled } of bank.sendEnabled) putSendEnabled(branch, denom, enabled);
  for (const { address, coins } of bank.balances) {
    for (const { denom, amount } of coins) await putBalance(branch, address, denom, amount);
  }
  for (const { denom, amount } of bank.supply) putSupply(branch, denom, amount);
  for (const metadata of bank.metadata) putMetadata(branch, metadata);
}

function readParams(json: GenesisValue): Params {
  const { send_enabled, default_send_enabled } = json.members("send_enabled", "default_send_enabled");
  if (send_enabled.list().length > 0) {
    throw send_enabled.error("use of send_enabled in params is no longer supported");
  }
  return create(ParamsSchema, { defaultSendEnabled: default_send_enabled.boolean() });
}

function readSendEnabled(json: GenesisValue): { denom: string; enabled: boolean }[] {
  const seen = new Set<string>();
  return json.list().map((item) => {
    const fields = item.members("denom", "enabled");
    const denom = fields.denom.string();
    if (!isDenom(denom)) throw item.error(`invalid denom: ${denom}`);
    if (seen.has(denom)) throw item.error(`duplicate send enabled found: '${denom}'`);
    seen.add(denom);
    return { denom, enabled: fields.enabled.boolean() };
  });
}

function readBalances(json: GenesisValue, prefix: string): { address: Bytes; coins: Coin[] }[] {
  const seen = new Set<string>();
  const balances = json.list().map((item) => {
    const fields = item.members("address", "coins");
    const { text, bytes: address } = readAddress(fields.address, prefix);
    if (seen.has(toHex(address))) throw item.error(`duplicate balance for address ${text}`);
    seen.add(toHex(address));
    return { address, coins: readCoins(fields.coins, text) };
  });
  return balances.sort((a, b) => compareBytes(a.address, b.address));
}

function sumOf(json: GenesisValue, balances: BankGenesis["balances"]): Coin[] {
  const sums = new Map<string, bigint>();
  for (const { coins } of balances) {
    for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  }
  for (const [denom, amount] of sums) {
    if (amount > MAX_AMOUNT) throw json.error(`the balances of ${denom} add up to more than 256 bits`);
  }
  return [...sums].map(([denom, amount]) => ({ denom, amount })).sort((a, b) => (a.denom < b.denom ? -1 : 1));
}

/** An empty supply is filled in; any other must be the sum of the balances. */
function checkSupply(json: GenesisValue, expected: readonly Coin[]): void {
  const given = new Map(readCoins(json).map(({ denom, amount }) => [denom, amount]));
  if (given.size === 0) return;
  const sums = new Map(expected.map(({ denom, amount }) => [denom, amount]));
  for (const denom of [...sums.keys(), ...given.keys()]) {
    const [sum, stated] = [sums.get(denom) ?? 0n, given.get(denom) ?? 0n];
    if (sum !== stated) throw json.error(`genesis supply of ${denom} is incorrect, expected ${sum}, got ${stated}`);
  }
}

function readTokens(json: GenesisValue): Metadata[] {
  const seen = new Set<string>();
  return json.list().map((item) => {
    const metadata = readMetadata(item);
    if (seen.has(metadata.base)) throw item.error(`duplicate client metadata for denom ${metadata.base}`);
    seen.add(metadata.base);
    return metadata;
  });
}
