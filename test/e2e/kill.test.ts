// The crash test of the whole product: a node is killed again and again while it writes blocks and readers ask. Nothing
// that was ever answered may be missing or different afterwards, and verify must find nothing.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNode, verifyHome } from "../../src/node.ts";
import { blockQuestions, stateQuestions } from "../harness/asked-at-heights.ts";
import { type Random, seededRandom } from "../harness/random-changes.ts";
import { bundle } from "./bundle.ts";

const KILLS = 25;
const BLOCK_TIME_MS = 10;
const READERS = 2;
/** How many of the newest answers the restarted writer is asked for again: a lost block would show there first. */
const NEWEST = 15;
/** About a minute on an idle machine; a busy one takes its time, and slowness is not what is tested here. */
const PATIENCE_MS = 600_000;
const UNTIL_MS = 30_000;
const PROGRAM = await bundle(join(import.meta.dir, "random-chain.ts"));

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** An answer, and the height it was read at. */
type Given = { readonly path: string; readonly height: string; readonly status: number; readonly text: string };

type Child = AsyncDisposable & { readonly url: string; kill(): Promise<void> };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-kill-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  `${KILLS} times killed while blocks are written and read`,
  async () => {
    const home = join(folder, "busy");
    const random = seededRandom(25);
    const given: Given[] = [];
    let highest = 0n;
    for (let round = 0; round < KILLS; round++) {
      await using child = await start(home);
      const first = await latestHeight(child.url);
      expect(first).toBeGreaterThanOrEqual(highest);
      await expectSameAnswers(child.url, given.slice(-NEWEST));
      const fresh: Given[] = [];
      let reading = true;
      const readers = Array.from({ length: READERS }, async () => {
        while (reading) await readOnce(child.url, random, fresh);
      });
      // However slow the machine is: the kill comes while blocks are written and answers given, not before.
      await until(() => fresh.some(({ height }) => BigInt(height) > first));
      await Bun.sleep(random(450));
      await child.kill();
      reading = false;
      await Promise.all(readers);

      given.push(...fresh);
      for (const { height } of fresh) if (BigInt(height) > highest) highest = BigInt(height);
      // All of this round from the files as the kill left them; then the next writer is asked about the newest.
      await expectServed(home, fresh);
      expect(await verifyHome({ home })).toEqual([]);
    }
    await expectServed(home, given);
    expect(highest).toBeGreaterThan(BigInt(KILLS));
  },
  PATIENCE_MS,
);

test(
  "killed at any instant of its making, a home can be begun with",
  async () => {
    const random = seededRandom(7);
    for (let round = 0; round < 6; round++) {
      const home = join(folder, `new-${round}`);
      const child = Bun.spawn([process.execPath, PROGRAM, home, "10"], { stdout: "ignore", stderr: "ignore" });
      await Bun.sleep(100 + random(400));
      child.kill("SIGKILL");
      await child.exited;
      await using again = await start(home);
      expect(await latestHeight(again.url)).toBeGreaterThanOrEqual(1n);
      await again.kill();
      expect(await verifyHome({ home })).toEqual([]);
    }
  },
  PATIENCE_MS,
);

test(
  "killed while it lets go of old heights, a home is whole and goes on",
  async () => {
    const home = join(folder, "short");
    const random = seededRandom(8);
    for (let round = 0; round < 6; round++) {
      // In turn more and less: the longer range is cut down over several blocks, of which the kill may hit any.
      await using child = await start(home, round % 2 === 0 ? 60 : 3);
      await Bun.sleep(150 + random(450));
      await child.kill();
      expect(await verifyHome({ home })).toEqual([]);
    }
  },
  PATIENCE_MS,
);

async function start(home: string, keep?: number): Promise<Child> {
  const kept = keep === undefined ? [] : [String(keep)];
  const child = Bun.spawn([process.execPath, PROGRAM, home, String(BLOCK_TIME_MS), ...kept], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const { value } = await child.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  if (!url.startsWith("http")) {
    child.kill("SIGKILL");
    throw new Error(`the node did not start: ${await new Response(child.stderr).text()}`);
  }
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { url, kill, [Symbol.asyncDispose]: kill };
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + UNTIL_MS; !isSo(); await Bun.sleep(5))
    if (performance.now() > end) throw new Error(`it did not come to that in ${UNTIL_MS} ms: ${isSo}`);
}

/** One round of questions; those that the kill cuts short were never answered. */
async function readOnce(url: string, random: Random, given: Given[]): Promise<void> {
  const paths = stateQuestions(random);
  for (const path of [...paths, "block"]) {
    try {
      const newest = path === "block" ? await latestHeight(url) : null;
      const asked = newest === null ? [path] : blockQuestions(newest);
      for (const question of asked) {
        const answer = await fetch(url + question);
        const height = answer.headers.get("x-cosmos-block-height");
        const text = await answer.text();
        if (answer.status >= 500) throw new Error(`${question}: ${answer.status} ${text}`);
        if (height !== null) given.push({ path: question, height, status: answer.status, text });
      }
    } catch (error) {
      if (error instanceof Error && /: 5\d\d /.test(error.message)) throw error;
      return;
    }
  }
}

async function expectSameAnswers(url: string, given: readonly Given[]): Promise<void> {
  const different: unknown[] = [];
  for (const { path, height, status, text } of given) {
    const answer = await fetch(url + path, { headers: { "x-cosmos-block-height": height } });
    const now = await answer.text();
    if (answer.status !== status || now !== text)
      different.push({ path, height, before: text, status: answer.status, now });
  }
  expect(different).toEqual([]);
}

/** Asked without a writer: of a node that opens the home for reading. */
async function expectServed(home: string, given: readonly Given[]): Promise<void> {
  const node = await createNode({ mode: "serve", home, api: { host: "127.0.0.1", port: 0 }, log: SILENT });
  await expectSameAnswers(node.url!, given);
  await node.close();
}

async function latestHeight(url: string): Promise<bigint> {
  const answer = await fetch(`${url}/core/base/consensus/v1beta1/blocks/latest`);
  const { block } = (await answer.json()) as { block: { header: { height: string } } };
  return BigInt(block.header.height);
}
