import { expect, test } from "bun:test";
import { medianOf } from "./loop-delay.ts";

test("one long step is not overload, a loop that stays late is; a start does not count", () => {
  expect(medianOf([0, 0, 0, 0, 0, 5000])).toBe(0);
  expect(medianOf([0, 0, 300, 400, 500, 600])).toBe(300);
  expect(medianOf([5000, 5000, 5000])).toBe(0);
});
