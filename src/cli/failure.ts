// What a person is told when a command cannot go on, and the code it ends with: one sentence, and the stack only for
// those who ask for it with --log-level debug.

import { EXIT } from "./command.ts";

export type Failure = { readonly sentence: string; readonly code: number };

/** Errors whose message is written for the person at the command line; they are told apart by name. */
const SPOKEN: Readonly<Record<string, number>> = {
  UsageError: EXIT.usage,
  CommandError: EXIT.failure,
  HomeError: EXIT.failure,
  JsonError: EXIT.failure,
  InvalidCommitted: EXIT.failure,
  HeightNotKept: EXIT.failure,
  DamagedRecord: EXIT.storage,
  StoreError: EXIT.storage,
};

/** Codes of the operating system that mean that the disk, not the request, is at fault. */
const STORAGE_CODES = new Set(["ENOSPC", "EIO", "EROFS", "EDQUOT"]);

/** A command that cannot do what it was asked, for a reason that its own sentence gives. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { sentence: String(error), code: EXIT.failure };
  const spoken = SPOKEN[error.name];
  if (error.name === "GenesisError")
    return { sentence: `the genesis is refused: ${error.message}`, code: EXIT.failure };
  if (spoken !== undefined) return { sentence: error.message, code: spoken };
  const code = codeOf(error);
  if ("syscall" in error && error.syscall === "mkdir") {
    return { sentence: `the home cannot be made: ${error.message}`, code: EXIT.failure };
  }
  if (code?.startsWith("SQLITE_") || STORAGE_CODES.has(code ?? "")) {
    return { sentence: `the home cannot be read or written: ${error.message} (${code})`, code: EXIT.storage };
  }
  return { sentence: error.message, code: EXIT.failure };
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
