// Commands that run a node: their settings come from flags, variables, a config file and defaults, in this order.

import type { Command } from "./command.ts";
import { readConfigFile } from "./config-file.ts";
import { type Environment, type FlagValues, type Resolved, resolveFlags } from "./flags.ts";
import { createLogger, type Logger } from "./logger.ts";
import { DEV_FLAGS, SERVE_FLAGS } from "./node-flags.ts";

type NodeFlags = typeof DEV_FLAGS | typeof SERVE_FLAGS;

type Definition<F extends NodeFlags> = Omit<Command, "flags" | "start"> & {
  readonly flags: F;
  run(values: FlagValues<F>, log: Logger): Promise<number>;
};

export function defineNodeCommand<F extends NodeFlags>(definition: Definition<F>): Command {
  return {
    ...definition,
    start: async (words, environment) => {
      const { values } = resolveWithFile(definition.flags, words, environment);
      const { logLevel, logFormat } = values as FlagValues<typeof SERVE_FLAGS>;
      return await definition.run(values, createLogger(logLevel, { format: logFormat }));
    },
  };
}

/** One file may serve several commands: what only another one knows is passed over. */
export function resolveWithFile<F extends NodeFlags>(
  flags: F,
  words: readonly string[],
  environment: Environment,
): Resolved<F> {
  const { config, home } = resolveFlags(flags, words, environment).values as FlagValues<typeof SERVE_FLAGS>;
  const file = readConfigFile(config, home, { ...DEV_FLAGS, ...SERVE_FLAGS });
  return file === null ? resolveFlags(flags, words, environment) : resolveFlags(flags, words, environment, file);
}
