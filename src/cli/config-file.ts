// Settings in a TOML file, by the names of flags: `block-time = "1s"`. Flags and variables win over it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "./failure.ts";
import { type FileSettings, type Flags, nameOf, UsageError } from "./flags.ts";

const CONFIG_FILE = "config.toml";

/** A file names itself in vain, and what destroys must be asked for each time. */
const NOT_IN_A_FILE: ReadonlySet<string> = new Set(["config", "reset"]);

/** `named` is the file that was asked for; else the one in the home counts, if there is one. */
export function readConfigFile(named: string | undefined, home: string, known: Flags): FileSettings | null {
  const path = named ?? join(home, CONFIG_FILE);
  if (named === undefined && !existsSync(path)) return null;
  const keys = new Map(Object.keys(known).map((key) => [nameOf(key).slice(2), key]));
  const settings = new Map<string, string>();
  for (const [name, value] of Object.entries(parse(path))) {
    const key = keys.get(name.replaceAll("_", "-"));
    if (key === undefined) throw new UsageError(`${path}: unknown setting ${name}`);
    if (NOT_IN_A_FILE.has(key)) throw new UsageError(`${path}: ${name} cannot be set in a file`);
    if (key === "home" && named === undefined) throw new UsageError(`${path}: a home cannot name another`);
    settings.set(key, textOf(value, `${path}: ${name}`));
  }
  return { path, settings };
}

function parse(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`the config cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  try {
    return Bun.TOML.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new CommandError(`${path} is not TOML: ${error instanceof Error ? error.message : error}`);
  }
}

/** As a person would type it behind the flag. */
function textOf(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value) && value.every((part) => typeof part === "string")) return value.join(",");
  throw new UsageError(`${name}: not a text, a number, true, false or a list of texts`);
}
