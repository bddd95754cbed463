// The docs page in a real browser: nothing from outside, and every operation can be tried.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { OPERATIONS } from "../../src/api/operations.ts";
import type { Node } from "../../src/node.ts";
import { CHROMIUM, IS_BROWSER_REQUIRED, NO_BROWSER, openBrowser } from "../harness/browser.ts";
import { openDevNode } from "./dev-node.ts";

const LONG = 60_000;

let node: Node;

beforeAll(async () => {
  node = await openDevNode();
}, LONG);

afterAll(async () => {
  await node.close();
}, LONG);

test("without JavaScript the page lists the 18 operations with their parameters", async () => {
  const response = await fetch(`${node.url}/docs`);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await response.text();
  for (const { id, path } of OPERATIONS) {
    expect(html).toContain(`<section class="operation" id="${id}"`);
    expect(html).toContain(`<code>${path}</code>`);
  }
  for (const name of ["did", "key_id", "denom", "address", "height", "pagination.key"]) {
    expect(html).toContain(`name="${name}"`);
  }
});

test("the policy of the page allows its own code and nothing from outside", async () => {
  const response = await fetch(`${node.url}/docs`);
  const html = await response.text();
  const policy = response.headers.get("content-security-policy") ?? "";
  for (const element of ["style", "script"]) {
    const code = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(html)?.[1] as string;
    expect(policy).toContain(`'sha256-${new Bun.CryptoHasher("sha256").update(code).digest("base64")}'`);
  }
  expect(policy).not.toContain("unsafe");
  expect(html).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
});

if (CHROMIUM === null) {
  if (IS_BROWSER_REQUIRED) {
    test("a browser is installed", () => {
      throw new Error(NO_BROWSER);
    });
  } else {
    console.warn(NO_BROWSER);
    test.skip("the docs page in Chromium", () => {});
  }
} else {
  describe("in Chromium", inChromium);
}

function inChromium(): void {
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(`${node.url}/docs`);
    await page.waitForSelector("html[data-ready]");
  }, LONG);

  afterAll(async () => {
    await browser.close();
  }, LONG);

  test(
    "each operation can be tried with what the page fills in",
    async () => {
      const address = node.samples?.accounts.map((account) => account.address) ?? [];
      for (const { id } of OPERATIONS) {
        await page.click(`#${id} form button`);
        await page.waitForSelector(`#${id} .answer`);
        expect([id, await page.textContent(`#${id} .status b`)]).toEqual([id, "200 OK"]);
        expect(await page.textContent(`#${id} .curl pre`)).toStartWith("curl -s ");
        JSON.parse((await page.textContent(`#${id} .answer`)) ?? "");
      }
      expect(address).toContain(await page.inputValue("#listBalances input[name=address]"));
      expect(await page.textContent("#listBalances .answer")).toContain('"denom": "uorr"');
      expect(await page.textContent("#simulateTx .answer")).toContain('"gas_used"');
    },
    LONG,
  );

  test(
    "the curl line gives the answer that is shown",
    async () => {
      const line = (await page.textContent("#getDocumentByKey .curl pre")) as string;
      const shown = JSON.parse((await page.textContent("#getDocumentByKey .answer")) as string);
      const { stdout } = Bun.spawn(["sh", "-c", line]);
      expect(await new Response(stdout).json()).toEqual(shown);
    },
    LONG,
  );

  test(
    "a mistake shows its status and sentence, and a height is sent along",
    async () => {
      await page.fill("#height", "99");
      await page.press("#listSupply form button", "Enter");
      await page.waitForSelector("#listSupply .status.failed");
      expect(await page.textContent("#listSupply .answer")).toContain(
        "x-cosmos-block-height: cannot query with height",
      );
      expect(await page.textContent("#listSupply .curl pre")).toContain("-H 'x-cosmos-block-height: 99'");
    },
    LONG,
  );

  test("nothing was asked of anyone but this node, and nothing was refused by the policy", () => {
    const outside = asked.filter((url) => !url.startsWith(`${node.url}/`) && !url.startsWith("data:"));
    expect(outside).toEqual([]);
    // Browsers log each answer of 4xx; there was one, asked for above.
    expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });
}
