// The flags of the commands that run a node. All but a few may also stand in a config file, by the same names.

import type { GasPrice } from "../codec/gas-price.ts";
import type { HostPort } from "../node.ts";
import { api, chainId, home, keep, logLevel, reset, rpc, validators } from "./command.ts";
import type { Flag } from "./flags.ts";
import { OPERATOR_FLAGS } from "./operator-flags.ts";
import {
  LOG_FORMATS,
  type LogFormat,
  parseDuration,
  parseMinGasPrices,
  parseOneOf,
  parsePath,
  parseSwitch,
} from "./values.ts";

const config: Flag<string, null> = {
  placeholder: "FILE",
  about: "settings in TOML by the names of these flags (default config.toml in the home, if there is one)",
  fallback: null,
  parse: parsePath,
};

const logFormat: Flag<LogFormat> = {
  placeholder: "FORMAT",
  about: "text, or json with one object in each line",
  fallback: "text",
  parse: parseOneOf(LOG_FORMATS),
};

const genesis: Flag<string, null> = {
  placeholder: "FILE",
  about: "the genesis.json of a new chain (default: one with sample accounts, tokens and identities)",
  fallback: null,
  parse: parsePath,
};

const blockTime: Flag<number> = {
  placeholder: "TIME",
  about: "from block to block: 500ms, 5s, 1m; a plain number means seconds",
  fallback: "5s",
  parse: parseDuration,
};

const emptyBlocks: Flag<boolean> = {
  placeholder: null,
  about: "whether a block is made when no transaction waits; also --no-empty-blocks",
  fallback: "true",
  parse: parseSwitch,
};

const manual: Flag<boolean> = {
  placeholder: null,
  about: "no block but the first by itself; the RPC method dev_produce_block makes one",
  fallback: "false",
  parse: parseSwitch,
};

const minGasPrices: Flag<readonly GasPrice[], null> = {
  placeholder: "PRICES",
  about: "what a transaction must offer for a unit of its gas, in one of these: 0.025uorr,1ucred (default nothing)",
  fallback: null,
  parse: parseMinGasPrices,
};

const DOORS = { home, config, api, rpc };
const LOGS = { logLevel, logFormat };

export const SERVE_FLAGS = { ...DOORS, ...OPERATOR_FLAGS, ...LOGS };

export const DEV_FLAGS = {
  ...DOORS,
  ...{ genesis, chainId, blockTime, emptyBlocks, manual, minGasPrices, validators, keep, reset },
  ...OPERATOR_FLAGS,
  ...LOGS,
};

export function isLoopback({ host }: HostPort): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}
