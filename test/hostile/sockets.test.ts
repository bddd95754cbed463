// Connections that only lie there, and ones that are slow on purpose: nobody else notices them, and the node closes them.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { cleanUp, orrery, temporaryFolder } from "../e2e/orrery.ts";
import { type RawReply, sendRaw } from "../harness/raw-socket.ts";
import { expectRefusal, expectRuntimeRefusal } from "./refusals.ts";

const IDLE = 1000;
const SLOW = 200;
const PROBES = 40;
const PROBE_EVERY_MS = 20;
/** How many times longer a probe may take than before, at the median and at the ninth of ten. */
const MOST_RATIO = 8;
/** Below this many milliseconds a ratio says more about the clock than about the node. */
const LEAST_MS = 5;
/** The node's own limits are 10 s for a body and 12 to 16 s for the rest; the rest is for a machine that is busy. */
const CLOSED_WITHIN_MS = 40_000;

const HEAD = "GET /readyz HTTP/1.1\r\nHost: node\r\n";
const BODY = "POST /core/tx/v1beta1/simulate HTTP/1.1\r\nHost: node\r\nContent-Length: 5000\r\n\r\n";
const HEADER_DRIP = { bytes: "x: y\r\n", everyMs: 1000 };
const BODY_DRIP = { bytes: " ", everyMs: 1000 };

let url: string;

beforeAll(async () => {
  const run = orrery(["dev", "--home", temporaryFolder(), "--api", "127.0.0.1:0", "--block-time", "1s"]);
  url = (await run.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 60_000))[1] as string;
}, 90_000);

afterAll(cleanUp);

type Times = { readonly median: number; readonly ninth: number };

async function probe(count = PROBES): Promise<Times> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const response = await fetch(url + (i % 2 === 0 ? "/readyz" : "/core/bank/v1beta1/supply"));
    await response.text();
    expect(response.status).toBe(200);
    times.push(performance.now() - began);
    await Bun.sleep(PROBE_EVERY_MS);
  }
  times.sort((a, b) => a - b);
  return { median: times[count / 2] as number, ninth: times[(count * 9) / 10] as number };
}

/** Each is held until the node closes it. */
function hold(count: number, first: string, drip?: { bytes: string; everyMs: number }): Promise<RawReply>[] {
  const options = { waitMs: CLOSED_WITHIN_MS, ...(drip === undefined ? {} : { drip }) };
  return Array.from({ length: count }, () => sendRaw(url, first, options));
}

test(`${IDLE} idle and ${SLOW} slow connections: probes are answered as before, and all of them are closed`, async () => {
  await probe(10);
  const before = await probe();
  const idle = hold(IDLE, "");
  const slowHeads = hold(SLOW / 2, HEAD, HEADER_DRIP);
  const slowBodies = hold(SLOW / 2, BODY, BODY_DRIP);
  await Bun.sleep(1000);
  const beside = await probe();
  const shown = ({ median, ninth }: Times) => `median ${median.toFixed(1)} ms, ninth of ten ${ninth.toFixed(1)} ms`;
  console.log(`probes: before ${shown(before)}; beside them ${shown(beside)}`);
  for (const at of ["median", "ninth"] as const) {
    expect(beside[at]).toBeLessThan(Math.max(before[at], LEAST_MS) * MOST_RATIO);
  }
  // A body can still be sent: the slow ones have not taken every place.
  const simulation = await fetch(`${url}/core/tx/v1beta1/simulate`, { method: "POST", body: "{}" });
  expect(simulation.status).toBe(400);

  for (const reply of await Promise.all(slowBodies)) {
    expect(reply.closed).toBe(true);
    expectRefusal(reply, 408, 4, /^body: not complete within 10 s$/);
  }
  for (const reply of await Promise.all(slowHeads)) expectRuntimeRefusal(reply, 408);
  for (const { closed, statuses } of await Promise.all(idle)) expect([closed, statuses]).toEqual([true, []]);
  const longest = (replies: readonly RawReply[]) => Math.max(...replies.map(({ milliseconds }) => milliseconds)) / 1000;
  const [bodies, heads, lying] = await Promise.all([slowBodies, slowHeads, idle].map((all) => Promise.all(all)));
  console.log(`closed: bodies ${longest(bodies!)} s, heads ${longest(heads!)} s, idle ${longest(lying!)} s`);
}, 120_000);
