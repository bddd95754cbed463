// Runs `bun test` over every test file and counts from its report. A file that does not load, that holds no test or
// that takes the whole run down with it counts as failed: silence is never a pass.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Outcome, ROOT, textOf } from "./step.ts";

/** For one test, in milliseconds; tests that start processes say their own. */
const TIMEOUT = 30_000;

/** As many as the smallest machine has cores. */
const LANES = 2;

/** Says how soon after its start the node must answer: nothing else may run meanwhile. */
const ALONE = "test/e2e/readme.test.ts";
/** Take minutes: each of their files is a run of its own, begun first. */
const LONG = ["test/simulation", "test/e2e"];

export async function runTests(): Promise<Outcome> {
  const files = findTestFiles(ROOT);
  if (files.length === 0) return countTests("", [], 0);
  const runs = inRuns(files.filter((file) => file !== ALONE));
  const outcomes = [await runFiles([ALONE])];
  const lane = async () => {
    for (let own = runs.shift(); own !== undefined; own = runs.shift()) outcomes.push(await runFiles(own));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    output: outcomes.flatMap(({ output }) => (output === "" ? [] : [output])).join("\n"),
  };
}

/** The files that share a process: those of one folder, but for the long ones. What takes longest comes first. */
function inRuns(files: readonly string[]): string[][] {
  const long = LONG.flatMap((folder) => files.filter((file) => dirname(file) === folder));
  const short = Map.groupBy(
    files.filter((file) => !long.includes(file)),
    (file) => dirname(file),
  );
  const folders = [...short].sort(([a], [b]) => Number(b.startsWith("test")) - Number(a.startsWith("test")));
  return [...long.map((file) => [file]), ...folders.map(([, own]) => own)];
}

async function runFiles(files: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-report-"));
  const report = join(folder, "report.xml");
  const started = performance.now();
  try {
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
      { cwd: ROOT, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    const [out, err, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.exited]);
    const outcome = countTests(existsSync(report) ? readFileSync(report, "utf8") : "", files, code);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const name = files.length === 1 ? files[0]! : dirname(files[0]!);
    console.log(`      ${name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)`);
    return outcome.failed === 0 ? outcome : { ...outcome, output: `${out}${err}\n${outcome.output}`.trim() };
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
