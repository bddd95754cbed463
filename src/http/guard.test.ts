import { describe, expect, test } from "bun:test";
import type { ApiError } from "../api/errors.ts";
import type { Log, LogFields } from "../log.ts";
import { Admission } from "./admission.ts";
import { type Fetch, guard } from "./guard.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { refuse } from "./refusal.ts";

type Line = { readonly text: string; readonly fields: LogFields | undefined };

type Setting = {
  readonly fetch?: Fetch;
  readonly limits?: Partial<Limits>;
  readonly host?: string;
  readonly delay?: number;
  readonly accessLog?: boolean;
  readonly address?: string;
};

function doorWith(setting: Setting) {
  const lines: Line[] = [];
  const keep = (text: string, fields?: LogFields) => void lines.push({ text, fields });
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
  const limits = { ...DEFAULT_LIMITS, ...setting.limits };
  const guarded = guard(setting.fetch ?? (() => new Response("answer")), {
    limits,
    host: setting.host ?? "127.0.0.1",
    delay: { median: setting.delay ?? 0, stop: () => {} },
    admission: new Admission(limits.maxInFlight, limits.maxQueue, limits.queueWaitMs),
    refuse: (error: ApiError, headers) => refuse(error, null, headers),
    log,
    accessLog: setting.accessLog ?? false,
  });
  const ask = async (path: string, init: RequestInit = {}, address = setting.address ?? "192.0.2.7") =>
    await guarded(new Request(`http://node${path}`, init), () => address);
  return { ask, lines };
}

async function expectRefusal(response: Response, status: number, code: number): Promise<void> {
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ code, message: expect.any(String), details: [] });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-expose-headers")).toContain("retry-after");
}

describe("limits", () => {
  test("a URL that is too long is 414", async () => {
    const { ask } = doorWith({});
    expect((await ask(`/${"a".repeat(8000)}`)).status).toBe(200);
    await expectRefusal(await ask(`/${"a".repeat(9000)}`), 414, 8);
  });

  test("an address that asks too often is 429 and told when to come back; others and loopback are not", async () => {
    const { ask } = doorWith({ host: "0.0.0.0", limits: { rate: 1, rateBurst: 2 } });
    expect([(await ask("/a")).status, (await ask("/a")).status]).toEqual([200, 200]);
    const refusal = await ask("/a");
    expect(refusal.headers.get("retry-after")).toBe("1");
    await expectRefusal(refusal, 429, 8);
    expect((await ask("/readyz")).status).toBe(200);
    expect((await ask("/a", {}, "192.0.2.8")).status).toBe(200);
    for (let i = 0; i < 5; i++) expect((await ask("/a", {}, "127.0.0.1")).status).toBe(200);
  });

  test("a door on loopback does not even ask who calls", async () => {
    const { ask } = doorWith({ limits: { rate: 1, rateBurst: 1 } });
    for (let i = 0; i < 5; i++) expect((await ask("/a")).status).toBe(200);
  });

  test("behind a proxy, the header that it sets names the client", async () => {
    const { ask } = doorWith({
      limits: { rate: 1, rateBurst: 1, clientAddressHeader: "x-real-ip" },
      address: "127.0.0.1",
    });
    const from = async (address: string) => (await ask("/a", { headers: { "x-real-ip": address } })).status;
    expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([200, 429, 200]);
  });

  test("a late event loop turns bodies away first, then everything but probes", async () => {
    const late = doorWith({ delay: 300 });
    const refusal = await late.ask("/simulate", { method: "POST", body: "{}" });
    expect(refusal.headers.get("retry-after")).toBe("2");
    await expectRefusal(refusal, 503, 14);
    expect((await late.ask("/supply")).status).toBe(200);
    const later = doorWith({ delay: 2000 });
    await expectRefusal(await later.ask("/supply"), 503, 14);
    expect((await later.ask("/healthz")).status).toBe(200);
    const never = doorWith({ delay: 2000, limits: { shedDelayMs: null } });
    expect((await never.ask("/supply")).status).toBe(200);
  });

  test("requests with bodies have places; without one in time they are 503", async () => {
    let finish = () => {};
    const under = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const fetch: Fetch = async () => {
      await under;
      return new Response("done");
    };
    const { ask } = doorWith({ fetch, limits: { maxInFlight: 1, maxQueue: 1, queueWaitMs: 20 } });
    const first = ask("/simulate", { method: "POST", body: "{}" });
    await expectRefusal(await ask("/simulate", { method: "POST", body: "{}" }), 503, 14);
    finish();
    expect((await first).status).toBe(200);
    expect((await ask("/simulate", { method: "POST", body: "{}" })).status).toBe(200);
  });
});

describe("ids and times", () => {
  test("a sane id comes back with the time it took; an odd one is replaced", async () => {
    const { ask } = doorWith({});
    const answer = await ask("/a", { headers: { "x-request-id": "abc-1.2:3" } });
    expect(answer.headers.get("x-request-id")).toBe("abc-1.2:3");
    expect(answer.headers.get("server-timing")).toMatch(/^total;dur=\d+\.\d{3}$/);
    for (const odd of ["a b", "é", "x".repeat(129), '"']) {
      const replaced = (await ask("/a", { headers: { "x-request-id": odd } })).headers.get("x-request-id");
      expect(replaced).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
    }
  });

  test("a plain answer has none, an error always, and with an access log every answer", async () => {
    expect((await doorWith({}).ask("/a")).headers.get("x-request-id")).toBeNull();
    const wrong = doorWith({ fetch: () => new Response("{}", { status: 404 }) });
    expect((await wrong.ask("/a")).headers.get("x-request-id")).toMatch(/./);
    expect(wrong.lines).toEqual([]);
    const logging = doorWith({ accessLog: true });
    const answer = await logging.ask("/a?secret=1");
    const id = answer.headers.get("x-request-id") as string;
    const fields = { id, method: "GET", path: "/a", status: 200, ms: expect.any(Number) };
    expect(logging.lines).toEqual([{ text: "request", fields }]);
  });

  test("a fault of our own is a line with the id", async () => {
    const { ask, lines } = doorWith({ fetch: () => new Response("{}", { status: 500 }) });
    const id = (await ask("/a", { headers: { "x-request-id": "mine" } })).headers.get("x-request-id");
    expect(id).toBe("mine");
    expect(lines).toEqual([{ text: "failed", fields: { id: "mine", method: "GET", path: "/a", status: 500 } }]);
  });
});
