// `orrery dev`: a chain of its own and its doors, until a signal ends it.

import type { GasPrice } from "../codec/gas-price.ts";
import type { HostPort, NodeOptions } from "../node.ts";
import { banner } from "./banner.ts";
import { api, chainId, defineCommand, home, keep, logLevel, reset, rpc, validators } from "./command.ts";
import { type Flag, UsageError } from "./flags.ts";
import { readJsonFile } from "./json-file.ts";
import { callable, runNode } from "./run-node.ts";
import { parseDuration, parseMinGasPrices, parsePath, parseSwitch } from "./values.ts";

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

export const devCommand = defineCommand({
  name: "dev",
  summary: "Run a chain of its own and answer queries about it",
  about: `Makes a new chain in the home, or goes on with the one it holds. Blocks follow each other by the clock; the
HTTP door answers at every kept height. Ctrl-C ends it cleanly.`,
  flags: {
    ...{ home, api, rpc, genesis, chainId, blockTime, emptyBlocks, manual, minGasPrices },
    ...{ validators, keep, reset, logLevel },
  },
  run: async (values, log) => {
    const { genesis, chainId, blockTime, minGasPrices, ...rest } = values;
    if (rest.manual && (rest.rpc === null || !isLoopback(rest.rpc))) {
      throw new UsageError("--manual needs --rpc on loopback: blocks are asked for there, by anyone who reaches it");
    }
    const options: NodeOptions = {
      mode: "dev",
      ...rest,
      ...(genesis === undefined ? {} : { genesis: readJsonFile("the genesis", genesis) }),
      ...(chainId === undefined ? {} : { chainId }),
      ...(minGasPrices === undefined ? {} : { minGasPrices }),
      blockTimeMs: blockTime,
      log,
    };
    return await runNode(options, (node) => {
      log.show(banner({ ...node, url: callable(node.url!), rpcUrl: node.rpcUrl && callable(node.rpcUrl) }));
      node.onBlock(({ height, txs, hash }) => log.info(`block ${height}  ${txs} txs  ${hash.toHex().toUpperCase()}`));
    });
  },
});

function isLoopback({ host }: HostPort): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}
