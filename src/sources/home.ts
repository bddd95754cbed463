// The folder of a node: which files are its own, how they are written, and how a folder is emptied of them.

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

export const HOME_FILE = {
  store: "chain.db",
  validators: "validators.json",
  node: "node.json",
  genesis: "genesis.json",
  lock: "lock.db",
  holder: "holder.json",
} as const;

/** Only their owner may read private keys. */
const PRIVATE = 0o600;

/** A home that cannot be used as asked; the message is for the person who asked. */
export class HomeError extends Error {
  override readonly name = "HomeError";
}

export function homeFile(home: string, file: keyof typeof HOME_FILE): string {
  return join(home, HOME_FILE[file]);
}

export function createHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
}

/**
 * Removes the node's own files, and nothing else. The lock stays, because whoever resets a home holds it. A folder
 * that has things in it but was never a home is refused: it was probably named by mistake.
 */
export function resetHome(home: string): void {
  refuseForeignFolder(home);
  const store = HOME_FILE.store;
  const drafts = ["", "-wal", "-shm", "-journal", ".creating", ".creating-wal", ".creating-shm", ".creating-journal"];
  for (const suffix of drafts) rmSync(join(home, store + suffix), { force: true });
  for (const file of ["validators", "node", "genesis"] as const) {
    rmSync(homeFile(home, file), { force: true });
    rmSync(`${homeFile(home, file)}.draft`, { force: true });
  }
}

/** Null where the file does not exist; a file that is no JSON is a HomeError. */
export function readHomeJson(home: string, file: keyof typeof HOME_FILE): unknown {
  const path = homeFile(home, file);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new HomeError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Complete and durable, or not there at all: a draft is flushed first, then takes the name. */
export function writeHomeJson(home: string, file: keyof typeof HOME_FILE, content: unknown): void {
  const path = homeFile(home, file);
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, "wx", PRIVATE);
  try {
    writeSync(descriptor, `${JSON.stringify(content, null, 1)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, path);
  const folder = openSync(home, "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** A genesis may lie in any folder; the store and the keys are what makes one a home. */
function refuseForeignFolder(home: string): void {
  const entries = existsSync(home) ? readdirSync(home) : [];
  const ownEvidence: readonly string[] = [HOME_FILE.store, HOME_FILE.validators, HOME_FILE.node];
  const lockOnly = entries.every((entry) => entry.startsWith(HOME_FILE.lock) || entry === HOME_FILE.holder);
  if (lockOnly || entries.some((entry) => ownEvidence.includes(entry))) return;
  throw new HomeError(`${home} holds other files and no chain, so nothing in it was removed`);
}
