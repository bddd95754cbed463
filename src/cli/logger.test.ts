import { expect, test } from "bun:test";
import { createLogger } from "./logger.ts";
import { LOG_LEVELS, type LogLevel } from "./values.ts";

function collect(level: LogLevel) {
  const lines: string[] = [];
  const output = { out: (text: string) => lines.push(`out ${text}`), err: (text: string) => lines.push(`err ${text}`) };
  const log = createLogger(level, output, () => new Date("2026-01-02T03:04:05.678Z"));
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
