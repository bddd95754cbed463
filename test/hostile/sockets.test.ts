// Connections that only lie there, and ones that are slow on purpose: nobody else notices them.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { cleanUp, orrery, temporaryFolder } from "../e2e/orrery.ts";

const IDLE = 1000;
const SLOW = 200;
const PROBES = 50;
const PROBE_EVERY_MS = 100;
/** On a machine that does other things; unloaded it is a few milliseconds. */
const SLOWEST_PROBE_MS = 1000;

let url: string;
const sockets: { end(): void }[] = [];

beforeAll(async () => {
  const run = orrery(["dev", "--home", temporaryFolder(), "--api", "127.0.0.1:0", "--block-time", "1s"]);
  url = (await run.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 20_000))[1] as string;
}, 30_000);

afterAll(async () => {
  for (const socket of sockets) socket.end();
  await cleanUp();
});

async function connect(first: string, then: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {}, error() {}, close() {} } });
  sockets.push(socket);
  if (first !== "") socket.write(first);
  if (then === "") return;
  const timer = setInterval(() => socket.write(then), 1000);
  timer.unref();
}

test(`${IDLE} idle and ${SLOW} slow connections: probes are answered as before`, async () => {
  const body = "POST /core/tx/v1beta1/simulate HTTP/1.1\r\nHost: node\r\nContent-Length: 5000\r\n\r\n";
  for (let i = 0; i < IDLE; i += 100) await Promise.all(Array.from({ length: 100 }, () => connect("", "")));
  for (let i = 0; i < SLOW / 2; i++) await connect("GET /readyz HTTP/1.1\r\nHost: node\r\n", "x: y\r\n");
  for (let i = 0; i < SLOW / 2; i++) await connect(body, " ");
  const times: number[] = [];
  for (let i = 0; i < PROBES; i++) {
    const began = performance.now();
    const path = i % 2 === 0 ? "/readyz" : "/core/bank/v1beta1/supply";
    const response = await fetch(url + path);
    await response.text();
    expect(response.status).toBe(200);
    times.push(performance.now() - began);
    await Bun.sleep(PROBE_EVERY_MS);
  }
  times.sort((a, b) => a - b);
  console.log(`probes: median ${times[PROBES / 2]?.toFixed(1)} ms, slowest ${times.at(-1)?.toFixed(1)} ms`);
  expect(times.at(-1)).toBeLessThan(SLOWEST_PROBE_MS);
  // A body can still be sent: the slow ones have not taken every place.
  const simulation = await fetch(`${url}/core/tx/v1beta1/simulate`, { method: "POST", body: "{}" });
  expect(simulation.status).toBe(400);
}, 60_000);
