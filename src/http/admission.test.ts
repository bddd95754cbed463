import { expect, test } from "bun:test";
import { ApiError } from "../api/errors.ts";
import { Admission } from "./admission.ts";

const outcome = (waiting: Promise<void>) =>
  waiting.then(
    () => "in",
    (error) => (error instanceof ApiError ? `${error.status} ${error.message}` : error),
  );

test("so many enter, some wait in turn, the rest are turned away", async () => {
  const admission = new Admission(2, 2, 60_000);
  expect([admission.take(), admission.take(), admission.take()]).toEqual([true, true, false]);
  const order: string[] = [];
  const first = admission.wait().then(() => order.push("first"));
  const second = admission.wait().then(() => order.push("second"));
  expect(await outcome(admission.wait())).toBe("503 too many requests are under way");
  admission.leave();
  await first;
  admission.leave();
  await second;
  expect(order).toEqual(["first", "second"]);
  expect(admission.taken).toBe(2);
  admission.leave();
  admission.leave();
  expect(admission.taken).toBe(0);
});

test("who waits too long is turned away, and takes no place later", async () => {
  const admission = new Admission(1, 5, 20);
  await admission.wait();
  expect(await outcome(admission.wait())).toBe("503 too many requests are under way");
  admission.leave();
  expect(admission.taken).toBe(0);
});

test("nobody enters or waits while it is closed", async () => {
  let closed = true;
  const admission = new Admission(1, 5, 60_000, () => closed);
  expect(admission.take()).toBe(false);
  expect(await outcome(admission.wait())).toBe("503 the node is overloaded");
  closed = false;
  expect(await outcome(admission.wait())).toBe("in");
});
