import { describe, expect, test } from "bun:test";
import { createHealth, type HealthSource } from "./health.ts";

const NOW = Date.parse("2026-01-01T00:01:00Z");
const RUNNING: HealthSource = {
  stopping: () => false,
  head: async () => ({ height: 7n, time: new Date(NOW - 20_000) }),
  failure: () => null,
  lag: () => null,
};

async function ready(source: Partial<HealthSource>, query = "", limits = {}) {
  const health = createHealth({ ...RUNNING, ...source }, { maxAgeSeconds: null, maxLag: null, ...limits }, () => NOW);
  const response = await health.ready(new Request(`http://node/readyz${query}`));
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("a node that lives says so", async () => {
  const response = createHealth(RUNNING, { maxAgeSeconds: null, maxLag: null }).live();
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
});

test("ready: every check is shown", async () => {
  const { status, body, headers } = await ready({});
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(body).toEqual({
    status: "ready",
    checks: {
      running: { ok: true },
      chain: { ok: true },
      storage: { ok: true },
      first_block: { ok: true, height: "7" },
      age: { ok: true, seconds: 20, limit: null },
      lag: { ok: true, blocks: null, limit: null },
    },
  });
});

describe("not ready", () => {
  const rows: [name: string, source: Partial<HealthSource>, query: string, failing: string][] = [
    ["while stopping", { stopping: () => true }, "", "running"],
    ["when the chain has failed", { failure: () => new Error("secret path") }, "", "chain"],
    ["before the first block", { head: async () => null }, "", "first_block"],
    ["when the store cannot be read", { head: () => Promise.reject(new Error("io")) }, "", "storage"],
    ["when the newest block is too old", {}, "?max_age=19", "age"],
    ["when it is too far behind", { lag: () => 6n }, "?max_lag=5", "lag"],
  ];
  test.each(rows)("%s", async (_, source, query, failing) => {
    const { status, body, headers } = await ready(source, query);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    expect(body).toMatchObject({ code: 14, message: `not ready: ${failing}`, details: [], status: "not ready" });
    expect(body.checks[failing].ok).toBe(false);
    expect(JSON.stringify(body)).not.toContain("secret");
  });
});

test("limits come with the node, and a question may bring its own", async () => {
  expect((await ready({}, "", { maxAgeSeconds: 10 })).status).toBe(503);
  expect((await ready({}, "?max_age=20", { maxAgeSeconds: 10 })).status).toBe(200);
  expect((await ready({ lag: () => 5n }, "?max_lag=5")).status).toBe(200);
  const wrong = await ready({}, "?max_age=soon");
  expect([wrong.status, wrong.body]).toEqual([400, { code: 3, message: "max_age: not a number", details: [] }]);
});
