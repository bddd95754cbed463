import { expect, test } from "bun:test";
import { isLoopback, RateLimit } from "./rate-limit.ts";

test("a burst passes, then the steady rate; each address has its own bucket", () => {
  let now = 0;
  const limit = new RateLimit(10, 3, () => now);
  const take = (address: string) => limit.secondsToWait(address);
  expect([take("10.0.0.1"), take("10.0.0.1"), take("10.0.0.1")]).toEqual([null, null, null]);
  expect(take("10.0.0.1")).toBe(1);
  expect(take("10.0.0.2")).toBeNull();
  now += 100;
  expect(take("10.0.0.1")).toBeNull();
  expect(take("10.0.0.1")).toBe(1);
  now += 60_000;
  expect([1, 2, 3].map(() => take("10.0.0.1"))).toEqual([null, null, null]);
  expect(take("10.0.0.1")).toBe(1);
});

test("a slow rate says how long to wait", () => {
  const limit = new RateLimit(0.1, 1, () => 0);
  expect(limit.secondsToWait("a")).toBeNull();
  expect(limit.secondsToWait("a")).toBe(10);
});

test("the addresses of one IPv6 network share a bucket, and an IPv4 address has one in both spellings", () => {
  const limit = new RateLimit(1, 1, () => 0);
  expect(limit.secondsToWait("2001:db8:1:2::1")).toBeNull();
  expect(limit.secondsToWait("2001:0DB8:0001:0002:9:8:7:6")).toBe(1);
  expect(limit.secondsToWait("2001:db8:1:3::1")).toBeNull();
  expect(limit.secondsToWait("192.0.2.1")).toBeNull();
  expect(limit.secondsToWait("::ffff:192.0.2.1")).toBe(1);
});

test("the table of addresses has an end: the one seen longest ago is forgotten", () => {
  const limit = new RateLimit(1, 1, () => 0);
  expect(limit.secondsToWait("first")).toBeNull();
  for (let i = 0; i < 8192; i++) limit.secondsToWait(`other-${i}`);
  expect(limit.secondsToWait("other-8191")).toBe(1);
  expect(limit.secondsToWait("first")).toBeNull();
});

test.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "localhost"])("%s is loopback", (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each(["0.0.0.0", "::", "128.0.0.1", "10.127.0.1", "::ffff:10.0.0.1"])("%s is not", (address) => {
  expect(isLoopback(address)).toBe(false);
});
