// npm run bench: the CPU time that a request costs the server process, as a ratio to a constant answer measured in the
// same run. Ratios travel between machines; times do not.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeHome } from "./home.ts";
import { load } from "./load.ts";
import { CONSTANT, type Scenario, scenariosOf } from "./scenarios.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const CONNECTIONS = 16;
/** Before anything is measured: the runtime compiles what is hot, and compiles it anew when it learns more. */
const WARM_UP = 10_000;
/** The measured load is cut into rounds in turn, so that a slow moment of the machine meets all alike. */
const ROUNDS = 5;

/** The cost of each round in microseconds per request, by the name of the scenario. */
type Costs = ReadonlyMap<string, number[]>;

const folder = join(import.meta.dir, "..", ".bench");
const home = await makeHome(folder);
const constant = await startServer("bench/constant.ts");
const node = await startServer("src/cli/main.ts", ["serve", "--home", home.path, "--api", "127.0.0.1:0"]);
try {
  const scenarios = scenariosOf(home);
  const missed = report(scenarios, await measureAll(scenarios));
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await node.stop();
  await constant.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(scenarios: readonly Scenario[]): Promise<Costs> {
  const costs = new Map([CONSTANT, ...scenarios].map(({ name }) => [name, [] as number[]]));
  const serverOf = (scenario: Scenario): ServerProcess => (scenario === CONSTANT ? constant : node);
  for (const scenario of [CONSTANT, ...scenarios]) {
    await load(serverOf(scenario).url, { requests: WARM_UP, connections: CONNECTIONS, path: scenario.path });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const scenario of [CONSTANT, ...scenarios]) {
      const server = serverOf(scenario);
      const before = server.cpuMicroseconds();
      await load(server.url, { requests: scenario.requests, connections: CONNECTIONS, path: scenario.path });
      costs.get(scenario.name)!.push((server.cpuMicroseconds() - before) / scenario.requests);
    }
  }
  return costs;
}

/** Prints the table; returns how many targets were missed. */
function report(scenarios: readonly Scenario[], costs: Costs): number {
  const costOf = (name: string) => medianOf(costs.get(name) as number[]);
  const unit = costOf(CONSTANT.name);
  console.log(`\n${home.pageKeys.length} accounts with ten balances, ${home.dids.length} identity documents of 2.5 KB`);
  console.log(`median of ${ROUNDS} rounds over ${CONNECTIONS} connections, after ${WARM_UP} requests of each kind\n`);
  console.log(line("", "us/request", "x constant", "target"));
  console.log(line(CONSTANT.name, unit.toFixed(1), "1.00", `        ${CONSTANT.asks}`));
  let missed = 0;
  for (const { name, asks, target, of } of scenarios) {
    const cost = costOf(name);
    const ratio = cost / (of === undefined ? unit : costOf(of));
    const verdict = ratio <= target ? "held  " : "MISSED";
    if (ratio > target) missed++;
    const against = of === undefined ? "" : ` (${ratio.toFixed(2)} of ${target} times "${of}")`;
    console.log(
      line(
        name,
        cost.toFixed(1),
        (cost / unit).toFixed(2),
        `${of ? "   " : target.toFixed(1)} ${verdict} ${asks}${against}`,
      ),
    );
  }
  return missed;
}

function line(name: string, cost: string, ratio: string, rest: string): string {
  return `${name.padEnd(34)}${cost.padStart(11)}${ratio.padStart(12)}   ${rest}`;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
