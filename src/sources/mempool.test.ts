import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Bytes, toHex, utf8Decode, utf8Encode } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import { type CheckOutcome, createMempool, MEMPOOL_LIMITS, type MempoolLimits, sizeInBlock } from "./mempool.ts";

/** A chain of counters: `a3` passes when counter a stands at 3, and moves it on. */
function counters(limits: Partial<MempoolLimits> = {}, maxBlockBytes = 10_000) {
  const committed = new Map<string, number>();
  let checked = new Map<string, number>();
  const checks: string[] = [];
  const errors: string[] = [];
  const apply = (state: Map<string, number>, text: string): number => {
    const [name, position] = [text[0]!, Number(text.slice(1).split(" ")[0])];
    if ((state.get(name) ?? 0) !== position) return 32;
    state.set(name, position + 1);
    return 0;
  };
  const pool = createMempool<CheckOutcome>({
    check: async (raw, mode) => {
      const text = utf8Decode(raw);
      if (text === "broken" || (mode === "recheck" && text.endsWith("fragile"))) throw new Error("a fault of our own");
      checks.push(`${mode} ${text}`);
      return { code: apply(checked, text), gasWanted: 10n };
    },
    tryOut: async (raw) => {
      checks.push(`tryOut ${utf8Decode(raw)}`);
      return { code: apply(new Map(checked), utf8Decode(raw)), gasWanted: 10n };
    },
    resetChecks: () => {
      checked = new Map(committed);
    },
    maxBlockBytes: () => maxBlockBytes,
    limits: { ...MEMPOOL_LIMITS, ...limits },
    log: { error: (text) => errors.push(text) },
  });
  const deliver = (txs: readonly Bytes[]) =>
    pool.settle(
      async () => {},
      txs,
      txs.map((raw) => ({ code: apply(committed, utf8Decode(raw)) })),
    );
  return { pool, checks, errors, deliver, committed };
}

const add = async (pool: ReturnType<typeof counters>["pool"], text: string) => (await pool.add(utf8Encode(text))).code;
const texts = (txs: readonly Bytes[]) => txs.map((raw) => utf8Decode(raw));

describe("what is let in", () => {
  test("checks build on what waits, and the order of arrival is kept", async () => {
    const { pool } = counters();
    expect(await Promise.all(["a0", "b0", "a1", "a2"].map((text) => add(pool, text)))).toEqual([0, 0, 0, 0]);
    expect(texts(pool.waiting(10))).toEqual(["a0", "b0", "a1", "a2"]);
    expect(texts(pool.waiting(2))).toEqual(["a0", "b0"]);
    expect(pool.size()).toEqual({ txs: 4, bytes: 8 });
  });

  test("what fails its check does not wait, replaces nothing, and may come again", async () => {
    const { pool } = counters();
    expect(await add(pool, "a0")).toBe(0);
    expect(await add(pool, "a0 dearer")).toBe(32);
    expect(await add(pool, "a2")).toBe(32);
    expect(await add(pool, "a1")).toBe(0);
    expect(await add(pool, "a2")).toBe(0);
    expect(texts(pool.waiting(9))).toEqual(["a0", "a1", "a2"]);
  });

  test("a fault in a check is passed on, and the next one goes on", async () => {
    const { pool } = counters();
    await expect(add(pool, "broken")).rejects.toThrow("a fault of our own");
    await expect(add(pool, "broken")).rejects.toThrow("a fault of our own");
    expect(await add(pool, "a0")).toBe(0);
    expect(pool.size().txs).toBe(1);
  });
});

describe("refusals", () => {
  const refused = async (pool: ReturnType<typeof counters>["pool"], text: string) => {
    const error = await pool.add(utf8Encode(text)).catch((reason) => reason);
    return [error.codespace, error.code, error.message];
  };

  test("seen before: while it waits, and after a block took it", async () => {
    const { pool, deliver } = counters();
    await add(pool, "a0");
    expect(await refused(pool, "a0")).toEqual(["sdk", 19, "tx already exists in cache"]);
    await deliver(pool.reap(-1, -1n));
    expect(await refused(pool, "a0")).toEqual(["sdk", 19, "tx already exists in cache"]);
    expect(pool.size()).toEqual({ txs: 0, bytes: 0 });
  });

  test("two of the same at once: one is let in", async () => {
    const { pool } = counters();
    const [first, second] = await Promise.allSettled([add(pool, "a0"), add(pool, "a0")]);
    expect([first!.status, second!.status]).toEqual(["fulfilled", "rejected"]);
    expect(pool.size().txs).toBe(1);
  });

  test("the cache forgets the oldest first", async () => {
    const { pool, deliver } = counters({ cacheSize: 2 });
    for (const text of ["a0", "b0", "c0"]) await add(pool, text);
    await deliver(pool.reap(-1, -1n));
    expect(await add(pool, "a0")).toBe(32);
    expect(await refused(pool, "c0")).toEqual(["sdk", 19, "tx already exists in cache"]);
  });

  test("too many, too many bytes, one too large for the mempool, one too large for a block", async () => {
    const few = counters({ maxTxs: 1 }).pool;
    await add(few, "a0");
    expect(await refused(few, "b0")).toEqual([
      "sdk",
      20,
      "mempool is full: number of txs 1 (max: 1), total txs bytes 2 (max: 67108864)",
    ]);
    const small = counters({ maxTotalBytes: 3 }).pool;
    await add(small, "a0");
    expect((await refused(small, "b0"))[2]).toBe(
      "mempool is full: number of txs 1 (max: 5000), total txs bytes 2 (max: 3)",
    );
    const short = counters({ maxTxBytes: 4 }).pool;
    expect(await refused(short, "a0 xx")).toEqual(["sdk", 21, "Tx too large. Max size is 4, but got 5"]);
    expect(await refused(counters({}, 6).pool, "a0 xx")).toEqual(["sdk", 21, "tx size is too big: 7, max: 6"]);
  });

  test("those that are not checked yet count as well", async () => {
    const { pool } = counters({ maxTxs: 3 });
    const sent = await Promise.allSettled(["a0", "b0", "c0", "d0", "e0"].map((text) => add(pool, text)));
    expect(sent.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
  });
});

describe("blocks", () => {
  test("are filled up to their bytes and gas, and end at the first that does not fit", async () => {
    const { pool } = counters();
    for (const text of ["a0", "b0 long long", "c0"]) await add(pool, text);
    expect(texts(pool.reap(-1, -1n))).toEqual(["a0", "b0 long long", "c0"]);
    expect(texts(pool.reap(4, -1n))).toEqual(["a0"]);
    expect(texts(pool.reap(17, -1n))).toEqual(["a0"]);
    expect(texts(pool.reap(18, -1n))).toEqual(["a0", "b0 long long"]);
    expect(texts(pool.reap(-1, 29n))).toEqual(["a0", "b0 long long"]);
    expect(texts(pool.reap(-1, 9n))).toEqual([]);
    expect(texts(pool.reap(-1, 0n))).toEqual(["a0", "b0 long long", "c0"]);
    expect(sizeInBlock(new Uint8Array(127))).toBe(129);
    expect(sizeInBlock(new Uint8Array(128))).toBe(131);
    expect(sizeInBlock(new Uint8Array(16_384))).toBe(16_388);
  });

  test("what they leave is checked again, and goes when it has become wrong", async () => {
    const { pool, deliver, checks } = counters();
    for (const text of ["a0", "b0", "a1", "b1"]) await add(pool, text);
    checks.length = 0;
    await deliver([utf8Encode("a0"), utf8Encode("b0 of another node")]);
    expect(checks).toEqual(["recheck b0", "recheck a1", "recheck b1"]);
    expect(texts(pool.waiting(9))).toEqual(["a1", "b1"]);
    expect(await add(pool, "b2")).toBe(0);
    expect(await add(pool, "b0")).toBe(32);
  });

  test("one whose second check breaks goes, which is said, and the block before it stands", async () => {
    const { pool, deliver, errors } = counters();
    for (const text of ["a0", "b0 fragile", "c0"]) await add(pool, text);
    await deliver(pool.reap(4, -1n));
    expect(texts(pool.waiting(9))).toEqual(["c0"]);
    const hash = toHex(sha256(utf8Encode("b0 fragile")));
    expect(errors).toEqual([
      expect.stringContaining(`transaction ${hash} waits no more: its check failed: Error: a fault`),
    ]);
  });

  test("one that failed in a block may be sent again, one that worked may not", async () => {
    const { pool, deliver } = counters();
    await deliver([utf8Encode("a5"), utf8Encode("b0")]);
    expect(await add(pool, "a5")).toBe(32);
    await expect(add(pool, "b0")).rejects.toThrow("tx already exists in cache");
  });

  test("no check runs while one is committed", async () => {
    const { pool, checks } = counters();
    await add(pool, "a0");
    const during: number[] = [];
    let late: Promise<number> | null = null;
    const settled = pool.settle(
      async () => {
        late = add(pool, "b0");
        await Bun.sleep(5);
        during.push(checks.length);
      },
      [],
      [],
    );
    await settled;
    expect(await late!).toBe(0);
    expect(during).toEqual([1]);
    expect(checks).toEqual(["check a0", "recheck a0", "check b0"]);
  });

  test("a trial takes its turn: not while a block is committed, and nothing of it stays", async () => {
    const { pool, checks } = counters();
    await add(pool, "a0");
    let trial: Promise<CheckOutcome> | null = null;
    await pool.settle(
      async () => {
        trial = pool.tryOut(utf8Encode("a1"));
        await Bun.sleep(5);
        checks.push("committed");
      },
      [],
      [],
    );
    expect(await trial!).toMatchObject({ code: 0 });
    expect(checks).toEqual(["check a0", "committed", "recheck a0", "tryOut a1"]);
    expect(texts(pool.waiting(9))).toEqual(["a0"]);
    expect((await pool.tryOut(utf8Encode("a1"))).code).toBe(0);
  });

  test("a listener is not called after a block that took nothing of what waits", async () => {
    const { pool, deliver } = counters();
    await add(pool, "a0");
    let calls = 0;
    pool.onWaiting(() => calls++);
    await deliver(pool.reap(-1, 9n));
    await deliver([utf8Encode("b0 of another node")]);
    expect([calls, pool.size().txs]).toEqual([0, 1]);
  });

  test("a listener hears of what waits: at arrival, and after a block that left some", async () => {
    const { pool, deliver } = counters();
    let calls = 0;
    pool.onWaiting(() => calls++);
    await add(pool, "a0");
    await add(pool, "a7");
    await add(pool, "b0");
    expect(calls).toBe(2);
    await deliver(pool.reap(4, -1n));
    expect(calls).toBe(3);
    await deliver(pool.reap(-1, -1n));
    expect(calls).toBe(3);
  });
});

test("whatever is sent: a block of all that waits never fails, and no position is taken twice", async () => {
  const step = fc.oneof(
    fc.record({ send: fc.tuple(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 6 }), fc.constantFrom("", " x")) }),
    fc.record({ block: fc.integer({ min: 0, max: 30 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { pool, deliver, committed } = counters();
      const delivered: string[] = [];
      for (const action of steps) {
        if ("send" in action) await add(pool, action.send.join("")).catch(() => {});
        else {
          const txs = pool.reap(action.block, -1n);
          delivered.push(...texts(txs).map((text) => text.slice(0, 2)));
          await deliver(txs);
        }
      }
      expect(new Set(delivered).size).toBe(delivered.length);
      expect(delivered.length).toBe([...committed.values()].reduce((sum, next) => sum + next, 0));
    }),
    { numRuns: 300 },
  );
});
