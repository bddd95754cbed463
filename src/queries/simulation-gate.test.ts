import { expect, test } from "bun:test";
import type { ApiError } from "../api/errors.ts";
import { inOneGo } from "../give-way.ts";
import { createSimulationGate, withinTime } from "./simulation-gate.ts";

const refusal = (error: unknown) => [(error as ApiError).status, (error as ApiError).message];
const TOO_MANY = [503, "too many simulations are under way; please try again later"];

test("so many are under way at once, the next begin in their order, and the one too many is refused", async () => {
  const gate = createSimulationGate({ atOnce: 2, waiting: 3, waitMs: 5000 });
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  const run = (id: number) =>
    gate(async () => {
      begun.push(id);
      most = Math.max(most, ++underWay);
      await Bun.sleep(5);
      underWay -= 1;
      return id;
    }).catch(refusal);
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(run))).toEqual([1, 2, 3, 4, 5, TOO_MANY]);
  expect([begun, most, underWay]).toEqual([[1, 2, 3, 4, 5], 2, 0]);
  expect(await run(7)).toBe(7);
});

test("who waits too long is refused, and what fails gives its place back", async () => {
  const gate = createSimulationGate({ atOnce: 1, waiting: 3, waitMs: 20 });
  const { promise, reject } = Promise.withResolvers<never>();
  const first = gate(() => promise).catch(String);
  expect(await gate(async () => "not run").catch(refusal)).toEqual(TOO_MANY);
  reject(new Error("failed"));
  expect(await first).toBe("Error: failed");
  expect(await gate(async () => "run")).toBe("run");
});

test("a simulation that has had its time ends where it next gives way", async () => {
  const giveWay = withinTime(inOneGo, 20);
  await giveWay();
  await Bun.sleep(30);
  const late = [503, "the simulation was not done within 20 ms; please try again later"];
  expect(await giveWay().then(() => "went on", refusal)).toEqual(late);
});
