import { expect, test } from "bun:test";
import { Admission } from "./admission.ts";

test("so many enter, some wait in turn, the rest are turned away", async () => {
  const admission = new Admission(2, 2, 1000);
  expect([await admission.enter(), await admission.enter()]).toEqual([true, true]);
  const order: string[] = [];
  const first = admission.enter().then((entered) => order.push(`first ${entered}`));
  const second = admission.enter().then((entered) => order.push(`second ${entered}`));
  expect(await admission.enter()).toBe(false);
  admission.leave();
  await first;
  admission.leave();
  await second;
  expect(order).toEqual(["first true", "second true"]);
  expect(admission.taken).toBe(2);
  admission.leave();
  admission.leave();
  expect(admission.taken).toBe(0);
});

test("who waits too long is turned away, and takes no place later", async () => {
  const admission = new Admission(1, 5, 20);
  await admission.enter();
  expect(await admission.enter()).toBe(false);
  admission.leave();
  expect(admission.taken).toBe(0);
});
