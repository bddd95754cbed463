// The accounts of modules: where they lie, which of them take no coins, and how they come to be.

import { create } from "@bufbuild/protobuf";
import { encodeAddress } from "../codec/address.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import { moduleAddress } from "../codec/key-address.ts";
import { ModuleAccountSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { getAccount, nextAccountNumber, putAccount } from "../state/account.ts";
import type { Branch } from "../store/branch.ts";

export const FEE_COLLECTOR = "fee_collector";
export const DISTRIBUTION = "distribution";

/** Nobody may send coins to these; `gov` is not among them, as in the reference. */
const BLOCKED: ReadonlySet<string> = new Set(
  [FEE_COLLECTOR, DISTRIBUTION, "mint", "bonded_tokens_pool", "not_bonded_tokens_pool", "nft"].map((name) =>
    toHex(moduleAddress(name)),
  ),
);

export function isBlocked(address: Bytes): boolean {
  return BLOCKED.has(toHex(address));
}

/** The address of a module without permissions; its account is made at the first use, under the next number. */
export async function ensureModuleAccount(state: Branch, name: string, bech32Prefix: string): Promise<Bytes> {
  const address = moduleAddress(name);
  if ((await getAccount(state, address)) === null) {
    const accountNumber = await nextAccountNumber(state);
    const baseAccount = { address: encodeAddress(bech32Prefix, address), accountNumber };
    putAccount(state, address, create(ModuleAccountSchema, { name, baseAccount }));
  }
  return address;
}
