// The auth section of a genesis: parameters and accounts, and the numbers that the accounts get.

import { create } from "@bufbuild/protobuf";
import { encodeAddress } from "../codec/address.ts";
import { toHex } from "../codec/bytes.ts";
import { moduleAddress } from "../codec/key-address.ts";
import { ModuleAccountSchema, type Params, ParamsSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { baseOf, nextAccountNumber, putAccount, putAuthParams, putNextAccountNumber } from "../state/account.ts";
import type { Branch } from "../store/branch.ts";
import { type GenesisAccount, readAccount } from "./genesis-account.ts";
import type { GenesisValue } from "./genesis-json.ts";

export type AuthGenesis = {
  readonly params: Params;
  /** In the order of their numbers, which are unique. */
  readonly accounts: readonly GenesisAccount[];
};

const FEE_COLLECTOR = "fee_collector";
const LAST_NUMBER = (1n << 64n) - 1n;

export function readAuth(json: GenesisValue, prefix: string): AuthGenesis {
  const fields = json.members("params", "accounts");
  const params = readParams(fields.params);
  const seen = new Set<string>();
  const accounts = fields.accounts.list().map((item) => {
    const account = readAccount(item, prefix);
    const id = toHex(account.address);
    if (seen.has(id)) throw item.error(`duplicate account found in genesis state; address: ${account.text}`);
    seen.add(id);
    checkFeeCollector(item, account);
    if (baseOf(account.account).accountNumber >= LAST_NUMBER)
      throw item.error("account number is too large", account.text);
    return account;
  });
  return { params, accounts: numberAccounts(accounts) };
}

/**
 * Parameters, accounts, the next number, and the account that collects fees, which takes it. The reference's other
 * modules then make theirs: distribution, bonded_tokens_pool, not_bonded_tokens_pool, gov and mint. This node does not
 * run those modules, so it makes no account for them; those that the genesis lists are imported like any other.
 */
export async function writeAuth(branch: Branch, { params, accounts }: AuthGenesis, prefix: string): Promise<void> {
  putAuthParams(branch, params);
  for (const { address, account } of accounts) putAccount(branch, address, account);
  const last = accounts.at(-1);
  if (last !== undefined) putNextAccountNumber(branch, baseOf(last.account).accountNumber + 1n);

  const collector = moduleAddress(FEE_COLLECTOR);
  if (accounts.some(({ account }) => isFeeCollector(account))) return;
  const baseAccount = { address: encodeAddress(prefix, collector), accountNumber: await nextAccountNumber(branch) };
  putAccount(branch, collector, create(ModuleAccountSchema, { name: FEE_COLLECTOR, baseAccount }));
}

/**
 * The first holder of a number keeps it. The others, by number and then in their order, get the lowest numbers that
 * nobody has. Usual files say 0 for all, so that the numbers follow the order of the list.
 */
function numberAccounts(accounts: readonly GenesisAccount[]): GenesisAccount[] {
  const taken = new Set<bigint>();
  const late: GenesisAccount[] = [];
  for (const entry of accounts) {
    const { accountNumber } = baseOf(entry.account);
    if (taken.has(accountNumber)) late.push(entry);
    else taken.add(accountNumber);
  }
  let free = 0n;
  for (const { account } of late.sort(byNumber)) {
    while (taken.has(free)) free += 1n;
    taken.add(free);
    baseOf(account).accountNumber = free;
  }
  return [...accounts].sort(byNumber);
}

function byNumber(a: GenesisAccount, b: GenesisAccount): number {
  const difference = baseOf(a.account).accountNumber - baseOf(b.account).accountNumber;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** At the address of the fee collector nothing else may stand: the reference would stop at its first use. */
function checkFeeCollector(json: GenesisValue, { address, text, account }: GenesisAccount): void {
  if (toHex(address) === toHex(moduleAddress(FEE_COLLECTOR)) && !isFeeCollector(account)) {
    throw json.error(`account ${text} is the module account ${FEE_COLLECTOR}, but has another type`);
  }
}

function isFeeCollector(account: GenesisAccount["account"]): boolean {
  return account.$typeName === ModuleAccountSchema.typeName && account.name === FEE_COLLECTOR;
}

function readParams(json: GenesisValue): Params {
  const fields = json.members(
    "max_memo_characters",
    "tx_sig_limit",
    "tx_size_cost_per_byte",
    "sig_verify_cost_ed25519",
    "sig_verify_cost_secp256k1",
  );
  const positive = (field: GenesisValue) => {
    const number = field.uint64();
    if (number === 0n) throw field.error("must be greater than 0");
    return number;
  };
  return create(ParamsSchema, {
    maxMemoCharacters: positive(fields.max_memo_characters),
    txSigLimit: positive(fields.tx_sig_limit),
    txSizeCostPerByte: positive(fields.tx_size_cost_per_byte),
    sigVerifyCostEd25519: positive(fields.sig_verify_cost_ed25519),
    sigVerifyCostSecp256k1: positive(fields.sig_verify_cost_secp256k1),
  });
}
