// The greeting at `/`, and the manners of the node's own pages.

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Node } from "../../src/node.ts";
import { openDevNode } from "./dev-node.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const LONG = 60_000;

let node: Node;

beforeAll(async () => {
  node = await openDevNode();
}, LONG);

afterAll(async () => {
  await node.close();
}, LONG);

test("programs get JSON: name, version, chain, heights, links", async () => {
  for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }, { accept: "text/html;q=0" }]) {
    const response = await fetch(`${node.url}/`, { headers });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("vary")).toBe("accept, accept-encoding");
    expect(await response.json()).toMatchObject({
      name: "Orrery",
      version: node.version,
      chain_id: node.chainId,
      earliest_height: "1",
      latest_height: String(node.head()),
      links: { docs: "/docs", openapi: "/openapi.json" },
    });
  }
});

test("browsers get a page that leads to the docs", async () => {
  const response = await fetch(`${node.url}/`, { headers: { accept: BROWSER } });
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await response.text();
  for (const part of ['href="./docs"', 'href="./openapi.json"', node.chainId, node.version])
    expect(html).toContain(part);
});

test("every link and every first query answers 200", async () => {
  const greeting = (await (await fetch(`${node.url}/`)).json()) as {
    links: Record<string, string>;
    first_queries: string[];
  };
  expect(greeting.first_queries.length).toBe(5);
  for (const path of [...Object.values(greeting.links), ...greeting.first_queries]) {
    expect([path, (await fetch(node.url + path)).status]).toEqual([path, 200]);
  }
});

test("the heights follow the chain, and so do the examples", async () => {
  const height = await node.produceBlock();
  const { latest_height } = (await (await fetch(`${node.url}/`)).json()) as { latest_height: string };
  expect(latest_height).toBe(String(height));
  const document = await (await fetch(`${node.url}/openapi.json`)).text();
  expect(document).toContain(`"height":"${height}"`);
});

test("the node's own paths answer HEAD, refuse other methods, and are open to every page", async () => {
  for (const path of ["/", "/docs", "/openapi.json"]) {
    const head = await fetch(node.url + path, { method: "HEAD" });
    expect([path, head.status, await head.text()]).toEqual([path, 200, ""]);
    const post = await fetch(node.url + path, { method: "POST" });
    expect([path, post.status, post.headers.get("allow")]).toEqual([path, 405, "GET, HEAD, OPTIONS"]);
    expect(head.headers.get("access-control-allow-origin")).toBe("*");
  }
});
