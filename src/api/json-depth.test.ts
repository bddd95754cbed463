import { expect, test } from "bun:test";
import fc from "fast-check";
import { nestsDeeper } from "./json-depth.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("of any JSON the depth is found, whatever its strings hold", () => {
  const strings = fc.string({ unit: fc.constantFrom("\\", '"', "{", "}", "[", "]", "a", "\n") });
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof({ maxDepth: 6 }, strings, fc.integer(), fc.array(tie("json")), fc.dictionary(strings, tie("json"))),
  }));
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const depth = depthOf(value);
      expect(nestsDeeper(text, depth)).toBe(false);
      if (depth > 0) expect(nestsDeeper(text, depth - 1)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("text without an end is read once", () => {
  expect(nestsDeeper('"'.repeat(250_001), 3)).toBe(false);
  expect(nestsDeeper(`"${'\\"'.repeat(125_000)}`, 3)).toBe(false);
  expect(nestsDeeper("[".repeat(250_000), 32)).toBe(true);
});
