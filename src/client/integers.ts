// Integers of 64 bits and more, which JSON carries as strings, as bigint: the places where answers hold them. They are
// named one by one, because a map of a document may have members of any name.

import type { OperationId } from "./operations.ts";

/** Lists are looked through: a place inside a list is one inside each of its entries. */
export type Places = true | { readonly [member: string]: Places };

const coin = { amount: true } as const;
const page = { total: true } as const;
const header = { version: { block: true, app: true }, height: true } as const;
const commit = { height: true } as const;
const vote = { height: true } as const;
const validator = { voting_power: true, proposer_priority: true } as const;
const attack = {
  conflicting_block: {
    signed_header: { header, commit },
    validator_set: { validators: validator, proposer: validator, total_voting_power: true },
  },
  common_height: true,
  byzantine_validators: validator,
  total_voting_power: true,
} as const;
const doubleVote = { vote_a: vote, vote_b: vote, total_voting_power: true, validator_power: true } as const;
const block = {
  header,
  evidence: { evidence: { duplicate_vote_evidence: doubleVote, light_client_attack_evidence: attack } },
  last_commit: commit,
} as const;
const tx = {
  body: { timeout_height: true },
  auth_info: { signer_infos: { sequence: true }, fee: { amount: coin, gas_limit: true }, tip: { amount: coin } },
} as const;
const baseAccount = { account_number: true, sequence: true } as const;
const vesting = {
  base_account: baseAccount,
  original_vesting: coin,
  delegated_free: coin,
  delegated_vesting: coin,
  end_time: true,
} as const;
/** Of all kinds at once: no two of them mean different things by one name. */
const account = {
  ...baseAccount,
  ...vesting,
  base_vesting_account: vesting,
  start_time: true,
  vesting_periods: { length: true, amount: coin },
} as const;
const blockAnswer = { block, sdk_block: block } as const;

/** An operation that is not here answers no such integers. */
export const INTEGERS: { readonly [Id in OperationId]?: Places } = {
  listDocuments: { pagination: page },
  listTokens: { pagination: page },
  listSupply: { supply: coin, pagination: page },
  listBalances: { balances: coin, pagination: page },
  listSpendableBalances: { balances: coin, pagination: page },
  listAccounts: { accounts: account, pagination: page },
  getBlock: blockAnswer,
  getLatestBlock: blockAnswer,
  getNodeInfo: { default_node_info: { protocol_version: { p2p: true, block: true, app: true } } },
  listBlockTxs: { txs: tx, block, pagination: page },
  simulateTx: { gas_info: { gas_wanted: true, gas_used: true } },
};

/** Changes the value, which must be fresh from the parser, and returns it. */
export function toBigints(value: unknown, places: Places | undefined): unknown {
  if (places === undefined) return value;
  if (Array.isArray(value)) return value.map((entry) => toBigints(entry, places));
  if (places === true) return typeof value === "string" ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name in places) if (name in members) members[name] = toBigints(members[name], places[name]);
  return value;
}
