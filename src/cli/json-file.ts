// Reads a JSON file that a flag names.

import { readFileSync } from "node:fs";
import { CommandError } from "./failure.ts";
import { reasonOf } from "./file-failure.ts";

/** `what` names the file's content in the sentence of a failure: "the genesis". */
export function readJsonFile(what: string, path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`${what} ${path} cannot be read: ${reasonOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${what} ${path} is not JSON: ${reasonOf(error)}`);
  }
}
