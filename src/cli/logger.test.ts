import { expect, test } from "bun:test";
import { createLogger } from "./logger.ts";
import { LOG_LEVELS, type LogLevel } from "./values.ts";

function collect(level: LogLevel, format: "text" | "json" = "text") {
  const lines: string[] = [];
  const output = { out: (text: string) => lines.push(`out ${text}`), err: (text: string) => lines.push(`err ${text}`) };
  const log = createLogger(level, { format, output, now: () => new Date("2026-01-02T03:04:05.678Z") });
  log.show("banner");
  log.show("finding", "error");
  for (const one of ["debug", "info", "warn", "error"] as const) log[one](one);
  return lines;
}

const at = (level: string) => `2026-01-02T03:04:05.678Z ${level.padEnd(5)} ${level}\n`;
const all = [
  "out banner\n",
  "out finding\n",
  `out ${at("debug")}`,
  `out ${at("info")}`,
  `err ${at("warn")}`,
  `err ${at("error")}`,
];

test.each([
  ["debug", [0, 1, 2, 3, 4, 5]],
  ["info", [0, 1, 3, 4, 5]],
  ["warn", [1, 4, 5]],
  ["error", [1, 5]],
  ["silent", []],
] as [LogLevel, number[]][])("level %s", (level, shown) => {
  expect(LOG_LEVELS).toContain(level);
  expect(collect(level)).toEqual(shown.map((index) => all[index]!));
});

test("what a line is about stands behind the sentence", () => {
  const lines: string[] = [];
  const output = { out: (text: string) => lines.push(text), err: () => {} };
  const now = () => new Date("2026-01-02T03:04:05.678Z");
  createLogger("info", { output, now }).info("request", { id: "a-1", status: 200 });
  createLogger("info", { format: "json", output, now }).info("two\nlines", { id: "a-1", status: 200 });
  expect(lines[0]).toBe("2026-01-02T03:04:05.678Z info  request id=a-1 status=200\n");
  expect(lines[1]?.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(lines[1] as string)).toEqual({
    ...{ time: "2026-01-02T03:04:05.678Z", level: "info", message: "two\nlines", id: "a-1", status: 200 },
  });
});

test("as JSON, every line is an object", () => {
  for (const line of collect("debug", "json")) expect(JSON.parse(line.slice(4))).toHaveProperty("message");
});
