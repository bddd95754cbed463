// One check of `npm test`: something that passes or fails, with what it printed.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const ROOT = join(import.meta.dir, "..");

export type Outcome = { readonly passed: number; readonly failed: number; readonly output: string };

export type Step = { readonly name: string; readonly run: () => Promise<Outcome> };

/** A step that passes when the command ends with 0. */
export function command(name: string, ...words: readonly string[]): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await runTool(words);
      return code === 0 ? { passed: 1, failed: 0, output: "" } : { passed: 0, failed: 1, output };
    },
  };
}

/** Runs an installed tool from node_modules/.bin in the root of the repository. */
export async function runTool([tool, ...args]: readonly string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([join(ROOT, "node_modules", ".bin", tool!), ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.exited]);
  return { code, output: `${out}${err}`.trim() };
}

/** Every file below a folder: path from that folder -> content. */
export function readTree(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

export function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return new Response(stream).text();
}
