// Log lines as plain text: time, level, sentence. Warnings and errors go to standard error, the rest to standard output.

import type { Log } from "../log.ts";
import { LOG_LEVELS, type LogLevel } from "./values.ts";

export type Logger = Log & {
  readonly level: LogLevel;
  /** What a command has to show, without time and level; as important as `level`, which is `info` unless given. */
  show(text: string, level?: LogLevel): void;
};

export type Output = { out(text: string): void; err(text: string): void };

const TERMINAL: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

export function createLogger(level: LogLevel, output: Output = TERMINAL, now: () => Date = () => new Date()): Logger {
  const shown = (one: LogLevel) => LOG_LEVELS.indexOf(one) >= LOG_LEVELS.indexOf(level);
  const line = (one: LogLevel, write: (text: string) => void) => (text: string) => {
    if (shown(one)) write(`${now().toISOString()} ${one.padEnd(5)} ${text}\n`);
  };
  return {
    level,
    show: (text, one = "info") => {
      if (shown(one)) output.out(`${text}\n`);
    },
    debug: line("debug", output.out),
    info: line("info", output.out),
    warn: line("warn", output.err),
    error: line("error", output.err),
  };
}
