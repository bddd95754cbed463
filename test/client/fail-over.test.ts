// Several endpoints: what is tried again and what is not, how long is waited, and that no call goes back in height.

import { afterEach, describe, expect, test } from "bun:test";
import { type ClientOptions, createClient, ERROR_CODE, OrreryError } from "../../src/client/client.ts";
import { cutEndpoint, errorReply, type Script, type ScriptedEndpoint, scriptedEndpoint } from "./scripted-endpoint.ts";

const endpoints: ScriptedEndpoint[] = [];
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint.close();
});

function open(...script: Script): ScriptedEndpoint {
  const endpoint = scriptedEndpoint(...script);
  endpoints.push(endpoint);
  return endpoint;
}

const clientOf = (...given: readonly ScriptedEndpoint[]) => withOptions({}, ...given);
const withOptions = (options: ClientOptions, ...given: readonly ScriptedEndpoint[]) =>
  createClient(
    given.map(({ url }) => url),
    options,
  );

async function errorFrom(call: Promise<unknown>): Promise<OrreryError> {
  const error = await call.then(
    () => "an answer",
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(OrreryError);
  return error as OrreryError;
}

const counts = (...given: readonly ScriptedEndpoint[]) => given.map(({ asked }) => asked.length);
const busy = (seconds: string) => errorReply(503, 14, "busy", { headers: { "retry-after": seconds } });

describe("what is tried again", () => {
  test("an endpoint that cannot be reached is passed over, and not asked first again while it rests", async () => {
    const [dead, alive] = [open({}), open({ height: 7 })];
    await dead.close();
    const client = clientOf(dead, alive);
    expect((await client.listSupply.read()).endpoint).toBe(alive.url);
    await client.listSupply();
    expect(alive.asked).toHaveLength(2);
  });

  test.each([429, 503])("status %d goes to the next endpoint at once", async (status) => {
    const [first, second] = [open(errorReply(status, 14, "busy")), open({ height: 3 })];
    const { endpoint, height } = await clientOf(first, second).listSupply.read();
    expect([endpoint, height]).toEqual([second.url, 3n]);
    expect(counts(first, second)).toEqual([1, 1]);
  });

  test.each([400, 404, 405, 413, 500, 501, 502])("status %d does not", async (status) => {
    const [first, second] = [open(errorReply(status, 2, "no")), open({})];
    const error = await errorFrom(clientOf(first, second).listSupply());
    expect([error.status, error.message, error.endpoint]).toEqual([status, "no", first.url]);
    expect(counts(first, second)).toEqual([1, 0]);
  });

  test("an answer that breaks off counts as none", async () => {
    const [broken, whole] = [cutEndpoint(), open({})];
    const { endpoint } = await createClient([broken.url, whole.url]).listSupply.read();
    broken.close();
    expect(endpoint).toBe(whole.url);
  });

  test("a simulation is sent again too, with its body", async () => {
    const endpoint = open(errorReply(503, 14, "busy", { headers: { "retry-after": "0" } }), { body: { gas_info: {} } });
    await clientOf(endpoint).simulateTx({ tx_bytes: "AQ==" });
    expect(endpoint.asked.map(({ body }) => JSON.parse(body))).toEqual([
      { tx: "", tx_bytes: "AQ==" },
      { tx: "", tx_bytes: "AQ==" },
    ]);
  });

  test("tries are bounded: one endpoint gets four, by default", async () => {
    const endpoint = open(busy("0"));
    const error = await errorFrom(clientOf(endpoint).listSupply());
    expect([error.code, error.status, error.retryAfterMs]).toEqual([ERROR_CODE.unavailable, 503, 0]);
    expect(endpoint.asked).toHaveLength(4);
  });

  test("and as many as the caller says", async () => {
    const endpoint = open(busy("0"));
    await errorFrom(withOptions({ retries: 0 }, endpoint).listSupply());
    expect(endpoint.asked).toHaveLength(1);
  });

  test("without Retry-After, the pauses grow", async () => {
    const endpoint = open(errorReply(503, 14, "busy"));
    await errorFrom(withOptions({ retries: 2 }, endpoint).listSupply());
    const [a, b, c] = endpoint.asked.map(({ at }) => at) as [number, number, number];
    expect(b - a).toBeGreaterThanOrEqual(120);
    expect(c - b).toBeGreaterThanOrEqual(245);
    expect(c - b).toBeLessThan(2000);
  });
});

describe("Retry-After", () => {
  test("is waited for, in seconds", async () => {
    const endpoint = open(busy("1"), { height: 2 });
    await clientOf(endpoint).listSupply();
    expect(endpoint.asked[1]!.at - endpoint.asked[0]!.at).toBeGreaterThanOrEqual(990);
  });

  test("and as a date", async () => {
    const endpoint = open(() => busy(new Date(Date.now() + 2000).toUTCString()), {});
    await clientOf(endpoint).listSupply();
    // The date has whole seconds.
    expect(endpoint.asked[1]!.at - endpoint.asked[0]!.at).toBeGreaterThanOrEqual(900);
  });

  test("beyond the longest wait ends the call, and the next call does not ask before its time", async () => {
    const endpoint = open(busy("60"));
    const client = clientOf(endpoint);
    expect((await errorFrom(client.listSupply())).retryAfterMs).toBe(60_000);
    expect((await errorFrom(client.getNodeInfo())).retryAfterMs).toBe(60_000);
    expect(endpoint.asked).toHaveLength(1);
  });

  test("the next call goes to others meanwhile", async () => {
    const [first, second] = [open(busy("60")), open({})];
    const client = clientOf(first, second);
    for (let i = 0; i < 3; i++) await client.listSupply();
    expect(counts(first, second)).toEqual([1, 3]);
  });
});

describe("never back in height", () => {
  test("an endpoint behind what was seen is passed over", async () => {
    const [ahead, behind] = [open({ height: 100 }, busy("60")), open({ height: 90 })];
    const other = open({ height: 101 });
    const client = clientOf(ahead, behind, other);
    await client.listSupply();
    expect((await client.listSupply.read()).height).toBe(101n);
    expect(counts(ahead, behind, other)).toEqual([2, 1, 1]);
    expect(client.height).toBe(101n);
  });

  test("or waited for, when there is no other", async () => {
    const [ahead, behind] = [open({ height: 100 }, busy("60")), open({ height: 98 }, { height: 99 }, { height: 100 })];
    const client = clientOf(ahead, behind);
    await client.listSupply();
    const { height, endpoint } = await client.listSupply.read();
    expect([height, endpoint]).toEqual([100n, behind.url]);
    expect(behind.asked).toHaveLength(3);
  });

  test("within bounds", async () => {
    const endpoint = open({ height: 100 }, { height: 3 });
    const client = withOptions({ catchUpMs: 400 }, endpoint);
    await client.listSupply();
    const started = Date.now();
    const error = await errorFrom(client.listSupply());
    expect(Date.now() - started).toBeLessThan(3000);
    expect([error.code, error.status]).toEqual([ERROR_CODE.unavailable, 0]);
    expect(error.message).toBe(`${endpoint.url} has reached height 3, but 100 was seen before`);
  });

  test("errors of an endpoint behind do not count either: it may not know yet", async () => {
    const [ahead, behind] = [
      open({ height: 100 }, busy("60")),
      open(errorReply(404, 5, "no such document", { height: 99 })),
    ];
    behind.answer(errorReply(404, 5, "no such document", { height: 99 }), { height: 100, body: { didDocument: {} } });
    const client = clientOf(ahead, behind);
    await client.listSupply();
    expect(await client.getDocument({ did: "did:orr:new" })).toEqual({ didDocument: {} } as never);
  });

  test("calls side by side: each is held against what was seen before it began", async () => {
    const endpoint = open({ height: 5, delayMs: 150 }, { height: 6 });
    const client = clientOf(endpoint);
    const slow = client.listSupply.read();
    await Bun.sleep(30);
    expect((await client.listSupply.read()).height).toBe(6n);
    expect((await slow).height).toBe(5n);
    expect(client.height).toBe(6n);
  });

  test("a pinned read asks for its height alone", async () => {
    const endpoint = open({ height: 100 }, { height: 20, latest: 100 });
    const client = clientOf(endpoint);
    await client.listSupply();
    expect((await client.at(20).listSupply.read()).height).toBe(20n);
    expect(endpoint.asked.map(({ pin }) => pin)).toEqual([null, "20"]);
  });

  test("a pinned height that an endpoint has not reached, or not kept, is asked of the next", async () => {
    const future = open(
      errorReply(400, 3, "x-cosmos-block-height: cannot query with height in the future", { latest: 10 }),
    );
    const pruned = open(errorReply(410, 11, "x-cosmos-block-height: not kept any more", { latest: 90 }));
    const archive = open({ height: 50, latest: 90 });
    const client = clientOf(future, pruned, archive);
    expect((await client.at("50").listSupply.read()).endpoint).toBe(archive.url);
    expect(counts(future, pruned, archive)).toEqual([1, 1, 1]);
    const error = await errorFrom(clientOf(future, pruned).at(50).listSupply());
    expect([error.status, error.parameter]).toEqual([410, "x-cosmos-block-height"]);
  });

  test("an endpoint that ignores the height is not believed", async () => {
    const error = await errorFrom(
      clientOf(open({ height: 60 }))
        .at(50)
        .listSupply(),
    );
    expect(error.message).toEndWith("answers at height 60 where 50 was asked for");
  });

  test("an endpoint of another chain is passed over", async () => {
    const [own, foreign] = [open({ height: 9 }, busy("60")), open({ height: 900, chainId: "other-1" })];
    const client = clientOf(own, foreign, open({ height: 10 }));
    await client.listSupply();
    expect((await client.listSupply.read()).height).toBe(10n);
    expect(foreign.asked).toHaveLength(1);
  });
});

describe("errors", () => {
  test("a parameter is told when the message begins with one of the operation's", async () => {
    const endpoint = open(errorReply(400, 3, "address: empty address string is not allowed"));
    const client = clientOf(endpoint);
    expect((await errorFrom(client.listBalances({ address: "" }))).parameter).toBe("address");
    expect((await errorFrom(client.listSupply())).parameter).toBeNull();
  });

  test("what is not an answer of a node at all", async () => {
    const endpoint = open({ status: 502, body: "<html>Bad Gateway</html>" }, { body: "<html>" });
    const client = clientOf(endpoint);
    const proxy = await errorFrom(client.listSupply());
    expect([proxy.status, proxy.code, proxy.message]).toEqual([502, 2, `${endpoint.url} answered with status 502`]);
    expect((await errorFrom(client.listSupply())).message).toEndWith("not JSON");
  });

  test("a node that does not answer in time", async () => {
    const endpoint = open({ delayMs: 2000 });
    const client = withOptions({ retries: 1, timeoutMs: 60 }, endpoint);
    const error = await errorFrom(client.listSupply());
    expect([error.code, error.status]).toEqual([ERROR_CODE.deadlineExceeded, 0]);
    expect(endpoint.asked).toHaveLength(2);
  });

  test("the caller's signal ends a request and a wait, with its own reason", async () => {
    const reason = new Error("enough");
    const slow = open({ delayMs: 5000 });
    const waiting = open(busy("20"));
    for (const endpoint of [slow, waiting]) {
      const stop = new AbortController();
      const call = clientOf(endpoint).listSupply({}, { signal: stop.signal });
      setTimeout(() => stop.abort(reason), 100);
      expect(await call.catch((error) => error)).toBe(reason);
      expect(endpoint.asked).toHaveLength(1);
    }
    const before = open({});
    const call = clientOf(before).listSupply({}, { signal: AbortSignal.abort(reason) });
    expect(await call.catch((error) => error)).toBe(reason);
    expect(before.asked).toHaveLength(0);
  });

  test("addresses that are none", () => {
    expect(() => createClient([])).toThrow("at least one endpoint");
    expect(() => createClient("node:1317/x")).toThrow("not an HTTP address");
    expect(() => createClient("nowhere")).toThrow(TypeError);
    expect(() => createClient("http://node").at(0)).toThrow(RangeError);
  });
});

describe("walks", () => {
  const page = (denom: string, next_key: string | null, more: object = {}) => ({
    body: { supply: [{ denom, amount: "1" }], pagination: { next_key, total: "0" } },
    ...more,
  });

  test("the whole walk reads at the height of its first page, whoever answers", async () => {
    const first = open(page("a", "Yg==", { height: 41 }), busy("60"));
    const second = open(page("b", "Yw==", { height: 41, latest: 44 }), page("c", null, { height: 41, latest: 45 }));
    const client = clientOf(first, second);
    const denoms: string[] = [];
    for await (const { denom } of client.listSupply.all({ pagination: { limit: 1, offset: 2, count_total: true } })) {
      denoms.push(denom);
    }
    expect(denoms).toEqual(["a", "b", "c"]);
    expect(second.asked.map(({ path, pin }) => [path, pin])).toEqual([
      ["/core/bank/v1beta1/supply?pagination.limit=1&pagination.key=Yg%3D%3D", "41"],
      ["/core/bank/v1beta1/supply?pagination.limit=1&pagination.key=Yw%3D%3D", "41"],
    ]);
  });

  test("a walk that is left early asks no further", async () => {
    const endpoint = open(page("a", "Yg=="));
    for await (const { height } of clientOf(endpoint).listSupply.pages()) {
      expect(height).toBe(1n);
      break;
    }
    expect(endpoint.asked).toHaveLength(1);
  });
});

test("headers and fetch of the caller's own", async () => {
  const seen: [string, string | null][] = [];
  const client = createClient("http://node.example/base/", {
    headers: { "x-api-key": "k" },
    integers: "bigint",
    fetch: async (url, init) => {
      seen.push([url, new Headers(init.headers).get("x-api-key")]);
      const headers = { "x-cosmos-block-height": "3", "x-chain-id": "c" };
      return Response.json(
        { supply: [{ denom: "u", amount: "5" }], pagination: { next_key: null, total: "1" } },
        { headers },
      );
    },
  });
  const { supply, pagination } = await client.listSupply();
  const total: bigint = pagination.total + supply[0]!.amount;
  expect(total).toBe(6n);
  expect(seen).toEqual([["http://node.example/base/core/bank/v1beta1/supply", "k"]]);
});
