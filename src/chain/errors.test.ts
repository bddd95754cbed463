import { expect, test } from "bun:test";
import { ChainError, failure, isOutOfGas, ROOT } from "./errors.ts";

test("out of gas is one code of one codespace", () => {
  expect(isOutOfGas(failure(ROOT.outOfGas, "somewhere"))).toBe(true);
  expect(isOutOfGas(new ChainError("bank", ROOT.outOfGas.code, "something else"))).toBe(false);
  expect(isOutOfGas(failure(ROOT.insufficientFunds))).toBe(false);
});
