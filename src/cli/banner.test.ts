import { expect, test } from "bun:test";
import { banner } from "./banner.ts";
import { callable } from "./run-node.ts";

const place = {
  version: "1.2.3",
  url: "http://127.0.0.1:4567",
  rpcUrl: "http://127.0.0.1:26657",
  metricsUrl: null,
  home: "/h",
  chainId: "c-1",
};
const account = { name: "alice", address: "cosmos1alice", path: "m/44'/118'/0'/0/0", privateKey: "aa11" };

test("names the place, the public keys with their warning, and five lines to paste", () => {
  const text = banner({ ...place, samples: { mnemonic: "some words", accounts: [account], did: "did:orr:x" } });
  for (const part of [
    "http://127.0.0.1:4567",
    place.rpcUrl,
    "/h",
    "c-1",
    "some words",
    "cosmos1alice",
    "aa11",
    "did:orr:x",
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toMatch(/WARNING: these keys are public/);
  expect(text.match(/^ {2}curl -s 'http:\/\/127\.0\.0\.1:4567\/[^']+'$/gm)).toHaveLength(5);
});

test("shows no keys for a chain of another genesis", () => {
  const text = banner({ ...place, samples: null });
  expect(text).not.toMatch(/WARNING|undefined|null/);
  expect(text.match(/curl/g)).toHaveLength(5);
});

test.each([
  ["http://0.0.0.0:1", "http://127.0.0.1:1"],
  ["http://[::]:1", "http://[::1]:1"],
  ["http://10.0.0.0:1", "http://10.0.0.0:1"],
])("%s is called at %s", (bound, called) => {
  expect(callable(bound)).toBe(called);
});
