import { afterAll, beforeAll, expect, test } from "bun:test";
import { Kept, limitKept } from "./kept.ts";

beforeAll(() => limitKept(40));
afterAll(() => limitKept(512 * 1024 * 1024));

const sizeOf = (_: string, value: string) => value.length;

test("what is used stays, what is not goes, and no more is held than allowed", () => {
  const map = new Kept<string, string>(1, sizeOf);
  map.set("used", "aaaaa");
  map.set("unused", "bbbbb");
  for (let i = 0; i < 20; i++) {
    map.set(`passing ${i}`, "ccccc");
    expect(map.get("used")).toBe("aaaaa");
  }
  expect(map.get("unused")).toBeUndefined();
  const held = Array.from({ length: 20 }, (_, i) => map.get(`passing ${i}`)).filter((value) => value !== undefined);
  expect(held).toHaveLength(7);
});

test("what is larger than the share is not held at all, nor what it would have replaced", () => {
  const map = new Kept<string, string>(0.5, sizeOf);
  map.set("small", "a");
  map.set("grows", "b");
  map.set("grows", "b".repeat(21));
  expect([map.get("small"), map.get("grows")]).toEqual(["a", undefined]);
});

test("an entry that is set again counts once", () => {
  const map = new Kept<string, string>(1, sizeOf);
  map.set("other", "a".repeat(10));
  for (let i = 0; i < 10; i++) map.set("same", "b".repeat(20));
  expect(map.get("other")).toBeDefined();
});

test("what is taken out is gone", () => {
  const map = new Kept<string, string>(1, sizeOf);
  map.set("one", "a");
  map.set("two", "b");
  map.delete("one");
  expect([map.get("one"), map.get("two")]).toEqual([undefined, "b"]);
  map.clear();
  expect(map.get("two")).toBeUndefined();
});

test("with nothing allowed, nothing is kept", () => {
  limitKept(0);
  const map = new Kept<string, string>(1, sizeOf);
  map.set("one", "a");
  expect(map.get("one")).toBeUndefined();
  limitKept(40);
});
