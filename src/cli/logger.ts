// Log lines: time, level, sentence, and what the line is about; as text for people or as JSON for programs. Warnings and
// errors go to standard error, the rest to standard output.

import type { Log, LogFields } from "../log.ts";
import { LOG_LEVELS, type LogFormat, type LogLevel } from "./values.ts";

export type Logger = Log & {
  readonly level: LogLevel;
  /** What a command has to show, without time and level; as important as `level`, which is `info` unless given. */
  show(text: string, level?: LogLevel): void;
};

export type Output = { out(text: string): void; err(text: string): void };

export type LoggerOptions = {
  readonly format?: LogFormat;
  readonly output?: Output;
  readonly now?: () => Date;
};

const TERMINAL: Output = { out: writerOf(process.stdout), err: writerOf(process.stderr) };

/** Whoever reads the log may go, as `head` does after its lines: a chain does not stop for that. */
function writerOf(stream: NodeJS.WriteStream): (text: string) => void {
  stream.on("error", () => {});
  return (text) => {
    try {
      stream.write(text);
    } catch {
      // As above; the runtime throws for some kinds of pipes.
    }
  };
}

export function createLogger(level: LogLevel, options: LoggerOptions = {}): Logger {
  const { format = "text", output = TERMINAL, now = () => new Date() } = options;
  const print = format === "json" ? jsonLine : textLine;
  const shown = (one: LogLevel) => LOG_LEVELS.indexOf(one) >= LOG_LEVELS.indexOf(level);
  const line = (one: LogLevel, write: (text: string) => void) => (text: string, fields?: LogFields) => {
    if (shown(one)) write(`${print(now().toISOString(), one, text, fields ?? {})}\n`);
  };
  return {
    level,
    show: (text, one = "info") => {
      if (shown(one)) output.out(`${format === "json" ? jsonLine(now().toISOString(), one, text, {}) : text}\n`);
    },
    debug: line("debug", output.out),
    info: line("info", output.out),
    warn: line("warn", output.err),
    error: line("error", output.err),
  };
}

function textLine(time: string, level: LogLevel, text: string, fields: LogFields): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${value}`);
  return `${time} ${level.padEnd(5)} ${text}${pairs.join("")}`;
}

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  return JSON.stringify({ time, level, message, ...fields });
}
