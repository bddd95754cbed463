// npm run bench: the CPU time that a request costs the server process, as a ratio to a constant answer measured in the
// same run. Ratios travel between machines; times do not. Beside the node as it comes, one is measured that keeps nothing
// at hand, so that everything is read and printed anew: what a question costs the first time.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeHome } from "./home.ts";
import { load } from "./load.ts";
import { CONSTANT, type Scenario, scenariosOf } from "./scenarios.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const CONNECTIONS = 16;
/** Before anything is measured: the runtime compiles what is hot, and the node has met nearly all that is asked. */
const WARM_UP = 40_000;
/** The one that keeps nothing meets nothing again. */
const SHORT_WARM_UP = 6_000;
/** The measured load is cut into rounds in turn, so that a slow moment of the machine meets all alike. */
const ROUNDS = 5;
/** The first reading is there to be known, not to be held to anything: fewer requests will do. */
const FIRST_SHARE = 0.25;

type Subject = {
  readonly scenario: Scenario;
  readonly server: ServerProcess;
  readonly warmUp: number;
  readonly requests: number;
  /** The cost of each round in microseconds per request. */
  readonly costs: number[];
};

const folder = join(import.meta.dir, "..", ".bench");
const home = await makeHome(folder);
const serve = ["serve", "--home", home.path, "--api", "127.0.0.1:0", "--rpc", "off"];
const constant = await startServer("bench/constant.ts");
const node = await startServer("src/cli/main.ts", serve);
const forgetful = await startServer("src/cli/main.ts", [...serve, "--cache", "off"]);
try {
  const scenarios = scenariosOf(home);
  const unit = subject(CONSTANT, constant);
  const rows = scenarios.map((scenario) => ({ usual: subject(scenario, node), first: firstTime(scenario) }));
  await measure([unit, ...rows.flatMap(({ usual, first }) => [usual, first])]);
  const missed = report(unit, rows);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await forgetful.stop();
  await node.stop();
  await constant.stop();
  rmSync(folder, { recursive: true, force: true });
}

function subject(scenario: Scenario, server: ServerProcess): Subject {
  return { scenario, server, warmUp: WARM_UP, requests: scenario.requests, costs: [] };
}

function firstTime(scenario: Scenario): Subject {
  const requests = scenario.requests * FIRST_SHARE;
  return { scenario, server: forgetful, warmUp: SHORT_WARM_UP, requests, costs: [] };
}

async function measure(subjects: readonly Subject[]): Promise<void> {
  for (const { scenario, server, warmUp } of subjects) {
    await load(server.url, { requests: warmUp, connections: CONNECTIONS, path: scenario.path });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { scenario, server, requests, costs } of subjects) {
      const before = server.cpuMicroseconds();
      await load(server.url, { requests, connections: CONNECTIONS, path: scenario.path });
      costs.push((server.cpuMicroseconds() - before) / requests);
    }
  }
}

type Row = { readonly usual: Subject; readonly first: Subject };

/** Prints the table; returns how many targets were missed. */
function report(constantAnswer: Subject, rows: readonly Row[]): number {
  const unit = costOf(constantAnswer);
  const costs = new Map(rows.map(({ usual }) => [usual.scenario.name, costOf(usual)]));
  console.log(`\n${home.pageKeys.length} accounts with ten balances, ${home.dids.length} identity documents of 2.5 KB`);
  console.log(`median of ${ROUNDS} rounds over ${CONNECTIONS} connections, after ${WARM_UP} requests of each kind\n`);
  console.log(line("", "us/request", "x constant", "first time", "target"));
  console.log(line(CONSTANT.name, unit.toFixed(1), "1.00", "", `        ${CONSTANT.asks}`));
  let missed = 0;
  for (const { usual, first } of rows) {
    const { name, asks, target, of } = usual.scenario;
    const cost = costs.get(name) as number;
    const ratio = cost / (of === undefined ? unit : (costs.get(of) as number));
    const verdict = ratio <= target ? "held  " : "MISSED";
    if (ratio > target) missed++;
    const against = of === undefined ? "" : ` (${ratio.toFixed(2)} of ${target} times "${of}")`;
    const rest = `${of ? "   " : target.toFixed(1)} ${verdict} ${asks}${against}`;
    console.log(line(name, cost.toFixed(1), (cost / unit).toFixed(2), (costOf(first) / unit).toFixed(2), rest));
  }
  return missed;
}

function costOf({ costs }: Subject): number {
  return costs.toSorted((a, b) => a - b)[costs.length >> 1] as number;
}

function line(name: string, cost: string, ratio: string, first: string, rest: string): string {
  return `${name.padEnd(34)}${cost.padStart(11)}${ratio.padStart(12)}${first.padStart(12)}   ${rest}`;
}
