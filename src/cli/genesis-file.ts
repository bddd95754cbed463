// Reads a genesis.json that a flag names.

import { readFileSync } from "node:fs";
import { CommandError } from "./failure.ts";

export function readGenesisFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`the genesis ${path} cannot be read: ${reasonOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`the genesis ${path} is not JSON: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "permission is missing";
  if (code === "EISDIR") return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}
