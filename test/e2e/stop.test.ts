// SIGTERM under load: every answer that began is whole, and the process ends by itself with code 0, whatever
// connections lie idle.

import { afterAll, expect, test } from "bun:test";
import { cleanUp, orrery, type Run, temporaryFolder } from "./orrery.ts";

const STOPS = 10;
const CLIENTS = 12;
const PATHS = [
  "/core/auth/v1beta1/accounts",
  "/vendor/project/identity/did",
  "/core/base/consensus/v1beta1/blocks/latest",
  "/core/bank/v1beta1/supply?pagination.count_total=true",
];
const LARGEST = "/openapi.json";

afterAll(cleanUp);

type Tally = { whole: number; truncated: string[]; wrong: string[] };

/** Asks until the door is gone. A connection that is refused or closed before an answer began is no answer at all. */
async function client(url: string, tally: Tally, first: number): Promise<void> {
  for (let i = first; ; i++) {
    const path = i % 30 === 29 ? LARGEST : (PATHS[i % PATHS.length] as string);
    let response: Response;
    try {
      response = i % 7 === 0 ? await simulation(url) : await fetch(url + path);
    } catch {
      return;
    }
    try {
      JSON.parse(await response.text());
      tally.whole += 1;
      if (response.status >= 500) tally.wrong.push(`${response.status} for ${path}`);
    } catch (error) {
      tally.truncated.push(`${path}: ${error}`);
    }
  }
}

function simulation(url: string): Promise<Response> {
  const body = JSON.stringify({ tx: "", tx_bytes: "AAAA" });
  return fetch(`${url}/core/tx/v1beta1/simulate`, { method: "POST", body });
}

/** A connection that says nothing, or half of something, and stays. */
async function loiter(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  await Bun.connect({ hostname, port: Number(port), socket: { open: (socket) => void socket.write(text), data() {} } });
}

async function startNode(): Promise<{ run: Run; url: string }> {
  const run = orrery(["dev", "--home", temporaryFolder(), "--api", "127.0.0.1:0", "--block-time", "500ms"]);
  const [, url] = await run.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 20_000);
  return { run, url: url as string };
}

test(`${STOPS} stops under load: no truncated answer, exit 0 within 10 s`, async () => {
  const tally: Tally = { whole: 0, truncated: [], wrong: [] };
  let slowest = 0;
  for (let stop = 0; stop < STOPS; stop++) {
    const { run, url } = await startNode();
    await loiter(url, "");
    await loiter(url, "GET /readyz HTTP/1.1\r\nHost: node\r\n\r\n");
    await loiter(url, "GET /readyz HTTP/1.1\r\nHo");
    // The first one is made from the running node, and holds up what comes behind it.
    await (await fetch(url + LARGEST)).text();
    const clients = Array.from({ length: CLIENTS }, (_, first) => client(url, tally, first));
    await Bun.sleep(200 + 40 * stop);
    const asked = performance.now();
    run.signal("SIGTERM");
    expect(await run.exit(10_000)).toBe(0);
    slowest = Math.max(slowest, performance.now() - asked);
    await Promise.all(clients);
  }
  expect(tally.truncated).toEqual([]);
  expect(tally.wrong).toEqual([]);
  expect(tally.whole).toBeGreaterThan(STOPS * CLIENTS * 3);
  console.log(`${tally.whole} whole answers, slowest stop ${slowest.toFixed(0)} ms`);
}, 180_000);

test("a body that never comes holds the end up for no longer than the grace", async () => {
  const { run, url } = await startNode();
  await loiter(url, "POST /core/tx/v1beta1/simulate HTTP/1.1\r\nHost: node\r\nContent-Length: 100\r\n\r\n{");
  await Bun.sleep(200);
  run.signal("SIGTERM");
  expect(await run.exit(10_000)).toBe(0);
}, 40_000);

test("a WebSocket of the RPC door is told to go elsewhere", async () => {
  const { run } = await startNode();
  const [, rpc] = await run.waitFor(/RPC door\s+http:\/\/(\S+:\d+)/, 5000);
  const socket = new WebSocket(`ws://${rpc}/websocket`);
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", ({ code }) => resolve(code));
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  run.signal("SIGTERM");
  expect(await closed).toBe(1001);
  expect(await run.exit(10_000)).toBe(0);
}, 40_000);
