// Help texts, printed from the tables of commands and flags.

import type { Command, CommandGroup } from "./command.ts";
import { type Flags, nameOf, variableOf } from "./flags.ts";

const EXIT_CODES = `Exit codes: 0 all went well, 1 failure, 2 wrong usage, 74 storage failure.`;

export function overview(commands: readonly (Command | CommandGroup)[]): string {
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

export function groupHelp({ name, summary, about, commands }: CommandGroup): string {
  const words = commands.map((command) => command.name.slice(name.length + 1));
  const width = Math.max(...words.map((word) => word.length));
  return `${summary}

Usage: orrery ${name} COMMAND [FLAG…]

${about}

${commands.map((command, i) => `  ${words[i]!.padEnd(width)}  ${command.summary}`).join("\n")}

orrery ${name} COMMAND --help lists the flags of a command.
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

function note({ fallback, needed, placeholder }: Flags[string]): string {
  if (needed === true) return " (needed)";
  // What a switch that is off does by default goes without saying.
  return fallback === null || (placeholder === null && fallback === "false") ? "" : ` (default ${fallback})`;
}

function flagRows(flags: Flags): string {
  const rows = Object.entries(flags).map(([key, flag]) => ({
    name: `${nameOf(key)}${flag.placeholder === null ? " [true|false]" : ` ${flag.placeholder}`}`,
    variable: flag.variable === false ? "" : variableOf(key),
    about: `${flag.about}${note(flag)}`,
  }));
  const nameWidth = Math.max(...rows.map((row) => row.name.length));
  const variableWidth = Math.max(...rows.map((row) => row.variable.length));
  return rows
    .map((row) => `  ${row.name.padEnd(nameWidth)}  ${row.variable.padEnd(variableWidth)}  ${row.about}`)
    .join("\n");
}
