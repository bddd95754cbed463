// `orrery serve`: the doors on a home that exists, until a signal ends it. No blocks are made.

import { api, defineCommand, home, logLevel, rpc } from "./command.ts";
import { callable, runNode } from "./run-node.ts";

export const serveCommand = defineCommand({
  name: "serve",
  summary: "Answer queries about the chain that a home holds",
  about: `Opens the home for reading and makes no blocks. Ctrl-C ends it cleanly.`,
  flags: { home, api, rpc, logLevel },
  run: async ({ home, api, rpc }, log) =>
    await runNode({ mode: "serve", home, api, rpc, log }, (node) => {
      const { chainId, earliest, latest } = node.range();
      const rpcDoor = node.rpcUrl === null ? "" : `RPC door   ${callable(node.rpcUrl)}\n`;
      log.show(`HTTP door  ${callable(node.url!)}\n${rpcDoor}chain ${chainId}, heights ${earliest} to ${latest}`);
    }),
});
