// Help texts, printed from the tables of commands and flags.

import type { Command } from "./command.ts";
import { type Flags, nameOf, variableOf } from "./flags.ts";

const EXIT_CODES = `Exit codes: 0 all went well, 1 failure, 2 wrong usage, 74 storage failure.`;

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length), "version".length);
  const rows = [
    ...commands.map((command) => [command.name, command.summary] as const),
    ["version", "Print the version"] as const,
    ["help", "Print this text, or the help of one command"] as const,
  ];
  return `orrery: a query node for Cosmos-style blockchains

Usage: orrery COMMAND [FLAG…]

${rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join("\n")}

orrery COMMAND --help lists the flags of a command.
${EXIT_CODES}`;
}

export function commandHelp(command: Command): string {
  return `${command.summary}

Usage: orrery ${command.name} [FLAG…]

${command.about}

Flags, each with its variable; a flag wins over its variable:
${flagRows(command.flags)}

${EXIT_CODES}`;
}

function flagRows(flags: Flags): string {
  const rows = Object.entries(flags).map(([key, flag]) => ({
    name: `${nameOf(key)}${flag.placeholder === null ? " [true|false]" : ` ${flag.placeholder}`}`,
    variable: variableOf(key),
    about: flag.fallback === null ? flag.about : `${flag.about} (default ${flag.fallback})`,
  }));
  const nameWidth = Math.max(...rows.map((row) => row.name.length));
  const variableWidth = Math.max(...rows.map((row) => row.variable.length));
  return rows
    .map((row) => `  ${row.name.padEnd(nameWidth)}  ${row.variable.padEnd(variableWidth)}  ${row.about}`)
    .join("\n");
}
