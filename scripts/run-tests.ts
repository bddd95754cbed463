// Runs `bun test` over every test file and counts from its report. A file that does not load, that holds no test or
// that takes the whole run down with it counts as failed: silence is never a pass.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, ROOT } from "./step.ts";

/** For one test, in milliseconds; tests that start processes say their own. */
const TIMEOUT = 30_000;

export async function runTests(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-report-"));
  const report = join(folder, "report.xml");
  try {
    const files = findTestFiles(ROOT);
    const child = Bun.spawn(
      [
        process.execPath,
        "test",
        "--only-failures",
        `--timeout=${TIMEOUT}`,
        "--reporter=junit",
        `--reporter-outfile=${report}`,
        ...files.map((file) => `./${file}`),
      ],
      { cwd: ROOT, stdin: "ignore", stdout: "inherit", stderr: "inherit" },
    );
    const code = await child.exited;
    return countTests(existsSync(report) ? readFileSync(report, "utf8") : "", files, code);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function findTestFiles(root: string): string[] {
  return [...new Bun.Glob("{src,test,scripts,bench}/**/*.test.ts").scanSync({ cwd: root })].sort();
}

/** Counts a JUnit report against the files that were to run and the code that the run ended with. */
export function countTests(report: string, files: readonly string[], code: number): Outcome {
  const cases = report.split("<testcase").slice(1);
  const skipped = cases.filter((text) => text.includes("<skipped")).length;
  const failing = cases.filter((text) => /<(failure|error)\b/.test(text)).length;
  const ran = new Set(cases.map((text) => /\bfile="([^"]*)"/.exec(text)?.[1]));
  const silent = files.filter((file) => !ran.has(file));
  const problems = silent.map((file) => `${file}: no test of this file ran`);
  if (files.length === 0) problems.push("there is no test file");
  if (code !== 0 && failing === 0 && problems.length === 0) problems.push(`bun test ended with code ${code}`);
  return {
    passed: cases.length - skipped - failing,
    failed: failing + problems.length,
    output: [...problems, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join("\n"),
  };
}
