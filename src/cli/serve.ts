// `orrery serve`: the HTTP door on a home that exists, until a signal ends it. No blocks are made.

import { api, defineCommand, home, logLevel } from "./command.ts";
import { callable, runNode } from "./run-node.ts";

export const serveCommand = defineCommand({
  name: "serve",
  summary: "Answer queries about the chain that a home holds",
  about: `Opens the home for reading and makes no blocks. Ctrl-C ends it cleanly.`,
  flags: { home, api, logLevel },
  run: async ({ home, api }, log) =>
    await runNode({ mode: "serve", home, api, log }, (node) => {
      const { chainId, earliest, latest } = node.range();
      log.show(`HTTP door  ${callable(node.url!)}\nchain ${chainId}, heights ${earliest} to ${latest}`);
    }),
});
