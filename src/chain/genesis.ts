// A genesis file in the ecosystem's own form: read and checked as a whole, then written as the chain's first state.
//
// Of `app_state`, the sections auth, bank and identity are taken in. Those of modules that this node does not run are
// ignored: authz, capability, consensus, crisis, distribution, evidence, feegrant, genutil, gov, group, mint, nft,
// params, slashing, staking, upgrade, vesting, and any other. So are the validators: whose blocks they are is the
// source's business.

import { AddressError, decodeBech32 } from "../codec/address.ts";
import type { ConsensusParams } from "../codec/consensus-params.ts";
import type { Time } from "../codec/time.ts";
import { createBranch } from "../store/branch.ts";
import type { Change, Reader } from "../store/store.ts";
import { type AuthGenesis, readAuth, writeAuth } from "./genesis-auth.ts";
import { type BankGenesis, readBank, writeBank } from "./genesis-bank.ts";
import { readConsensusParams } from "./genesis-consensus.ts";
import { type IdentityGenesis, parseIdentityGenesis, writeIdentityGenesis } from "./genesis-identity.ts";
import { GenesisValue } from "./genesis-json.ts";

export type Genesis = {
  readonly chainId: string;
  readonly time: Time;
  readonly initialHeight: bigint;
  readonly params: ConsensusParams;
  readonly bech32Prefix: string;
  readonly auth: AuthGenesis;
  readonly bank: BankGenesis;
  /** Null for a genesis without this section. */
  readonly identity: IdentityGenesis | null;
};

export type GenesisOptions = {
  /** Of all addresses; if it is not given, the first address decides, and all others must agree with it. */
  readonly bech32Prefix?: string;
};

const DEFAULT_PREFIX = "cosmos";
const MAX_CHAIN_ID = 50;

/**
 * Throws GenesisError with a sentence that names the entry at fault. Writes nothing. A file is read more than once on its
 * way to a chain, and a large one takes seconds: what was read from an object is remembered for as long as it lives.
 */
export function parseGenesis(json: unknown, options: GenesisOptions = {}): Genesis {
  const isKnown = typeof json === "object" && json !== null && options.bech32Prefix === undefined;
  const known = isKnown ? parsed.get(json) : undefined;
  const genesis = known ?? readGenesis(json, options);
  if (isKnown) parsed.set(json, genesis);
  return genesis;
}

const parsed = new WeakMap<object, Genesis>();

function readGenesis(json: unknown, options: GenesisOptions): Genesis {
  const root = new GenesisValue(json ?? null);
  const chainId = readChainId(root.get("chain_id"));
  const time = readTime(root.get("genesis_time"));
  const initialHeight = readInitialHeight(root.get("initial_height"));
  const params = readConsensusParams(root.get("consensus_params"));

  const state = root.get("app_state");
  const bech32Prefix = options.bech32Prefix ?? prefixOf(state);
  const auth = readAuth(state.get("auth"), bech32Prefix);
  const bank = readBank(state.get("bank"), bech32Prefix);
  const identity = parseIdentityGenesis(state.get("identity").value, { chainId, bech32Prefix });
  return { chainId, time, initialHeight, params, bech32Prefix, auth, bank, identity };
}

/** The first state, in the order in which the reference's modules write it. */
export async function genesisChanges(genesis: Genesis): Promise<Change[]> {
  const branch = createBranch(NOTHING);
  await writeAuth(branch, genesis.auth, genesis.bech32Prefix);
  await writeBank(branch, genesis.bank);
  if (genesis.identity !== null) writeIdentityGenesis(branch, genesis.identity, genesis.time);
  return branch.changes();
}

function readChainId(json: GenesisValue): string {
  const chainId = json.string();
  if (chainId.trim() === "") throw json.error("missing");
  if (chainId.length > MAX_CHAIN_ID) throw json.error(`longer than ${MAX_CHAIN_ID} characters`);
  return chainId;
}

/** CometBFT fills in the present for a missing time. A file must give the same chain every time, so it is refused. */
function readTime(json: GenesisValue): Time {
  if (json.isNull) throw json.error("missing");
  return json.time();
}

/** Not given, or 0, means 1, as in CometBFT. */
function readInitialHeight(json: GenesisValue): bigint {
  const height = json.int64();
  if (height < 0n) throw json.error(`${height} is negative`);
  return height === 0n ? 1n : height;
}

function prefixOf(state: GenesisValue): string {
  const first = firstAddress(state);
  if (first === null) return DEFAULT_PREFIX;
  try {
    return decodeBech32(first.string()).prefix;
  } catch (error) {
    if (error instanceof AddressError) throw first.error(`invalid address: ${error.message}`, first.string());
    throw error;
  }
}

function firstAddress(state: GenesisValue): GenesisValue | null {
  const [account] = state.get("auth").get("accounts").list();
  if (account !== undefined) {
    const vesting = account.get("base_vesting_account");
    const holder = vesting.isNull ? account : vesting;
    const base = holder.get("base_account");
    return (base.isNull ? holder : base).get("address");
  }
  const [balance] = state.get("bank").get("balances").list();
  return balance?.get("address") ?? null;
}

const NOTHING: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};
