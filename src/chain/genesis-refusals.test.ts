// What a genesis is refused for: each case breaks one thing in a valid file and names the whole sentence.

import { describe, expect, test } from "bun:test";
import {
  BASE,
  base,
  CONTINUOUS,
  coin,
  DELAYED,
  FEE_COLLECTOR,
  KEY_JSON,
  MODULE,
  PERIODIC,
  PERMANENT,
  STRANGER,
  sampleGenesis,
  token,
} from "../../test/harness/sample-genesis.ts";
import { encodeAddress } from "../codec/address.ts";
import { parseGenesis } from "./genesis.ts";
import { GenesisError } from "./genesis-error.ts";

/** What is wrong, where it is put, what is put there (undefined takes it away), and why the file is refused. */
type Case = [fault: string, place: string, value: unknown, reason: string | RegExp];

const ACCOUNTS = "app_state.auth.accounts";

const HEAD: Case[] = [
  ["no chain id", "chain_id", undefined, "chain_id: missing"],
  ["a blank chain id", "chain_id", " ", "chain_id: missing"],
  ["a long chain id", "chain_id", "c".repeat(51), "chain_id: longer than 50 characters"],
  ["a number as chain id", "chain_id", 7, "chain_id: not a string"],
  ["no time", "genesis_time", undefined, "genesis_time: missing"],
  ["a day that is not", "genesis_time", "2026-02-30T00:00:00Z", 'genesis_time: no such time: "2026-02-30T00:00:00Z"'],
  ["no time at all", "genesis_time", "now", 'genesis_time: not an RFC 3339 time in UTC: "now"'],
  ["a negative height", "initial_height", "-1", "initial_height: -1 is negative"],
  ["a height in words", "initial_height", "one", "initial_height: not an integer"],
  ["no state", "app_state", undefined, "app_state: missing"],
  ["no auth section", "app_state.auth", undefined, "app_state.auth: missing"],
  ["no bank section", "app_state.bank", undefined, "app_state.bank: missing"],
  [
    "blocks of no size",
    "consensus_params.block.max_bytes",
    "0",
    "consensus_params.block.max_bytes: must lie between 1 and 104857600",
  ],
  [
    "gas below no limit",
    "consensus_params.block.max_gas",
    "-2",
    "consensus_params.block.max_gas: must be -1, for no limit, or more",
  ],
  [
    "evidence of no age",
    "consensus_params.evidence.max_age_num_blocks",
    "0",
    "consensus_params.evidence.max_age_num_blocks: must be greater than 0",
  ],
  [
    "evidence larger than a block",
    "consensus_params.evidence.max_bytes",
    "1001",
    "consensus_params.evidence.max_bytes: must lie between 0 and block.max_bytes, which is 1000",
  ],
  [
    "an unknown kind of validator key",
    "consensus_params.validator.pub_key_types.0",
    "rsa",
    'consensus_params.validator.pub_key_types[0]: unknown type of key "rsa"',
  ],
  [
    "no kind of validator key",
    "consensus_params.validator.pub_key_types",
    [],
    "consensus_params.validator.pub_key_types: must name at least one type of key",
  ],
];

const AUTH: Case[] = [
  [
    "a zero parameter",
    "app_state.auth.params.tx_sig_limit",
    "0",
    "app_state.auth.params.tx_sig_limit: must be greater than 0",
  ],
  [
    "a missing parameter",
    "app_state.auth.params.max_memo_characters",
    undefined,
    "app_state.auth.params.max_memo_characters: must be greater than 0",
  ],
  [
    "a parameter beyond 64 bits",
    "app_state.auth.params.tx_sig_limit",
    "18446744073709551616",
    "app_state.auth.params.tx_sig_limit: not an unsigned 64-bit integer",
  ],
  ["an unknown parameter", "app_state.auth.params.x", "1", 'app_state.auth.params: unknown field "x"'],
  [
    "an unknown kind of account",
    `${ACCOUNTS}.1.@type`,
    "/x.Account",
    `${ACCOUNTS}[1]: unknown account type "/x.Account"`,
  ],
  ["an unknown field of an account", `${ACCOUNTS}.0.nick`, "a", `${ACCOUNTS}[0]: unknown field "nick"`],
  [
    "the same account twice",
    ACCOUNTS,
    plus(base(BASE)),
    `${ACCOUNTS}[6]: duplicate account found in genesis state; address: ${BASE}`,
  ],
  [
    "the same account twice, once in upper case",
    ACCOUNTS,
    plus(base(DELAYED.toUpperCase())),
    `${ACCOUNTS}[6]: duplicate account found in genesis state; address: ${DELAYED.toUpperCase()}`,
  ],
  [
    "a bad checksum",
    `${ACCOUNTS}.2.base_vesting_account.base_account.address`,
    `${DELAYED.slice(0, -1)}q`,
    /^app_state\.auth\.accounts\[2\]\.base_vesting_account\.base_account\.address \(cosmos1\w+\): invalid address: decoding bech32 failed: invalid checksum \(expected \w{6} got \w{6}\)$/,
  ],
  [
    "a bad first address",
    `${ACCOUNTS}.0.address`,
    "cosmos",
    `${ACCOUNTS}[0].address (cosmos): invalid address: decoding bech32 failed: invalid bech32 string length 6`,
  ],
  [
    "an empty address",
    `${ACCOUNTS}.2.base_vesting_account.base_account.address`,
    "",
    `${ACCOUNTS}[2].base_vesting_account.base_account.address: invalid address: empty address string is not allowed`,
  ],
  [
    "addresses of two prefixes",
    ACCOUNTS,
    plus(base(encodeAddress("orr", new Uint8Array(20)))),
    `${ACCOUNTS}[6].address (${encodeAddress("orr", new Uint8Array(20))}): invalid address: invalid Bech32 prefix; expected cosmos, got orr`,
  ],
  [
    "somebody else's key",
    `${ACCOUNTS}.0.address`,
    STRANGER,
    `${ACCOUNTS}[0] (${STRANGER}): account address and pubkey address do not match`,
  ],
  ["a short key", `${ACCOUNTS}.0.pub_key.key`, "AgI=", `${ACCOUNTS}[0].pub_key: a public key of 2 bytes, expected 33`],
  ["a key that is no base64", `${ACCOUNTS}.0.pub_key.key`, "?", `${ACCOUNTS}[0].pub_key.key: not base64`],
  [
    "an unknown kind of key",
    `${ACCOUNTS}.0.pub_key.@type`,
    "/x.Key",
    `${ACCOUNTS}[0].pub_key: unknown public key type "/x.Key"`,
  ],
  [
    "a multisig that nobody can reach",
    `${ACCOUNTS}.0.pub_key`,
    multisig(2, [KEY_JSON]),
    `${ACCOUNTS}[0].pub_key: threshold 2 of a multisig key with 1 keys`,
  ],
  [
    "a negative account number",
    `${ACCOUNTS}.0.account_number`,
    "-1",
    `${ACCOUNTS}[0].account_number: not an unsigned 64-bit integer`,
  ],
  [
    "an account number without a next one",
    `${ACCOUNTS}.0.account_number`,
    "18446744073709551615",
    `${ACCOUNTS}[0] (${BASE}): account number is too large`,
  ],
  [
    "a module without a name",
    `${ACCOUNTS}.5.name`,
    " ",
    `${ACCOUNTS}[5] (${MODULE}): module account name cannot be blank`,
  ],
  [
    "another module's address",
    `${ACCOUNTS}.5.name`,
    "mint",
    `${ACCOUNTS}[5] (${MODULE}): address ${MODULE} cannot be derived from the module name 'mint'`,
  ],
  ["an empty permission", `${ACCOUNTS}.5.permissions.0`, "", `${ACCOUNTS}[5] (${MODULE}): module permission is empty`],
  [
    "a plain account in the fee collector's place",
    ACCOUNTS,
    plus(base(FEE_COLLECTOR)),
    `${ACCOUNTS}[6]: account ${FEE_COLLECTOR} is the module account fee_collector, but has another type`,
  ],
  [
    "vesting that ends before it starts",
    `${ACCOUNTS}.1.start_time`,
    "200",
    `${ACCOUNTS}[1] (${CONTINUOUS}): vesting start-time 200 is not before end-time 200`,
  ],
  [
    "more delegated than there was",
    `${ACCOUNTS}.2.base_vesting_account.delegated_vesting`,
    [coin("uorr", "101")],
    `${ACCOUNTS}[2].base_vesting_account (${DELAYED}): delegated vesting amount cannot be greater than the original vesting amount`,
  ],
  [
    "vesting of a zero coin",
    `${ACCOUNTS}.2.base_vesting_account.original_vesting.0.amount`,
    "0",
    `${ACCOUNTS}[2].base_vesting_account.original_vesting[0] (${DELAYED}): coin 0uorr amount is not positive`,
  ],
  [
    "periods that end elsewhere",
    `${ACCOUNTS}.3.vesting_periods.0.length`,
    "41",
    `${ACCOUNTS}[3] (${PERIODIC}): vesting end time does not match length of all vesting periods`,
  ],
  [
    "periods that add up to something else",
    `${ACCOUNTS}.3.vesting_periods.0.amount.0.amount`,
    "31",
    `${ACCOUNTS}[3] (${PERIODIC}): original vesting coins does not match the sum of all coins in vesting periods`,
  ],
  [
    "a negative period",
    `${ACCOUNTS}.3.vesting_periods.0.length`,
    "-1",
    `${ACCOUNTS}[3].vesting_periods[0].length: negative time -1`,
  ],
  [
    "a permanent lock that ends",
    `${ACCOUNTS}.4.base_vesting_account.end_time`,
    "1",
    `${ACCOUNTS}[4] (${PERMANENT}): permanently vested accounts cannot have an end-time`,
  ],
];

const BALANCES = "app_state.bank.balances";
const TOKEN = "app_state.bank.denom_metadata.0";
const AT_TOKEN = "app_state.bank.denom_metadata[0]";

const BANK: Case[] = [
  [
    "send-enabled entries in the parameters",
    "app_state.bank.params.send_enabled",
    [{ denom: "uorr" }],
    "app_state.bank.params.send_enabled: use of send_enabled in params is no longer supported",
  ],
  [
    "a send-enabled denom twice",
    "app_state.bank.send_enabled",
    plus({ denom: "ucred", enabled: true }),
    "app_state.bank.send_enabled[1]: duplicate send enabled found: 'ucred'",
  ],
  [
    "a bad send-enabled denom",
    "app_state.bank.send_enabled.0.denom",
    "1x",
    "app_state.bank.send_enabled[0]: invalid denom: 1x",
  ],
  [
    "balances of one address twice",
    BALANCES,
    plus({ address: BASE, coins: [] }),
    `${BALANCES}[2]: duplicate balance for address ${BASE}`,
  ],
  [
    "a bad address",
    `${BALANCES}.1.address`,
    "cosmos1qqqqqq",
    /^app_state\.bank\.balances\[1\]\.address \(cosmos1qqqqqq\): invalid address: decoding bech32 failed: invalid checksum/,
  ],
  [
    "unsorted coins",
    `${BALANCES}.0.coins`,
    reversed,
    `${BALANCES}[0].coins[1] (${BASE}): denomination ucred is not sorted`,
  ],
  [
    "a denom twice",
    `${BALANCES}.0.coins.1.denom`,
    "ucred",
    `${BALANCES}[0].coins[1] (${BASE}): duplicate denomination ucred`,
  ],
  [
    "a zero coin",
    `${BALANCES}.0.coins.1.amount`,
    "0",
    `${BALANCES}[0].coins[1] (${BASE}): coin 0uorr amount is not positive`,
  ],
  [
    "a negative coin",
    `${BALANCES}.0.coins.1.amount`,
    "-5",
    `${BALANCES}[0].coins[1] (${BASE}): coin -5uorr amount is not positive`,
  ],
  ["a bad denom", `${BALANCES}.0.coins.1.denom`, "u!", `${BALANCES}[0].coins[1] (${BASE}): invalid denom: u!`],
  [
    "a fraction",
    `${BALANCES}.0.coins.1.amount`,
    "1.5",
    `${BALANCES}[0].coins[1] (${BASE}): amount "1.5" of uorr is not an integer`,
  ],
  ["a number for an amount", `${BALANCES}.0.coins.1.amount`, 5, `${BALANCES}[0].coins[1].amount: not a string`],
  [
    "an amount beyond 256 bits",
    `${BALANCES}.0.coins.1.amount`,
    (1n << 256n).toString(),
    `${BALANCES}[0].coins[1] (${BASE}): amount of uorr is out of range`,
  ],
  [
    "amounts that add up beyond 256 bits",
    `${BALANCES}.0.coins.1.amount`,
    ((1n << 256n) - 1n).toString(),
    `${BALANCES}: the balances of uorr add up to more than 256 bits`,
  ],
  [
    "too large a supply",
    "app_state.bank.supply.1.amount",
    "131",
    "app_state.bank.supply: genesis supply of uorr is incorrect, expected 130, got 131",
  ],
  [
    "a supply that lacks a denom",
    "app_state.bank.supply",
    [coin("uorr", "130")],
    "app_state.bank.supply: genesis supply of ucred is incorrect, expected 7, got 0",
  ],
  [
    "a supply of what nobody has",
    "app_state.bank.supply",
    plus(coin("uzzz", "1")),
    "app_state.bank.supply: genesis supply of uzzz is incorrect, expected 0, got 1",
  ],
  ["a token without a name", `${TOKEN}.name`, " ", `${AT_TOKEN} (uorr): name field cannot be blank`],
  ["a token without a symbol", `${TOKEN}.symbol`, undefined, `${AT_TOKEN} (uorr): symbol field cannot be blank`],
  ["a bad base", `${TOKEN}.base`, "u", `${AT_TOKEN} (u): invalid metadata base denom: invalid denom: u`],
  ["a bad display", `${TOKEN}.display`, "o", `${AT_TOKEN} (uorr): invalid metadata display denom: invalid denom: o`],
  [
    "another first unit",
    `${TOKEN}.denom_units`,
    reversed,
    `${AT_TOKEN} (uorr): metadata's first denomination unit must be the one with base denom 'uorr'`,
  ],
  [
    "a base with an exponent",
    `${TOKEN}.denom_units.0.exponent`,
    1,
    `${AT_TOKEN} (uorr): the exponent for base denomination unit uorr must be 0`,
  ],
  [
    "units that do not ascend",
    `${TOKEN}.denom_units`,
    plus({ denom: "morr", exponent: 6, aliases: [] }),
    `${AT_TOKEN} (uorr): denom units should be sorted asc by exponent`,
  ],
  [
    "a unit twice",
    `${TOKEN}.denom_units`,
    plus({ denom: "orr", exponent: 7, aliases: [] }),
    `${AT_TOKEN} (uorr): duplicate denomination unit orr`,
  ],
  [
    "a bad unit",
    `${TOKEN}.denom_units`,
    plus({ denom: "o", exponent: 7, aliases: [] }),
    `${AT_TOKEN} (uorr): invalid denom unit: invalid denom: o`,
  ],
  [
    "an alias twice",
    `${TOKEN}.denom_units.0.aliases`,
    ["a", "a"],
    `${AT_TOKEN} (uorr): duplicate denomination unit alias a`,
  ],
  [
    "a blank alias",
    `${TOKEN}.denom_units.0.aliases`,
    [""],
    `${AT_TOKEN} (uorr): alias for denom unit uorr cannot be blank`,
  ],
  [
    "a display that is no unit",
    `${TOKEN}.display`,
    "korr",
    `${AT_TOKEN} (uorr): metadata must contain a denomination unit with display denom 'korr'`,
  ],
  [
    "a token twice",
    "app_state.bank.denom_metadata",
    plus(token()),
    "app_state.bank.denom_metadata[1]: duplicate client metadata for denom uorr",
  ],
  ["an unknown field of a token", `${TOKEN}.logo`, "x", `${AT_TOKEN}: unknown field "logo"`],
  ["coins that are no list", `${BALANCES}.0.coins`, {}, `${BALANCES}[0].coins: not a list`],
];

describe.each([
  ["the head", HEAD],
  ["auth", AUTH],
  ["bank", BANK],
])("%s", (_, cases) => {
  test.each(cases)("%s", (_fault, place, value, reason) => {
    const file = sampleGenesis();
    change(file, place.split("."), value);
    const parse = () => parseGenesis(file);
    expect(parse).toThrow(GenesisError);
    expect(refusalOf(parse)).toMatch(reason instanceof RegExp ? reason : exactly(reason));
  });
});

test("a file without any fault, and one without anything that may be left out", () => {
  expect(parseGenesis(sampleGenesis()).auth.accounts).toHaveLength(6);
  const bare = sampleGenesis();
  for (const place of ["initial_height", "consensus_params", "app_state.bank.supply"]) {
    change(bare, place.split("."), undefined);
  }
  expect(parseGenesis(bare)).toMatchObject({ initialHeight: 1n, bank: { supply: [{ amount: 7n }, { amount: 130n }] } });
});

test("what is not even an object", () => {
  for (const json of [null, undefined, 7, "genesis", []]) expect(() => parseGenesis(json)).toThrow(GenesisError);
});

function multisig(threshold: number, keys: object[]) {
  return { "@type": "/cosmos.crypto.multisig.LegacyAminoPubKey", threshold, public_keys: keys };
}

/** A value that is made from the one in its place. */
type Change = (old: unknown[]) => unknown[];

function plus(item: unknown): Change {
  return (old) => [...old, item];
}

function reversed(old: unknown[]): unknown[] {
  return old.toReversed();
}

function change(file: object, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path as [string, ...string[]];
  const holder = file as Record<string, unknown>;
  if (rest.length > 0) change(holder[name] as object, rest, value);
  else if (value === undefined) delete holder[name];
  else holder[name] = typeof value === "function" ? (value as Change)(holder[name] as unknown[]) : value;
}

function refusalOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
}
