// The README's own lines on a fresh home: `npm start`, then every curl line in it, all within five seconds; and its
// commands and programs as they stand there.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chooseOperation } from "../../src/api/choose.ts";
import { OPERATIONS } from "../../src/api/operations.ts";
import { parseQuery } from "../../src/api/query-string.ts";
import { cleanUp, orrery, ROOT, start, temporaryFolder } from "./orrery.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const DEFAULT_DOOR = "http://127.0.0.1:1317";
const WITHIN_MS = 5000;
const TRIES = 3;

const DEFAULT_RPC = "http://127.0.0.1:26657";

type CurlLine = {
  readonly line: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Null for a GET. */
  readonly body: string | null;
};

const LINES = README.split("\n")
  .filter((line) => line.startsWith("curl "))
  .map(readCurlLine);

afterAll(cleanUp);

test("every curl line is answered with content, within five seconds of npm start", async () => {
  const times: number[] = [];
  // A machine that is busy for a moment excuses one slow start, not three.
  do times.push(await startAndAsk());
  while (times.length < TRIES && Math.min(...times) > WITHIN_MS);
  expect(Math.min(...times)).toBeLessThan(WITHIN_MS);
}, 180_000);

/** How long it took from the command to the last answer. */
async function startAndAsk(): Promise<number> {
  const started = performance.now();
  const run = start(["npm", "start", "--", "--home", temporaryFolder(), "--api", "127.0.0.1:0"]);
  const [, url] = await run.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 4 * WITHIN_MS);
  const answers = await Promise.all(
    LINES.map(async ({ line, path, headers, body }) => {
      const answer = await fetch(url + path, { method: body === null ? "GET" : "POST", headers, body });
      return { line, status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    }),
  );
  const took = performance.now() - started;
  for (const { line, status, body } of answers) {
    expect({ line, status }).toEqual({ line, status: 200 });
    expect(`${line}: ${emptyParts(body)}`).toBe(`${line}: `);
  }
  run.signal("SIGTERM");
  await run.exit(4 * WITHIN_MS);
  await closed(url!, 4 * WITHIN_MS);
  return took;
}

describe("what follows the queries", () => {
  let url: string;
  let rpc: string;
  beforeAll(async () => {
    const node = orrery(["dev", "--home", temporaryFolder(), "--api", "127.0.0.1:0"]);
    url = (await node.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 4 * WITHIN_MS))[1]!;
    rpc = (await node.waitFor(/RPC door\s+(http:\/\/\S+:\d+)/, 4 * WITHIN_MS))[1]!;
  }, 30_000);

  const commands = README.split("\n").filter((line) => /^npx orrery (tx|query) [a-z-]+ --/.test(line));
  test.each(commands)(
    "%s",
    async (line) => {
      const run = orrery(line.split(" ").slice(2), { ORRERY_NODE: url });
      expect(`${await run.exit(20_000)} ${run.text()}`).toMatch(/^0 (hash|denom) /);
    },
    30_000,
  );

  const programs = [...README.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
  const ends = [/^0 [0-9A-F]{64} \d+ \d+n\n$/, /\n[1-9]\d* [1-9]\d*\ntrue 404\n$/];
  test.each(programs.map((program, i) => [i, program] as const))(
    "program %i",
    async (i, program) => {
      const run = start([process.execPath, "-e", program.replace(DEFAULT_DOOR, url).replace(DEFAULT_RPC, rpc)]);
      expect(`${await run.exit(30_000)} ${run.text()}`).toMatch(ends[i]!);
    },
    40_000,
  );

  test("there are both", () => {
    expect([commands.length, programs.length]).toEqual([3, 2]);
  });
});

test("there is a line for each operation", () => {
  const shown = new Set(LINES.map(({ path }) => operationOf(path)));
  expect(OPERATIONS.filter(({ id }) => !shown.has(id)).map(({ id }) => id)).toEqual([]);
});

test("it is short, and names the two commands", () => {
  expect(README.split("\n").length).toBeLessThan(200);
  expect(README).toContain("npm start");
  expect(README).toContain("npm test");
});

/** Nobody answers any more: what npm started has ended with it. */
async function closed(url: string, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  const answers = () =>
    fetch(url, { keepalive: false }).then(
      () => true,
      () => false,
    );
  while (await answers()) {
    if (performance.now() > end) throw new Error(`${url} still answers`);
    await Bun.sleep(50);
  }
}

/** Takes only what every shell reads alike: quoted headers, a quoted body and one quoted address. */
function readCurlLine(line: string): CurlLine {
  const match = /^curl -s((?: -H '[^':]+: [^']+')*)(?: -d '([^']+)')? '([^']+)'$/.exec(line);
  const [, , body = null, address = ""] = match ?? [];
  if (match === null || !address.startsWith(`${DEFAULT_DOOR}/`)) throw new Error(`not a plain curl line: ${line}`);
  const headers = [...match[1]!.matchAll(/-H '([^':]+): ([^']+)'/g)].map(([, name, value]) => [name, value]);
  return { line, path: address.slice(DEFAULT_DOOR.length), headers: Object.fromEntries(headers), body };
}

function operationOf(path: string): string | undefined {
  const [route, query = ""] = path.split("?");
  const candidates = OPERATIONS.filter((operation) => operation.path === route);
  return candidates.length === 0 ? undefined : chooseOperation(candidates, parseQuery(query)).id;
}

/** Names of the members that hold nothing; a block of the development chain has no transactions. */
function emptyParts(body: Record<string, unknown>): string {
  const empty = Object.entries(body).filter(
    ([name, value]) => name !== "txs" && (value === null || Object.keys(value as object).length === 0),
  );
  return (Object.keys(body).length === 0 ? ["the answer"] : empty.map(([name]) => name)).join(", ");
}
