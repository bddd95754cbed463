// What `npm test` runs: the static checks side by side, then every test. Each step says how it went, a failing one
// hides no other, and the last line is the sum.

import { checkGenerated } from "./check-generated.ts";
import { checkRooms, unusedAllowances } from "./check-rooms.ts";
import { runTests } from "./run-tests.ts";
import { command, type Outcome, ROOT, type Step } from "./step.ts";

const STATIC: readonly Step[] = [
  { name: "generated code is fresh", run: checkGenerated },
  command("types", "tsc", "--noEmit"),
  command("format and lint", "biome", "check", "--error-on-warnings"),
  { name: "rooms", run: async () => rooms() },
  command("dead exports", "knip", "--no-progress"),
  command("exports for tests alone", "knip", "--production", "--no-progress", "--config", "knip.production.json"),
];

const outcomes = await Promise.all(STATIC.map(report));
outcomes.push(await report({ name: "tests", run: runTests }));

const passed = sum(outcomes.map((outcome) => outcome.passed));
const failed = sum(outcomes.map((outcome) => outcome.failed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function report(step: Step): Promise<Outcome> {
  const started = performance.now();
  const outcome = await step.run().catch(brokenStep);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${outcome.failed === 0 ? "ok  " : "FAIL"}  ${step.name} (${seconds} s)`);
  if (outcome.output !== "") console.log(outcome.output.replaceAll(/^/gm, "      "));
  return outcome;
}

function brokenStep(error: unknown): Outcome {
  return { passed: 0, failed: 1, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function rooms(): Outcome {
  const found = [...checkRooms(ROOT), ...unusedAllowances(ROOT)];
  return found.length === 0 ? { passed: 1, failed: 0, output: "" } : { passed: 0, failed: 1, output: found.join("\n") };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
