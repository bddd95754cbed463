import { afterAll, beforeAll, expect, test } from "bun:test";
import { Generations, limitKept } from "./generations.ts";

beforeAll(() => limitKept(40));
afterAll(() => limitKept(512 * 1024 * 1024));

const sizeOf = (_: string, value: string) => value.length;

test("what is used stays, what is not goes, and no more is held than allowed", () => {
  const map = new Generations<string, string>(1, sizeOf);
  map.set("used", "aaaaa");
  map.set("unused", "bbbbb");
  for (let i = 0; i < 20; i++) {
    map.set(`passing ${i}`, "ccccc");
    expect(map.get("used")).toBe("aaaaa");
  }
  expect(map.get("unused")).toBeUndefined();
  const held = Array.from({ length: 20 }, (_, i) => map.get(`passing ${i}`)).filter((value) => value !== undefined);
  expect(held.length).toBeGreaterThan(0);
  expect(held.length * 5).toBeLessThanOrEqual(40);
});

test("what is larger than a generation is not held at all", () => {
  const map = new Generations<string, string>(1, sizeOf);
  map.set("small", "a");
  map.set("large", "b".repeat(21));
  expect([map.get("small"), map.get("large")]).toEqual(["a", undefined]);
});

test("what is taken out is gone from both generations", () => {
  const map = new Generations<string, string>(0.25, sizeOf);
  map.set("old", "aaaaa");
  map.set("young", "bbbbb");
  map.delete("old");
  map.delete("young");
  expect([map.get("old"), map.get("young")]).toEqual([undefined, undefined]);
  map.set("again", "c");
  map.clear();
  expect(map.get("again")).toBeUndefined();
});
