// `orrery serve`: the doors on a home that exists, until a signal ends it. No blocks are made.

import { defineNodeCommand } from "./node-command.ts";
import { SERVE_FLAGS } from "./node-flags.ts";
import { operatorSettings } from "./operator-flags.ts";
import { callable, runNode } from "./run-node.ts";

export const serveCommand = defineNodeCommand({
  name: "serve",
  summary: "Answer queries about the chain that a home holds",
  about: `Opens the home for reading and makes no blocks. Ctrl-C ends it cleanly.`,
  flags: SERVE_FLAGS,
  run: async ({ home, api, rpc, ...values }, log) =>
    await runNode({ mode: "serve", home, api, rpc, ...operatorSettings(values), log }, (node) => {
      const { chainId, earliest, latest } = node.range();
      const rpcDoor = node.rpcUrl === null ? "" : `RPC door   ${callable(node.rpcUrl)}\n`;
      const metrics = node.metricsUrl === null ? "" : `metrics    ${node.metricsUrl}/metrics\n`;
      log.show(
        `HTTP door  ${callable(node.url!)}\n${rpcDoor}${metrics}chain ${chainId}, heights ${earliest} to ${latest}`,
      );
    }),
});
