// The client in Bun, in Node and in Chromium, against a real node: in Bun from its source, elsewhere from its bundle.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleClient } from "../../scripts/build-client.ts";
import * as source from "../../src/client/client.ts";
import { CHROMIUM, IS_BROWSER_REQUIRED, NO_BROWSER, openBrowser } from "../harness/browser.ts";
import { person } from "../harness/dev-txs.ts";
import { openTestNode, type TestNode, TRANSFER_HEIGHT } from "./client-node.ts";
import { exercise, type Task } from "./exercise.ts";

let node: TestNode;
let folder: string;
let task: Task;
let expected: object;

beforeAll(async () => {
  node = await openTestNode();
  task = {
    url: node.url,
    txBytes: node.txBytes,
    transferHeight: TRANSFER_HEIGHT,
    address: person("alice").address,
    deadUrl: "http://127.0.0.1:1",
  };
  expected = await exercise(source, task);
  folder = mkdtempSync(join(tmpdir(), "orrery-client-"));
  writeFileSync(join(folder, "client.js"), await bundleClient());
  const text = readFileSync(join(import.meta.dir, "exercise.ts"), "utf8");
  writeFileSync(join(folder, "exercise.js"), new Bun.Transpiler({ loader: "ts" }).transformSync(text));
}, 60_000);

afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true });
});

test("Bun", () => {
  expect(expected).toMatchObject({
    operations: {
      byNetwork: expect.stringContaining("did:orr:"),
      tokens: expect.arrayContaining(["uorr", "ucred"]),
      token: "ORR",
      accounts: [3, "18"],
      blocks: ["2", 1, "3"],
      network: "orrery-1",
      messages: [["/cosmos.bank.v1beta1.MsgSend"]],
      gasUsed: expect.stringMatching(/^[1-9]\d{4}$/),
    },
    // The fee collector is the 18th account; alice paid 12 and a fee of 500.
    walks: { sizes: [4, 4, 4, 4, 2], heights: ["3n"], spent: "512n", pinned: "1n" },
    rest: {
      badAddress: { code: 3, status: 400, parameter: "address" },
      unknownDid: { code: 5, status: 404, parameter: null },
      future: { code: 3, status: 400, parameter: "x-cosmos-block-height" },
      noTx: { code: 3, status: 400, parameter: null, details: ["/orrery.tx.v1.SimulationFailure"] },
      aborted: "Error: enough",
    },
  });
  const { own, found, balances, spendable } = (expected as { operations: Record<string, unknown> }).operations;
  expect(found).toEqual([own, own, own, own, own]);
  expect(spendable).toEqual(balances);
});

test("Node", async () => {
  const program = `import * as client from "./client.js";
import { exercise } from "./exercise.js";
console.log(JSON.stringify(await exercise(client, JSON.parse(process.argv[2]))));`;
  writeFileSync(join(folder, "main.mjs"), program);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const child = Bun.spawn(["node", join(folder, "main.mjs"), JSON.stringify(task)], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(err).toBe("");
  expect(JSON.parse(out)).toEqual(expected);
}, 30_000);

const isLeftOut = CHROMIUM === null && !IS_BROWSER_REQUIRED;
const inBrowser = isLeftOut ? test.skip : test;
const title = "Chromium, from a page of another origin";

inBrowser(
  isLeftOut ? `${title} (not run: ${NO_BROWSER})` : title,
  async () => {
    const browser = await openBrowser();
    const pages = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const html = { headers: { "content-type": "text/html" } };
        if (pathname === "/") return new Response("<!doctype html><title>client</title>", html);
        const file = Bun.file(join(folder, pathname));
        return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 });
      },
    });
    try {
      const page = await browser.newPage();
      await page.goto(pages.url.href);
      const program = `Promise.all([import("./client.js"), import("./exercise.js")]).then(
      ([client, { exercise }]) => exercise(client, ${JSON.stringify(task)}))`;
      expect(await page.evaluate(program)).toEqual(expected);
    } finally {
      await browser.close();
      await pages.stop(true);
    }
  },
  60_000,
);

test("blocks that come during a walk do not disturb it", async () => {
  const client = source.createClient(node.url);
  const before = await client.listAccounts();
  const heights: bigint[] = [];
  const accounts: unknown[] = [];
  for await (const { answer, height } of client.listAccounts.pages({ pagination: { limit: 5 } })) {
    heights.push(height);
    accounts.push(...answer.accounts);
    await node.produceBlock();
  }
  expect(heights).toEqual([3n, 3n, 3n, 3n]);
  expect(accounts).toEqual([...before.accounts]);
  expect((await client.getLatestBlock.read()).height).toBe(7n);
});
