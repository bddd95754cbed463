// A small genesis with every kind of account, for tests that break it.

import { encodeAddress } from "../../src/codec/address.ts";
import { toBase64 } from "../../src/codec/bytes.ts";
import { accountAddressOf, moduleAddress } from "../../src/codec/key-address.ts";

const KEY = new Uint8Array(33).fill(2);
export const KEY_JSON = { "@type": "/cosmos.crypto.secp256k1.PubKey", key: toBase64(KEY) };

/** The account of KEY_JSON. */
export const BASE = encodeAddress(
  "cosmos",
  accountAddressOf({ typeUrl: KEY_JSON["@type"], value: Uint8Array.of(0x0a, 33, ...KEY) }),
);
export const CONTINUOUS = encodeAddress("cosmos", new Uint8Array(20).fill(1));
export const DELAYED = encodeAddress("cosmos", new Uint8Array(20).fill(2));
export const PERIODIC = encodeAddress("cosmos", new Uint8Array(20).fill(3));
export const PERMANENT = encodeAddress("cosmos", new Uint8Array(20).fill(4));
export const MODULE = encodeAddress("cosmos", moduleAddress("faucet"));
/** Not in the file. */
export const STRANGER = encodeAddress("cosmos", new Uint8Array(20).fill(5));
export const FEE_COLLECTOR = encodeAddress("cosmos", moduleAddress("fee_collector"));

export function sampleGenesis() {
  return {
    chain_id: "orrery-1",
    genesis_time: "2026-01-01T00:00:00Z",
    initial_height: "1",
    consensus_params: {
      block: { max_bytes: "1000", max_gas: "-1" },
      evidence: { max_age_num_blocks: "10", max_age_duration: "10", max_bytes: "1000" },
      validator: { pub_key_types: ["ed25519"] },
      version: { app: "0" },
    },
    app_state: { auth: auth(), bank: bank(), staking: { whatever: "is not read" } },
  };
}

function auth() {
  const kind = "/cosmos.vesting.v1beta1";
  const vesting_periods = [
    { length: "40", amount: [coin("uorr", "30")] },
    { length: "60", amount: [coin("uorr", "70")] },
  ];
  return {
    params: {
      max_memo_characters: "256",
      tx_sig_limit: "7",
      tx_size_cost_per_byte: "10",
      sig_verify_cost_ed25519: "590",
      sig_verify_cost_secp256k1: "1000",
    },
    accounts: [
      { ...base(BASE), pub_key: { ...KEY_JSON } },
      { "@type": `${kind}.ContinuousVestingAccount`, ...vesting(CONTINUOUS, "200"), start_time: "100" },
      { "@type": `${kind}.DelayedVestingAccount`, ...vesting(DELAYED, "200") },
      { "@type": `${kind}.PeriodicVestingAccount`, ...vesting(PERIODIC, "200"), start_time: "100", vesting_periods },
      { "@type": `${kind}.PermanentLockedAccount`, ...vesting(PERMANENT, "0") },
      {
        "@type": "/cosmos.auth.v1beta1.ModuleAccount",
        base_account: { address: MODULE, pub_key: null, account_number: "0", sequence: "0" },
        name: "faucet",
        permissions: ["minter"],
      },
    ],
  };
}

function bank() {
  return {
    params: { send_enabled: [], default_send_enabled: true },
    balances: [
      { address: BASE, coins: [coin("ucred", "7"), coin("uorr", "30")] },
      { address: DELAYED, coins: [coin("uorr", "100")] },
    ],
    supply: [coin("ucred", "7"), coin("uorr", "130")],
    denom_metadata: [token()],
    send_enabled: [{ denom: "ucred", enabled: false }],
  };
}

export function base(address: string) {
  return { "@type": "/cosmos.auth.v1beta1.BaseAccount", address, pub_key: null, account_number: "0", sequence: "0" };
}

export function coin(denom: string, amount: string) {
  return { denom, amount };
}

export function token() {
  return {
    description: "",
    denom_units: [
      { denom: "uorr", exponent: 0, aliases: ["microorr"] },
      { denom: "orr", exponent: 6, aliases: [] },
    ],
    base: "uorr",
    display: "orr",
    name: "Orr",
    symbol: "ORR",
    uri: "",
    uri_hash: "",
  };
}

function vesting(address: string, end_time: string) {
  return {
    base_vesting_account: {
      base_account: { address, pub_key: null, account_number: "0", sequence: "0" },
      original_vesting: [coin("uorr", "100")],
      delegated_free: [],
      delegated_vesting: [],
      end_time,
    },
  };
}
