// Bech32 texts: one case for every sentence of the reference, and the round trip.

import { expect, test } from "bun:test";
import { bech32 } from "@scure/base";
import fc from "fast-check";
import { decodeBech32, encodeAddress, parseAddress } from "./address.ts";
import { fromHex, toHex } from "./bytes.ts";

const ALICE = "cosmos1f7n8f9w5vs6cp7jf80e6cufe8yqj0fn8gnupkw";

test("addresses give back what they were made of", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 255 }), (bytes) => {
      const text = encodeAddress("cosmos", bytes);
      expect(toHex(parseAddress(text, "cosmos"))).toBe(toHex(bytes));
      expect(toHex(parseAddress(text.toUpperCase(), "cosmos"))).toBe(toHex(bytes));
      expect(decodeBech32(text)).toEqual({ prefix: "cosmos", bytes: new Uint8Array(bytes) });
    }),
  );
  const collector = fromHex("f1829676db577682e944fc3493d451b67ff3e29f");
  expect(encodeAddress("cosmos", collector)).toBe("cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta");
  expect(encodeAddress("idx", collector)).toBe("idx17xpfvakm2amg962yls6f84z3kell8c5l0dsa5n");
});

const sentences: [name: string, text: string, sentence: string][] = [
  ["empty", "", "empty address string is not allowed"],
  ["blank", " \t ", "empty address string is not allowed"],
  ["too short", "cosmos1", "decoding bech32 failed: invalid bech32 string length 7"],
  ["too short, counted in bytes", "éé1", "decoding bech32 failed: invalid bech32 string length 5"],
  ["too long", `cosmos1${"q".repeat(1017)}`, "decoding bech32 failed: invalid bech32 string length 1024"],
  ["a space before it", ` ${ALICE}`, "decoding bech32 failed: invalid character in string: ' '"],
  ["a letter beyond ASCII", `${ALICE}é`, "decoding bech32 failed: invalid character in string: 'Ã'"],
  ["mixed case", ALICE.replace("f7", "F7"), "decoding bech32 failed: string not all lowercase or all uppercase"],
  ["no separator", "cosmosqqqqqq", "decoding bech32 failed: invalid separator index -1"],
  ["separator first", "1qqqqqqqqqq", "decoding bech32 failed: invalid separator index 0"],
  ["separator within the checksum", "cosmos1qqqqq", "decoding bech32 failed: invalid separator index 6"],
  [
    "a letter outside the charset",
    "cosmos1bqqqqqq",
    "decoding bech32 failed: invalid character not part of charset: 98",
  ],
  [
    "upper case, lower-cased first",
    "COSMOS1BQQQQQQ",
    "decoding bech32 failed: invalid character not part of charset: 98",
  ],
  ["checksum", `${ALICE.slice(0, -1)}q`, "decoding bech32 failed: invalid checksum (expected gnupkw got gnupkq)"],
  [
    "checksum before prefix",
    "osmo1clpqr4nrk4khgkxj78fcwwh6dl3uw4ep88n0y4",
    "decoding bech32 failed: invalid checksum (expected asmvnj got 88n0y4)",
  ],
  ["left-over bits", bech32.encode("cosmos", [1], false), "decoding bech32 failed: invalid incomplete group"],
  [
    "left-over bits not zero",
    bech32.encode("cosmos", [0, 1], false),
    "decoding bech32 failed: invalid incomplete group",
  ],
  ["prefix", encodeAddress("idx", new Uint8Array(20)), "invalid Bech32 prefix; expected cosmos, got idx"],
  ["no payload", encodeAddress("cosmos", new Uint8Array(0)), "addresses cannot be empty: unknown address"],
  [
    "payload too long",
    encodeAddress("cosmos", new Uint8Array(256)),
    "address max length is 255, got 256: unknown address",
  ],
];

for (const [name, text, sentence] of sentences) {
  test(`refused: ${name}`, () => {
    let message = "";
    try {
      parseAddress(text, "cosmos");
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toBe(sentence);
  });
}

test("bech32m is not bech32", () => {
  expect(() => decodeBech32("a1lqfn3a")).toThrow("invalid checksum");
  expect(decodeBech32("a12uel5l")).toEqual({ prefix: "a", bytes: new Uint8Array(0) });
});
