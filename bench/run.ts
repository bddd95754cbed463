// npm run bench: the CPU time that a request costs the server process, as a ratio to a constant answer measured in the
// same run. Ratios travel between machines; times do not.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { type BenchHome, makeHome } from "./home.ts";
import { load } from "./load.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

type Scenario = {
  readonly name: string;
  readonly path: () => string;
  readonly requests: number;
  /** The most that it may cost, as a multiple of the constant answer or of the scenario named by `of`. */
  readonly target: number;
  readonly of?: string;
};

const CONNECTIONS = 16;
/** The measured load is cut into rounds in turn, so that a slow moment of the machine meets all alike. */
const ROUNDS = 5;

const home = await makeHome(join(import.meta.dir, "..", ".bench"));
const constant = await startServer("bench/constant.ts");
const node = await startServer("src/cli/main.ts", ["serve", "--home", home.path, "--api", "127.0.0.1:0"]);
try {
  await report(scenariosOf(home));
} finally {
  await node.stop();
  await constant.stop();
  rmSync(home.path, { recursive: true, force: true });
}

function scenariosOf({ dids, addresses, accounts }: BenchHome): Scenario[] {
  const identity = "/vendor/project/identity";
  const did = () => encodeURIComponent(pick(dids));
  const accountsPath = "/core/auth/v1beta1/accounts?pagination.limit=100";
  const offset = Math.floor(accounts * 0.9);
  return [
    { name: "DID by id", path: () => `${identity}/did?did=${did()}`, requests: 40_000, target: 3 },
    { name: "look-up by key", path: () => `${identity}/key?key_id=${did()}%23key-1`, requests: 20_000, target: 3.5 },
    {
      name: "look-up by service",
      path: () => `${identity}/key?service_id=${did()}%23hub`,
      requests: 20_000,
      target: 3.5,
    },
    { name: "look-up by network", path: () => `${identity}/key?network_id=devnet`, requests: 20_000, target: 3.5 },
    { name: "look-up by method", path: () => `${identity}/key?method_id=orr`, requests: 20_000, target: 3.5 },
    {
      name: "look-up by alias",
      path: () => `${identity}/key?aka_id=${encodeURIComponent(`https://${pick(addresses)}.example/`)}`,
      requests: 20_000,
      target: 3.5,
    },
    {
      name: "ten balances of one account",
      path: () => `/core/bank/v1beta1/balances?address=${pick(addresses)}`,
      requests: 40_000,
      target: 3.5,
    },
    { name: "100 accounts", path: () => accountsPath, requests: 8_000, target: 9 },
    {
      name: `100 accounts at offset ${offset}`,
      path: () => `${accountsPath}&pagination.offset=${offset}`,
      requests: 8_000,
      target: 1.5,
      of: "100 accounts",
    },
    {
      name: "100 accounts with count_total",
      path: () => `${accountsPath}&pagination.count_total=true`,
      requests: 8_000,
      target: 1.5,
      of: "100 accounts",
    },
  ];
}

async function report(scenarios: readonly Scenario[]): Promise<void> {
  const baseline = { name: "constant answer", path: () => "/", requests: 40_000, target: 1 };
  for (const scenario of scenarios) await load(node.url, { ...scenario, requests: 2_000, connections: CONNECTIONS });
  await load(constant.url, { ...baseline, requests: 5_000, connections: CONNECTIONS });

  const costs = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    await measure(constant, baseline, costs);
    for (const scenario of scenarios) await measure(node, scenario, costs);
  }
  const unit = costs.get(baseline.name) as number;
  console.log(`\n${home.accounts} accounts, ${home.dids.length} identity documents`);
  console.log(`${"".padEnd(34)}${"us/request".padStart(11)}${"x constant".padStart(12)}   target`);
  console.log(row(baseline.name, unit, 1, ""));
  let missed = 0;
  for (const scenario of scenarios) {
    const cost = costs.get(scenario.name) as number;
    const measured = cost / (scenario.of === undefined ? unit : (costs.get(scenario.of) as number));
    const verdict = measured <= scenario.target ? "held" : "missed";
    if (verdict === "missed") missed++;
    const against = scenario.of === undefined ? "" : ` x "${scenario.of}", measured ${measured.toFixed(2)}`;
    console.log(row(scenario.name, cost, cost / unit, `at most ${scenario.target}${against}: ${verdict}`));
  }
  process.exitCode = missed === 0 ? 0 : 1;
}

/** Adds the cost of one round to the mean of the rounds. */
async function measure(server: ServerProcess, scenario: Scenario, costs: Map<string, number>): Promise<void> {
  const requests = Math.floor(scenario.requests / ROUNDS);
  const before = server.cpuMicroseconds();
  await load(server.url, { requests, connections: CONNECTIONS, path: scenario.path });
  const cost = (server.cpuMicroseconds() - before) / requests;
  costs.set(scenario.name, (costs.get(scenario.name) ?? 0) + cost / ROUNDS);
}

function row(name: string, cost: number, ratio: number, verdict: string): string {
  return `${name.padEnd(34)}${cost.toFixed(1).padStart(11)}${ratio.toFixed(2).padStart(12)}   ${verdict}`;
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
