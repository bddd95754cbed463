// The command `orrery`: finds the command, runs it, and turns what it throws into a sentence and an exit code.

import packageJson from "../../package.json";
import { type Command, EXIT } from "./command.ts";
import { devCommand } from "./dev.ts";
import { describeFailure } from "./failure.ts";
import { type Environment, UsageError } from "./flags.ts";
import { commandHelp, overview } from "./help.ts";
import { importCommand } from "./import.ts";
import { serveCommand } from "./serve.ts";
import { verifyCommand } from "./verify.ts";

const COMMANDS: readonly Command[] = [devCommand, serveCommand, importCommand, verifyCommand];

async function main(words: readonly string[], environment: Environment): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined || first === "help" || first === "--help") return print(helpFor(rest[0]));
  if (first === "version" || first === "--version") return print(`orrery ${packageJson.version}`);
  const command = findCommand(first);
  if (rest.includes("--help")) return print(commandHelp(command));
  return await command.start(rest, environment);
}

function helpFor(name: string | undefined): string {
  return name === undefined ? overview(COMMANDS) : commandHelp(findCommand(name));
}

function findCommand(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name);
  if (found === undefined) throw new UsageError(`unknown command ${JSON.stringify(name)}`);
  return found;
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
  const hint =
    code === EXIT.usage
      ? `; see orrery ${COMMANDS.some((one) => one.name === words[0]) ? `${words[0]} ` : ""}--help`
      : "";
  process.stderr.write(`orrery: ${sentence}${hint}\n`);
  if (wantsStack(words, environment) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return code;
}

const words = process.argv.slice(2);
const code = await main(words, process.env).catch((error: unknown) => complain(error, words, process.env));
process.exit(code);
