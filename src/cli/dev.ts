// `orrery dev`: a chain of its own and its doors, until a signal ends it.

import type { NodeOptions } from "../node.ts";
import { banner } from "./banner.ts";
import { UsageError } from "./flags.ts";
import { readJsonFile } from "./json-file.ts";
import { defineNodeCommand } from "./node-command.ts";
import { DEV_FLAGS, isLoopback } from "./node-flags.ts";
import { operatorSettings } from "./operator-flags.ts";
import { callable, runNode } from "./run-node.ts";

export const devCommand = defineNodeCommand({
  name: "dev",
  summary: "Run a chain of its own and answer queries about it",
  about: `Makes a new chain in the home, or goes on with the one it holds. Blocks follow each other by the clock; the
HTTP door answers at every kept height. Ctrl-C ends it cleanly.`,
  flags: DEV_FLAGS,
  run: async (values, log) => {
    const { genesis, chainId, blockTime, minGasPrices, home, api, rpc, emptyBlocks, manual } = values;
    const { validators, keep, reset } = values;
    if (manual && (rpc === null || !isLoopback(rpc))) {
      throw new UsageError("--manual needs --rpc on loopback: blocks are asked for there, by anyone who reaches it");
    }
    const options: NodeOptions = {
      mode: "dev",
      ...{ home, api, rpc, emptyBlocks, manual, keep, reset },
      ...operatorSettings(values),
      ...(genesis === undefined ? {} : { genesis: readJsonFile("the genesis", genesis) }),
      ...(chainId === undefined ? {} : { chainId }),
      ...(validators === undefined ? {} : { validators }),
      ...(minGasPrices === undefined ? {} : { minGasPrices }),
      blockTimeMs: blockTime,
      // With --manual every block but the first is the user's.
      sampleTxs: !manual,
      log,
    };
    return await runNode(options, (node) => {
      log.show(banner({ ...node, url: callable(node.url!), rpcUrl: node.rpcUrl && callable(node.rpcUrl) }));
      node.onBlock(({ height, txs, hash }) => log.info(`block ${height}  ${txs} txs  ${hash.toHex().toUpperCase()}`));
    });
  },
});
