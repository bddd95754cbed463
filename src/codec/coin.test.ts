// Denominations, amounts and lists of coins.

import { expect, test } from "bun:test";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { CoinSchema } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { type Bytes, fromHex } from "./bytes.ts";
import {
  areValidCoins,
  decodeCoin,
  formatCoins,
  isDenom,
  MAX_AMOUNT,
  normalizeCoins,
  parseAmount,
  parseCoins,
} from "./coin.ts";

const amounts = fc.bigInt({ min: 1n, max: MAX_AMOUNT });
const denoms = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,20}$/);
const coinLists = fc
  .uniqueArray(denoms, { maxLength: 6 })
  .chain((names) => fc.tuple(...names.sort().map((denom) => amounts.map((amount) => ({ denom, amount })))));

test("denominations have 3 to 128 characters of a small set", () => {
  for (const denom of ["uorr", "ibc/27394FB0", "factory/cosmos1q/gold", "aaa", "A-b.c_d:e", `a${"b".repeat(127)}`]) {
    expect(isDenom(denom)).toBe(true);
  }
  for (const denom of ["", "ab", "1abc", "a b", "abé", "abc\n", "-abc", `a${"b".repeat(128)}`]) {
    expect(isDenom(denom)).toBe(false);
  }
});

test("amounts have one text each, up to 256 bits", () => {
  expect(parseAmount("0")).toBe(0n);
  expect(parseAmount(MAX_AMOUNT.toString())).toBe(MAX_AMOUNT);
  for (const text of ["", "-1", "+1", "01", "00", "1.0", "1e3", "0x1", " 1", "1\n", (MAX_AMOUNT + 1n).toString()]) {
    expect(parseAmount(text)).toBeNull();
  }
  expect(parseAmount("9".repeat(1_000_000))).toBeNull();
});

test("lists are valid when sorted, without repeats, and positive", () => {
  fc.assert(
    fc.property(coinLists, (coins) => {
      expect(areValidCoins(coins)).toBe(true);
      expect(areValidCoins([...coins].reverse())).toBe(coins.length < 2);
      expect(parseCoins(formatCoins(coins))).toEqual(coins);
      expect(normalizeCoins([...coins].reverse())).toEqual(coins);
    }),
  );
  const one = { denom: "aaa", amount: 1n };
  expect(areValidCoins([one, one])).toBe(false);
  expect(areValidCoins([{ denom: "aaa", amount: 0n }])).toBe(false);
  expect(areValidCoins([{ denom: "aaa", amount: MAX_AMOUNT + 1n }])).toBe(false);
  expect(normalizeCoins([one, { denom: "bbb", amount: 0n }, one])).toEqual([{ denom: "aaa", amount: 2n }]);
  for (const text of ["1bbb,1aaa", "1aaa,1aaa", "0aaa", "aaa", "1", "1aaa,", "1 aaa", "1aaa, 1bbb"]) {
    expect(parseCoins(text)).toBeNull();
  }
  expect(formatCoins([one, { denom: "bbb", amount: 20n }])).toBe("1aaa,20bbb");
});

test("the protobuf message is read", () => {
  fc.assert(
    fc.property(denoms, amounts, (denom, amount) => {
      const message = create(CoinSchema, { denom, amount: amount.toString() });
      expect(decodeCoin(toBinary(CoinSchema, message) as Bytes)).toEqual({ denom, amount });
    }),
  );
  expect(decodeCoin(fromHex("0a03616161"))).toEqual({ denom: "aaa", amount: 0n });
  expect(() => decodeCoin(fromHex("12023031"))).toThrow("not an amount");
  expect(() => decodeCoin(fromHex("0a0361"))).toThrow();
});
