import { expect, test } from "bun:test";
import { CommandError, describeFailure } from "./failure.ts";
import { UsageError } from "./flags.ts";

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

test.each([
  ["unknown flag --x", 2, new UsageError("unknown flag --x")],
  ["no", 1, new CommandError("no")],
  ["/h is in use by process 7", 1, named("HomeError", "/h is in use by process 7")],
  ["record 00 is damaged", 74, named("DamagedRecord", "record 00 is damaged")],
  ["the home cannot be read or written: disk full (SQLITE_FULL)", 74, coded("SQLITE_FULL", "disk full")],
  ["the home cannot be read or written: no space (ENOSPC)", 74, coded("ENOSPC", "no space")],
  ["the genesis is refused: chain_id: missing", 1, named("GenesisError", "chain_id: missing")],
  ["odd", 1, new Error("odd")],
  ["a text", 1, "a text"],
] as [string, number, unknown][])("%s, exit %i", (sentence, code, error) => {
  expect(describeFailure(error)).toEqual({ sentence, code });
});
