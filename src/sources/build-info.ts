// Which program this is: its version, the commit it was checked out at, and the libraries in it with their checksums.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

export type BuildInfo = {
  readonly version: string;
  /** Empty where the program does not run from a checkout. */
  readonly gitCommit: string;
  readonly runtime: string;
  readonly dependencies: readonly { readonly path: string; readonly version: string; readonly sum: string }[];
};

const ROOT = join(import.meta.dirname, "..", "..");

export function buildInfo(): BuildInfo {
  return {
    version: packageJson.version,
    gitCommit: checkedOutCommit(join(ROOT, ".git")),
    runtime: `bun ${process.versions.bun} ${process.platform}/${process.arch}`,
    dependencies: lockedDependencies(join(ROOT, "package-lock.json")),
  };
}

type Lockfile = { readonly packages: Record<string, { readonly version: string; readonly integrity?: string }> };

function lockedDependencies(path: string): BuildInfo["dependencies"] {
  const { packages } = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Lockfile) : { packages: {} };
  return Object.entries(packageJson.dependencies).map(([name, version]) => {
    const locked = packages[`node_modules/${name}`];
    return { path: name, version: locked?.version ?? version, sum: locked?.integrity ?? "" };
  });
}

/** HEAD names a commit, or a branch whose commit lies in a file of its own or in the list of packed ones. */
function checkedOutCommit(git: string): string {
  const head = readText(join(git, "HEAD")).trim();
  if (!head.startsWith("ref: ")) return commitIn(head);
  const branch = head.slice("ref: ".length);
  const loose = readText(join(git, ...branch.split("/"))).trim();
  const packed = readText(join(git, "packed-refs")).split("\n");
  return commitIn(loose) || commitIn(packed.find((line) => line.endsWith(` ${branch}`)) ?? "");
}

function commitIn(text: string): string {
  return /^[0-9a-f]{40}/.exec(text)?.[0] ?? "";
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
