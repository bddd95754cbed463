// The genesis of the development chain, in the ecosystem's own form, so that it goes through the same import as any
// other. The same options give the same bytes.

import type { JsonObject } from "@bufbuild/protobuf";
import { create, toBinary } from "@bufbuild/protobuf";
import { encodeAddress } from "../codec/address.ts";
import { toBase64 } from "../codec/bytes.ts";
import { normalizeCoins } from "../codec/coin.ts";
import { accountAddressOf, moduleAddress } from "../codec/key-address.ts";
import { parseTime } from "../codec/time.ts";
import { LegacyAminoPubKeySchema } from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { type DevAccount, devAccounts, devVestingAccounts } from "./dev-accounts.ts";
import { devIdentity } from "./dev-documents.ts";
import { devSendEnabled, devTokens, IBC_ATOM } from "./dev-tokens.ts";

export type DevGenesisOptions = {
  readonly chainId: string;
  readonly bech32Prefix: string;
  /** RFC 3339; vesting begins and ends relative to it. */
  readonly genesisTime: string;
};

export const DEV_GENESIS_DEFAULTS: DevGenesisOptions = {
  chainId: "orrery-1",
  bech32Prefix: "cosmos",
  genesisTime: "2026-01-01T00:00:00Z",
};

const DAY = 86_400n;
const MULTISIG_MEMBERS = ["alice", "bob", "carol"];
const MULTISIG_THRESHOLD = 2;
/** A module account that can mint: where a faucet of the development chain would draw from. */
const MODULE_NAME = "faucet";

export function devGenesis(options: Partial<DevGenesisOptions> = {}): JsonObject {
  const { chainId, bech32Prefix, genesisTime } = { ...DEV_GENESIS_DEFAULTS, ...options };
  const people = devAccounts(bech32Prefix);
  const vesting = devVestingAccounts(bech32Prefix);
  const accounts = new Map(people.map((account) => [account.name, account]));
  const members = MULTISIG_MEMBERS.map((name) => accounts.get(name)!);
  const multisig = encodeAddress(bech32Prefix, multisigAddress(members));
  const faucet = encodeAddress(bech32Prefix, moduleAddress(MODULE_NAME));
  const goldDenom = `factory/${accounts.get("alice")!.address}/gold`;
  const balances = devBalances(people, vesting, multisig, faucet, goldDenom);

  return {
    genesis_time: genesisTime,
    chain_id: chainId,
    initial_height: "1",
    consensus_params: {
      block: { max_bytes: "22020096", max_gas: "30000000" },
      evidence: { max_age_num_blocks: "100000", max_age_duration: "172800000000000", max_bytes: "1048576" },
      validator: { pub_key_types: ["ed25519"] },
      version: { app: "0" },
    },
    app_hash: "",
    app_state: {
      auth: {
        params: {
          max_memo_characters: "256",
          tx_sig_limit: "7",
          tx_size_cost_per_byte: "10",
          sig_verify_cost_ed25519: "590",
          sig_verify_cost_secp256k1: "1000",
        },
        accounts: [
          ...people.map((account) =>
            baseAccount(account.address, members.includes(account) ? publicKey(account) : null),
          ),
          ...vestingAccounts(vesting, parseTime(genesisTime).seconds),
          baseAccount(multisig, {
            "@type": `/${LegacyAminoPubKeySchema.typeName}`,
            threshold: MULTISIG_THRESHOLD,
            public_keys: members.map(publicKey),
          }),
          {
            "@type": "/cosmos.auth.v1beta1.ModuleAccount",
            base_account: plainAccount(faucet, null),
            name: MODULE_NAME,
            permissions: ["minter", "burner"],
          },
        ],
      },
      bank: {
        params: { send_enabled: [], default_send_enabled: true },
        balances: balances.map(({ address, coins }) => ({ address, coins: coinsJson(coins) })),
        supply: coinsJson(balances.flatMap(({ coins }) => coins)),
        denom_metadata: devTokens(goldDenom),
        send_enabled: devSendEnabled(),
      },
      identity: devIdentity({ chainId, accounts, multisig }),
    },
  };
}

type Coin = { readonly denom: string; readonly amount: bigint };
type Balance = { readonly address: string; readonly coins: readonly Coin[] };

function devBalances(
  people: readonly DevAccount[],
  vesting: readonly DevAccount[],
  multisig: string,
  faucet: string,
  goldDenom: string,
): Balance[] {
  const orr = (whole: bigint): Coin => ({ denom: "uorr", amount: whole * 1_000_000n });
  const extras: { readonly [name: string]: readonly Coin[] } = {
    alice: [
      { denom: goldDenom, amount: 21_000_000n },
      { denom: IBC_ATOM, amount: 250_000_000n },
      { denom: "ucred", amount: 1_500_000_000n },
      { denom: "upoint", amount: 4_200n },
    ],
    bob: [
      { denom: IBC_ATOM, amount: 12_345_678n },
      { denom: "ucred", amount: 75_000_000n },
    ],
    carol: [{ denom: "ucred", amount: 9_000_000_000n }],
    erin: [{ denom: "upoint", amount: 17n }],
  };
  return [
    ...people.map(({ name, address }) => ({ address, coins: [orr(1_000_000n), ...(extras[name] ?? [])] })),
    ...vesting.map(({ address }) => ({ address, coins: [orr(12_500n), { denom: "ucred", amount: 5_000_000n }] })),
    { address: multisig, coins: [orr(50_000n), { denom: goldDenom, amount: 1_000n }] },
    { address: faucet, coins: [orr(10_000_000n)] },
  ];
}

/** Each vests 12,000 of its 12,500 ORR; the rest is free from the start. */
function vestingAccounts(accounts: readonly DevAccount[], genesis: bigint): JsonObject[] {
  const [continuous, delayed, periodic, locked] = accounts.map(({ address }) => address) as [
    string,
    string,
    string,
    string,
  ];
  const vests = (address: string, end: bigint) => ({
    base_account: plainAccount(address, null),
    original_vesting: [{ denom: "uorr", amount: "12000000000" }],
    delegated_free: [],
    delegated_vesting: [],
    end_time: end.toString(),
  });
  const month = 30n * DAY;
  return [
    {
      "@type": "/cosmos.vesting.v1beta1.ContinuousVestingAccount",
      // It began before the chain did, so that a part is free at the first block.
      base_vesting_account: vests(continuous, genesis + 330n * DAY),
      start_time: (genesis - month).toString(),
    },
    {
      "@type": "/cosmos.vesting.v1beta1.DelayedVestingAccount",
      base_vesting_account: vests(delayed, genesis + 365n * DAY),
    },
    {
      "@type": "/cosmos.vesting.v1beta1.PeriodicVestingAccount",
      base_vesting_account: vests(periodic, genesis + 11n * month),
      start_time: (genesis - month).toString(),
      vesting_periods: Array.from({ length: 12 }, () => ({
        length: month.toString(),
        amount: [{ denom: "uorr", amount: "1000000000" }],
      })),
    },
    { "@type": "/cosmos.vesting.v1beta1.PermanentLockedAccount", base_vesting_account: vests(locked, 0n) },
  ];
}

function baseAccount(address: string, key: JsonObject | null): JsonObject {
  return { "@type": "/cosmos.auth.v1beta1.BaseAccount", ...plainAccount(address, key) };
}

/** Account numbers are given at import, in the order of the list. */
function plainAccount(address: string, key: JsonObject | null): JsonObject {
  return { address, pub_key: key, account_number: "0", sequence: "0" };
}

function publicKey(account: DevAccount): JsonObject {
  return { "@type": `/${PubKeySchema.typeName}`, key: toBase64(account.publicKey) };
}

function multisigAddress(members: readonly DevAccount[]) {
  const publicKeys = members.map((member) => ({
    typeUrl: `/${PubKeySchema.typeName}`,
    value: toBinary(PubKeySchema, create(PubKeySchema, { key: member.publicKey })),
  }));
  const key = create(LegacyAminoPubKeySchema, { threshold: MULTISIG_THRESHOLD, publicKeys });
  return accountAddressOf({
    typeUrl: `/${LegacyAminoPubKeySchema.typeName}`,
    value: toBinary(LegacyAminoPubKeySchema, key),
  });
}

/** Sorted by denom, each denom once. */
function coinsJson(coins: readonly Coin[]): JsonObject[] {
  return normalizeCoins(coins).map(({ denom, amount }) => ({ denom, amount: amount.toString() }));
}
