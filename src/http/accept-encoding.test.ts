import { expect, test } from "bun:test";
import { type Coding, codingFor } from "./accept-encoding.ts";

const CASES: readonly (readonly [string | null, Coding | null])[] = [
  [null, null],
  ["", null],
  ["identity", null],
  ["br", null],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["zstd", "zstd"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "gzip"],
  ["gzip;q=1.0, zstd;q=0.9", "gzip"],
  ["gzip; q=0.2 , zstd;q=0.3", "zstd"],
  ["gzip;q=0", null],
  ["gzip;q=0.000, *", "zstd"],
  ["*", "zstd"],
  ["*;q=0", null],
  ["*;q=0, gzip", "gzip"],
  ["identity, gzip;q=0.5", null],
  ["identity;q=0.5, gzip", "gzip"],
  ["identity;q=0", null],
  ["gzip;q=2", null],
  ["gzip;q=x", null],
  ["gzip;q=", null],
  [";;,,=", null],
];

test.each(CASES)("%p gives %p", (accept, coding) => {
  expect(codingFor(accept)).toBe(coding);
  // Also when it is remembered.
  expect(codingFor(accept)).toBe(coding);
});

test("what is remembered has a bound, and being forgotten changes nothing", () => {
  for (let i = 0; i < 500; i++) expect(codingFor(`x${i}, gzip`)).toBe("gzip");
  expect(codingFor("gzip, zstd")).toBe("zstd");
});
