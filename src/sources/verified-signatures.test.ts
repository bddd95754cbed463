import { expect, test } from "bun:test";
import { rememberVerified } from "./verified-signatures.ts";

const key = new Uint8Array(33).fill(2);
const digest = new Uint8Array(32).fill(3);
const signature = new Uint8Array(64).fill(4);

/** Takes the signature above for right, and counts. */
function counted(most: number) {
  let asked = 0;
  const verify = rememberVerified((_key, _digest, given) => {
    asked += 1;
    return given[0] === 4;
  }, most);
  return { verify, asked: () => asked };
}

test("a right signature is verified once, any other question each time", () => {
  const { verify, asked } = counted(10);
  expect([verify(key, digest, signature), verify(key, digest, signature)]).toEqual([true, true]);
  expect(asked()).toBe(1);
  const wrong = new Uint8Array(64).fill(5);
  expect([verify(key, digest, wrong), verify(key, digest, wrong)]).toEqual([false, false]);
  expect(asked()).toBe(3);
  for (const [k, d, s] of [
    [key.with(1, 9), digest, signature],
    [key, digest.with(1, 9), signature],
    [key, digest, signature.with(1, 9)],
  ] as [typeof key, typeof key, typeof key][]) {
    verify(k, d, s);
  }
  expect(asked()).toBe(6);
});

test("parts of other lengths are not taken for each other", () => {
  const { verify, asked } = counted(10);
  verify(key, digest, signature);
  verify(new Uint8Array([...key, 3]), digest.slice(1), signature);
  verify(key, digest.slice(0, 31), new Uint8Array([4, ...signature]));
  expect(asked()).toBe(3);
});

test("the oldest are forgotten", () => {
  const { verify, asked } = counted(1);
  verify(key, digest, signature);
  verify(key, digest.with(0, 9), signature);
  verify(key, digest, signature);
  expect(asked()).toBe(3);
});
