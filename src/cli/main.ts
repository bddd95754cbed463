// The command `orrery`: finds the command, runs it, and turns what it throws into a sentence and an exit code.

import packageJson from "../../package.json";
import { type Command, type CommandGroup, EXIT } from "./command.ts";
import { configCommand } from "./config.ts";
import { devCommand } from "./dev.ts";
import { describeFailure } from "./failure.ts";
import { type Environment, UsageError } from "./flags.ts";
import { commandHelp, groupHelp, overview } from "./help.ts";
import { importCommand } from "./import.ts";
import { queryGroup } from "./query.ts";
import { serveCommand } from "./serve.ts";
import { txGroup } from "./tx.ts";
import { verifyCommand } from "./verify.ts";

const COMMANDS: readonly (Command | CommandGroup)[] = [
  devCommand,
  serveCommand,
  importCommand,
  verifyCommand,
  configCommand,
  queryGroup,
  txGroup,
];

async function main(words: readonly string[], environment: Environment): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined || first === "help" || first === "--help") return print(helpFor(rest));
  if (first === "version" || first === "--version") return print(`orrery ${packageJson.version}`);
  if (words.includes("--help")) return print(helpFor(words.slice(0, words.indexOf("--help"))));
  const { found, length } = findCommand(words);
  if ("commands" in found) throw new UsageError(`${found.name} needs a command`);
  return await found.start(words.slice(length), environment);
}

function helpFor(words: readonly string[]): string {
  if (words.length === 0) return overview(COMMANDS);
  const { found } = findCommand(words);
  return "commands" in found ? groupHelp(found) : commandHelp(found);
}

/** The command that these words begin with, and how many of them are its name. */
function findCommand(words: readonly string[]): { found: Command | CommandGroup; length: number } {
  const found = COMMANDS.find((command) => command.name === words[0]);
  if (found === undefined) throw new UsageError(`unknown command ${JSON.stringify(words[0])}`);
  const next = words[1];
  if (!("commands" in found) || next === undefined || next.startsWith("--")) return { found, length: 1 };
  const inner = found.commands.find((command) => command.name === `${found.name} ${next}`);
  if (inner === undefined) throw new UsageError(`unknown command ${JSON.stringify(`${found.name} ${next}`)}`);
  return { found: inner, length: 2 };
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}

/** The log level decides about the stack, and is read once more here because flags may be what was wrong. */
function wantsStack(words: readonly string[], environment: Environment): boolean {
  const position = words.indexOf("--log-level");
  const flag = position < 0 ? words.find((word) => word.startsWith("--log-level="))?.slice(12) : words[position + 1];
  return (flag ?? environment.ORRERY_LOG_LEVEL) === "debug";
}

function complain(error: unknown, words: readonly string[], environment: Environment): number {
  const { sentence, code } = describeFailure(error);
  const hint = code === EXIT.usage ? `; see orrery ${nameIn(words)}--help` : "";
  process.stderr.write(`orrery: ${sentence}${hint}\n`);
  if (wantsStack(words, environment) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return code;
}

/** As much of a command's name as these words hold, with a space behind it. */
function nameIn(words: readonly string[]): string {
  const command = COMMANDS.find((one) => one.name === words[0]);
  if (command === undefined) return "";
  const inner = "commands" in command && command.commands.find((one) => one.name === `${words[0]} ${words[1]}`);
  return `${(inner || command).name} `;
}

const words = process.argv.slice(2);
const code = await main(words, process.env).catch((error: unknown) => complain(error, words, process.env));
process.exit(code);
