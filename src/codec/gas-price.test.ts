import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { feesFor, parseGasPrices } from "./gas-price.ts";

const ONE = 10n ** 18n;

describe("prices", () => {
  const good: [text: string, prices: [denom: string, price: bigint][]][] = [
    ["", []],
    ["0uorr", []],
    ["0.000uorr,1ucred", [["ucred", ONE]]],
    ["0.025uorr", [["uorr", ONE / 40n]]],
    ["0.000000000000000001uorr", [["uorr", 1n]]],
    [
      "2uorr,0.5ibc/ABC",
      [
        ["ibc/ABC", ONE / 2n],
        ["uorr", 2n * ONE],
      ],
    ],
  ];
  test.each(good)("%p", (text, prices) => {
    expect(parseGasPrices(text)).toEqual(prices.map(([denom, price]) => ({ denom, price })));
  });

  const bad = ["uorr", "0.025", ".5uorr", "1.uorr", "-1uorr", "1 uorr", "1u", "1uorr,", "1uorr,2uorr"];
  test.each([...bad, "0.0000000000000000001uorr", "0uorr,0uorr", "1uo rr"])("%p is refused", (text) => {
    expect(parseGasPrices(text)).toBeNull();
  });
});

test("a fee is the least whole amount that is not below price times gas", () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 22n), fc.bigInt(0n, 1n << 63n), (price, gas) => {
      const { amount } = feesFor([{ denom: "uorr", price }], gas)[0]!;
      expect(amount * ONE >= price * gas).toBe(true);
      expect(amount === 0n || (amount - 1n) * ONE < price * gas).toBe(true);
    }),
  );
});
