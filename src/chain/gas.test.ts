// The prices of access, by the vectors of the reference's own tests and by the descriptors of its errors.

import { describe, expect, test } from "bun:test";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import { createBranch } from "../store/branch.ts";
import { openMemoryStore } from "../store/memory.ts";
import { ChainError } from "./errors.ts";
import { chargeAbsentRead, GasMeter, meteredState, UNLIMITED_GAS } from "./gas.ts";

/** The byte that names the store is not charged for. */
const key = (length: number, last = 0): Bytes => {
  const bytes = new Uint8Array(length + 1).fill(1);
  bytes[length] = last;
  return bytes;
};

async function stateWith(...pairs: readonly (readonly [Bytes, Bytes])[]) {
  const store = openMemoryStore({ keep: "all" });
  await store.commit(1n, pairs);
  return createBranch(store.at(1n));
}

async function costOf(
  use: (state: ReturnType<typeof meteredState>) => unknown,
  ...pairs: readonly (readonly [Bytes, Bytes])[]
): Promise<bigint> {
  const gas = new GasMeter(UNLIMITED_GAS);
  await use(meteredState(await stateWith(...pairs), gas));
  return gas.used;
}

describe("what an access costs", () => {
  const value = (length: number) => new Uint8Array(length);
  const all = { start: key(1), end: Uint8Array.of(255), limit: 10 };

  test("get, set, has and delete", async () => {
    expect(await costOf((state) => state.get(key(21)), [key(21), value(157)])).toBe(1534n);
    expect(await costOf((state) => state.get(key(26)))).toBe(1078n);
    expect(await costOf((state) => state.set(key(21), value(157)))).toBe(7340n);
    expect(await costOf((state) => state.has(key(26)))).toBe(1000n);
    expect(await costOf((state) => state.delete(key(26)))).toBe(1000n);
    expect(await costOf((state) => state.getMany([key(1), key(2)]))).toBe(2009n);
  });

  test("a walk: the first entry twice, and an empty one its end", async () => {
    // AllBalances of 100denom and 10stake, in the reference's deterministic tests: 357.
    const balances = [
      [key(27, 1), utf8Encode("100")],
      [key(27, 2), utf8Encode("10")],
    ] as const;
    expect(await costOf((state) => state.range(all), ...balances)).toBe(357n);
    // DenomsMetadata of one entry, key 6, value 94: 660.
    expect(await costOf((state) => state.range(all), [key(6), value(94)])).toBe(660n);
    expect(await costOf((state) => state.range(all))).toBe(30n);
  });

  test("a read in a store that is not kept", () => {
    const gas = new GasMeter(UNLIMITED_GAS);
    chargeAbsentRead(gas, 43);
    expect(gas.used).toBe(1129n);
  });
});

describe("a limit", () => {
  const stop = async (limit: bigint, use: (state: ReturnType<typeof meteredState>) => unknown) => {
    const gas = new GasMeter(limit);
    const state = meteredState(await stateWith([key(10), new Uint8Array(5)]), gas);
    try {
      await use(state);
      return "done";
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      expect([error.codespace, error.code]).toEqual(["sdk", 11]);
      return error.message;
    }
  };
  const out = (place: string, wanted: number, used: number) =>
    `out of gas in location: ${place}; gasWanted: ${wanted}, gasUsed: ${used}: out of gas`;

  test("may be reached, and not passed; the place is named", async () => {
    expect(await stop(1045n, (state) => state.get(key(10)))).toBe("done");
    expect(await stop(1044n, (state) => state.get(key(10)))).toBe(out("ReadPerByte", 1044, 1045));
    expect(await stop(1029n, (state) => state.get(key(10)))).toBe(out("ReadPerByte", 1029, 1030));
    expect(await stop(999n, (state) => state.get(key(10)))).toBe(out("ReadFlat", 999, 1000));
    expect(await stop(1999n, (state) => state.set(key(1), key(1)))).toBe(out("WriteFlat", 1999, 2000));
    expect(await stop(2029n, (state) => state.set(key(1), key(1)))).toBe(out("WritePerByte", 2029, 2030));
    expect(await stop(0n, (state) => state.has(key(1)))).toBe(out("Has", 0, 1000));
    expect(await stop(0n, (state) => state.delete(key(1)))).toBe(out("Delete", 0, 1000));
    const walk = { start: key(1), end: Uint8Array.of(255), limit: 10 };
    expect(await stop(0n, (state) => state.range(walk))).toBe(out("ValuePerByte", 0, 30));
    expect(await stop(50n, (state) => state.range(walk))).toBe(out("IterNextFlat", 50, 75));
  });

  test("is all that a block is charged", () => {
    const gas = new GasMeter(10n);
    expect(() => gas.consume(25n, "anything")).toThrow(ChainError);
    expect([gas.used, gas.usedWithinLimit]).toEqual([25n, 10n]);
  });

  test("stops before the write", async () => {
    const branch = await stateWith();
    const state = meteredState(branch, new GasMeter(2000n));
    expect(() => state.set(key(1), key(1))).toThrow(ChainError);
    expect(branch.changes()).toEqual([]);
  });
});
