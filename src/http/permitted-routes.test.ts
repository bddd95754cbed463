import { expect, test } from "bun:test";
import { permits } from "./permitted-routes.ts";

const rows: [allow: string[], deny: string[], names: string[], permitted: boolean][] = [
  [[], [], ["/docs"], true],
  [["/core/*"], [], ["/core/bank/v1beta1/supply", "listSupply"], true],
  [["/core/*"], [], ["/docs"], false],
  [["listSupply"], [], ["/core/bank/v1beta1/supply", "listSupply"], true],
  [[], ["simulateTx"], ["/core/tx/v1beta1/simulate", "simulateTx"], false],
  [["/core/*"], ["*/simulate"], ["/core/tx/v1beta1/simulate", "simulateTx"], false],
  [[], ["/doc"], ["/docs"], true],
  [[], ["/d.cs"], ["/docs"], true],
];

test.each(rows)("allow %j, deny %j: %j is served: %p", (allow, deny, names, permitted) => {
  expect(permits({ allow, deny }, names)).toBe(permitted);
});
