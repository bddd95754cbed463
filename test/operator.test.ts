// What an operator meets of a whole node: probes, metrics on their own door, routes that are not served, fields that
// are hidden.

import { afterAll, expect, test } from "bun:test";
import { createNode, type DevOptions, type Node } from "../src/node.ts";

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const FREE = { host: "127.0.0.1", port: 0 };
const nodes: Node[] = [];

afterAll(async () => {
  for (const node of nodes) await node.close();
});

async function nodeWith(options: Partial<DevOptions>): Promise<Node> {
  const node = await createNode({
    ...{ mode: "dev", engine: "memory", home: "", api: FREE, manual: true, log: QUIET },
    ...options,
  } as DevOptions);
  nodes.push(node);
  return node;
}

test("metrics and probes on the operator's door; probes alone on the public one", async () => {
  const node = await nodeWith({ metrics: FREE });
  await fetch(`${node.url}/core/bank/v1beta1/supply`);
  await fetch(`${node.url}/core/bank/v1beta1/supply?pagination.limit=x`);
  const answer = await fetch(`${node.metricsUrl}/metrics`);
  expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  const text = await answer.text();
  expect(text).toContain('orrery_requests_total{operation="listSupply",status="200"} 1\n');
  expect(text).toContain('orrery_requests_total{operation="listSupply",status="400"} 1\n');
  // The root of the counted list, and the entries of the page.
  const [, rows] = /^orrery_rows_read_total\{operation="listSupply"\} (\d+)$/m.exec(text) ?? [];
  const { supply } = await (await fetch(`${node.url}/core/bank/v1beta1/supply`)).json();
  expect(Number(rows)).toBe(supply.length + 1);
  expect(text).toMatch(/^orrery_head_height 1$/m);
  expect(text).toMatch(/^orrery_head_age_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
  expect((await fetch(`${node.metricsUrl}/readyz`)).status).toBe(200);
  for (const probe of ["/healthz", "/readyz"]) expect((await fetch(node.url + probe)).status).toBe(200);
  expect((await fetch(`${node.url}/readyz?max_age=0`)).status).toBe(503);
  expect((await fetch(`${node.url}/metrics`)).status).toBe(404);
});

test("routes that are denied are not there; probes always are", async () => {
  const node = await nodeWith({ routes: { allow: ["/core/*", "/cosmos/*"], deny: ["simulateTx", "/cosmos/auth/*"] } });
  const status = async (path: string, init = {}) => (await fetch(node.url + path, init)).status;
  expect(await status("/core/bank/v1beta1/supply")).toBe(200);
  expect(await status("/core/tx/v1beta1/simulate", { method: "POST", body: "{}" })).toBe(404);
  expect(await status("/cosmos/auth/v1beta1/accounts")).toBe(501);
  expect(await status("/docs")).toBe(404);
  expect(await status("/readyz")).toBe(200);
});

test("what the node says of itself can be hidden", async () => {
  const path = "/core/base/consensus/v1beta1/node_info";
  const open = await (await fetch((await nodeWith({})).url + path)).json();
  expect(open.application_version.build_deps.length).toBeGreaterThan(0);
  expect(open.default_node_info.moniker).not.toBe("");
  const node = await nodeWith({ hideNodeInfo: ["build_deps", "git_commit", "moniker"] });
  const hidden = await (await fetch(node.url + path)).json();
  expect(hidden.application_version.build_deps).toEqual([]);
  expect([hidden.application_version.git_commit, hidden.default_node_info.moniker]).toEqual(["", ""]);
  expect(hidden.default_node_info.network).toBe(open.default_node_info.network);
});

test("the node is not ready from the moment it is asked to end, and answers until it has", async () => {
  const node = await nodeWith({ drainMs: 400 });
  const closing = node.close();
  const answer = await fetch(`${node.url}/readyz`);
  expect(answer.status).toBe(503);
  expect((await answer.json()).checks.running).toEqual({ ok: false });
  expect((await fetch(`${node.url}/core/bank/v1beta1/supply`)).status).toBe(200);
  await closing;
  await expect(fetch(`${node.url}/readyz`)).rejects.toThrow();
});

test("the chain in the shape of the chain registry", async () => {
  const node = await nodeWith({
    rpc: FREE,
    minGasPrices: [{ denom: "uorr", price: 25n * 10n ** 15n }],
    publicUrls: { api: "https://api.example" },
  });
  const chain = await (await fetch(`${node.url}/chain.json`)).json();
  expect(chain).toMatchObject({
    chain_name: node.chainId.replaceAll(/[^a-z0-9]/g, ""),
    chain_type: "cosmos",
    chain_id: node.chainId,
    network_type: "devnet",
    bech32_prefix: "cosmos",
    slip44: 118,
    apis: { rest: [{ address: "https://api.example", provider: "orrery" }], rpc: [{ address: node.rpcUrl }] },
  });
  expect(chain.fees.fee_tokens).toEqual([
    {
      denom: "uorr",
      fixed_min_gas_price: 0.025,
      low_gas_price: 0.025,
      average_gas_price: 0.0375,
      high_gas_price: 0.05,
    },
  ]);
  const { assets, chain_name } = await (await fetch(`${node.url}/assetlist.json`)).json();
  expect(chain_name).toBe(chain.chain_name);
  const orr = assets.find(({ base }: { base: string }) => base === "uorr");
  expect(orr).toMatchObject({ display: "orr", symbol: "ORR", type_asset: "sdk.coin" });
  expect(orr.denom_units).toEqual([
    { denom: "uorr", exponent: 0, aliases: ["microorr"] },
    { denom: "orr", exponent: 6 },
  ]);
  expect(assets.find(({ base }: { base: string }) => base.startsWith("ibc/")).type_asset).toBe("ics20");
});
