// Malformed requests without end, over all operations: never a fault of ours, never an error that looks different, and
// no memory that stays. 20,000 here; ORRERY_MALFORMED=200000 for the long run.

import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { cleanUp, orrery, temporaryFolder } from "../e2e/orrery.ts";
import { type Random, seededRandom } from "../harness/random-changes.ts";
import { sendRaw } from "../harness/raw-socket.ts";
import { malformedBytes, malformedRequest } from "./malformed-request.ts";

const REQUESTS = Number(process.env.ORRERY_MALFORMED ?? 20_000);
/** One in so many is sent as bytes that no HTTP client would send. */
const RAW_EVERY = 10;
const AT_ONCE = 16;
const SEED = Number(process.env.ORRERY_SEED ?? 20_261_115);
const MOST_GROWTH = 64 * 1024 * 1024;
const FORBIDDEN = [500, 502, 504];

afterAll(cleanUp);

type Tally = { readonly statuses: Map<number, number>; readonly problems: string[] };

test(`${REQUESTS} malformed requests`, async () => {
  const run = orrery(["dev", "--home", temporaryFolder(), "--api", "127.0.0.1:0", "--no-empty-blocks"]);
  const [, url] = (await run.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 20_000)) as unknown as [string, string];
  const tally: Tally = { statuses: new Map(), problems: [] };
  // Warm first: what a process needs once is no growth.
  await ask(url, 2000, seededRandom(1), tally);
  const before = residentBytes(run.pid);
  await ask(url, REQUESTS, seededRandom(SEED), tally);
  const growth = residentBytes(run.pid) - before;
  const counts = [...tally.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`${counts.join(", ")}; growth ${(growth / 1024 / 1024).toFixed(1)} MiB`);
  expect(tally.problems.slice(0, 20)).toEqual([]);
  expect(growth).toBeLessThan(MOST_GROWTH);
  expect(run.text()).not.toMatch(/request failed|RangeError|TypeError/);
  expect((await fetch(`${url}/core/bank/v1beta1/supply`)).status).toBe(200);
  // They are not all refused at the first look: some are answered, most are not.
  expect(tally.statuses.get(200)).toBeGreaterThan(REQUESTS / 100);
  expect(tally.statuses.get(400)).toBeGreaterThan(REQUESTS / 10);
  run.signal("SIGTERM");
  expect(await run.exit(10_000)).toBe(0);
}, 1_200_000);

async function ask(url: string, requests: number, random: Random, tally: Tally): Promise<void> {
  let left = requests;
  const one = async () => {
    while (left-- > 0) {
      if (left % RAW_EVERY === 0) await askRaw(url, malformedBytes(random), tally);
      else await askOnce(url, random, tally);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function askOnce(url: string, random: Random, tally: Tally): Promise<void> {
  const { method, target, headers, body } = malformedRequest(random);
  const name = `${method} ${target} ${JSON.stringify(headers)} ${body}`;
  try {
    const response = await fetch(url + target, { method, headers, body, redirect: "manual" });
    count(tally, name, response.status, await response.text(), response.headers.get("access-control-allow-origin"));
  } catch (error) {
    tally.problems.push(`${name}: ${error}`);
  }
}

/** The runtime's own refusals have no body; ours have one. A fault is a fault in either form. */
async function askRaw(url: string, bytes: Uint8Array, tally: Tally): Promise<void> {
  const { statuses, body, headers } = await sendRaw(url, bytes, { waitMs: 150 });
  const [status] = statuses;
  if (status === undefined) return;
  const isOfRuntime = status >= 400 && body === "" && !headers.has("access-control-allow-origin");
  if (isOfRuntime && !FORBIDDEN.includes(status)) return;
  count(tally, Buffer.from(bytes).toString("latin1"), status, body, headers.get("access-control-allow-origin") ?? null);
}

function count(tally: Tally, name: string, status: number, body: string, origin: string | null): void {
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  const problem = FORBIDDEN.includes(status) ? "a fault" : status >= 400 ? wrongShape(body, origin) : null;
  if (problem !== null) tally.problems.push(`${status} ${problem}: ${name}: ${body.slice(0, 200)}`);
}

function wrongShape(body: string, origin: string | null): string | null {
  if (origin !== "*") return "without CORS";
  try {
    const { code, message, details, ...more } = JSON.parse(body);
    const right = Number.isInteger(code) && typeof message === "string" && message !== "" && Array.isArray(details);
    return right && Object.keys(more).length === 0 ? null : "out of shape";
  } catch {
    // A HEAD of ours has no body either, but none is sent here.
    return "no JSON";
  }
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
