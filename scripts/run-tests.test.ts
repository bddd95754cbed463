import { expect, test } from "bun:test";
import { countTests } from "./run-tests.ts";

const testcase = (file: string, inside = "") => `<testcase name="n" file="${file}" line="1">${inside}</testcase>\n`;

const cases: [what: string, report: string, files: string[], code: number, passed: number, failed: number][] = [
  ["all well", testcase("a.test.ts") + testcase("a.test.ts"), ["a.test.ts"], 0, 2, 0],
  ["a failure", testcase("a.test.ts", "<failure/>") + testcase("a.test.ts"), ["a.test.ts"], 1, 1, 1],
  ["a skipped test is not a pass", testcase("a.test.ts", "<skipped/>"), ["a.test.ts"], 0, 0, 0],
  ["a file that did not load", testcase("a.test.ts"), ["a.test.ts", "b.test.ts"], 1, 1, 1],
  ["a file without tests", testcase("a.test.ts"), ["a.test.ts", "b.test.ts"], 0, 1, 1],
  ["a crash without a report", "", ["a.test.ts", "b.test.ts"], 139, 0, 2],
  ["a bad end after good tests", testcase("a.test.ts"), ["a.test.ts"], 1, 1, 1],
  ["no tests at all", "", [], 0, 0, 1],
];

test.each(cases)("%s", (_what, report, files, code, passed, failed) => {
  expect(countTests(report, files, code)).toMatchObject({ passed, failed });
});
