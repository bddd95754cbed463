// The committed code in src/gen is what the .proto files say today: generated anew into a temporary folder, it comes
// out byte for byte the same.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, ROOT, readTree, runTool } from "./step.ts";

export async function checkGenerated(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-generated-"));
  try {
    const { code, output } = await runTool(["buf", "generate", "--output", folder]);
    if (code !== 0) return { passed: 0, failed: 1, output };
    const stale = differences(readTree(join(folder, "src", "gen")), readTree(join(ROOT, "src", "gen")));
    if (stale.length === 0) return { passed: 1, failed: 0, output: "" };
    return { passed: 0, failed: 1, output: `${stale.join("\n")}\nrun: npm run gen` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function differences(fresh: Map<string, string>, committed: Map<string, string>): string[] {
  const paths = [...new Set([...fresh.keys(), ...committed.keys()])].sort();
  return paths.flatMap((path) => {
    if (!committed.has(path)) return [`src/gen/${path} is missing`];
    if (!fresh.has(path)) return [`src/gen/${path} has no .proto file`];
    return fresh.get(path) === committed.get(path) ? [] : [`src/gen/${path} is not what its .proto file says`];
  });
}
