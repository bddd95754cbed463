// What a command is, and the flags that several commands share.

import type { HostPort } from "../node.ts";
import { type Environment, type Flag, type Flags, type FlagValues, parseFlags } from "./flags.ts";
import { createLogger, type Logger } from "./logger.ts";
import {
  type LogLevel,
  parseCount,
  parseHostPort,
  parseKeep,
  parseLogLevel,
  parsePath,
  parseSwitch,
  parseText,
  parseUrl,
} from "./values.ts";

/** `name` has two words for a command of a group: "tx send". */
export type Command = {
  readonly name: string;
  readonly summary: string;
  /** Sentences under the usage line of its help. */
  readonly about: string;
  readonly flags: Flags;
  /** Runs to its end and gives the exit code. */
  start(words: readonly string[], environment: Environment): Promise<number>;
};

/** Commands that belong together, under a word of their own. */
export type CommandGroup = Omit<Command, "flags" | "start"> & { readonly commands: readonly Command[] };

type Definition<F extends Flags> = Omit<Command, "flags" | "start"> & {
  readonly flags: F;
  run(values: FlagValues<F>, log: Logger): Promise<number>;
};

export const EXIT = { ok: 0, failure: 1, usage: 2, storage: 74 } as const;

export function defineCommand<F extends Flags & { logLevel: typeof logLevel }>(definition: Definition<F>): Command {
  return {
    ...definition,
    start: async (words, environment) => {
      const values = parseFlags(definition.flags, words, environment);
      return await definition.run(values, createLogger(values.logLevel as LogLevel));
    },
  };
}

/** A command that asks a running node for something: it has nothing to log, and prints what it got. */
export function defineCall<F extends Flags>(
  definition: Omit<Command, "flags" | "start"> & {
    readonly flags: F;
    run(values: FlagValues<F>): Promise<number>;
  },
): Command {
  return {
    ...definition,
    start: async (words, environment) => await definition.run(parseFlags(definition.flags, words, environment)),
  };
}

export const node: Flag<string> = {
  placeholder: "URL",
  about: "the HTTP door of the node to ask",
  fallback: "http://127.0.0.1:1317",
  parse: parseUrl,
};

export const json: Flag<boolean> = {
  placeholder: null,
  about: "print the answer as one line of JSON",
  fallback: "false",
  parse: parseSwitch,
  variable: false,
};

export const home: Flag<string> = {
  placeholder: "DIR",
  about: "the folder that holds the chain",
  fallback: "~/.orrery",
  parse: parsePath,
};

export const api: Flag<HostPort> = {
  placeholder: "HOST:PORT",
  about: "where the HTTP door listens; port 0 takes a free one, IPv6 in brackets",
  fallback: "127.0.0.1:1317",
  parse: parseHostPort,
};

export const rpc: Flag<HostPort | null> = {
  placeholder: "HOST:PORT|off",
  about: "where the RPC door listens, through which transactions come in; port 0 takes a free one",
  fallback: "127.0.0.1:26657",
  parse: (text) => (text === "off" ? null : parseHostPort(text)),
};

export const chainId: Flag<string, null> = {
  placeholder: "ID",
  about: "the chain id of a new chain, in place of the one in its genesis",
  fallback: null,
  parse: parseText,
};

export const validators: Flag<number, null> = {
  placeholder: "N",
  about: "how many local validators sign the blocks of a new chain (default 1)",
  fallback: null,
  parse: parseCount(100),
};

export const keep: Flag<"all" | number> = {
  placeholder: "all|N",
  about: "how many heights stay readable",
  fallback: "all",
  parse: parseKeep,
};

export const reset: Flag<boolean> = {
  placeholder: null,
  about: "remove the chain that the home holds, and begin anew",
  fallback: "false",
  parse: parseSwitch,
};

export const logLevel: Flag<LogLevel> = {
  placeholder: "LEVEL",
  about: "debug, info, warn, error or silent",
  fallback: "info",
  parse: parseLogLevel,
};
