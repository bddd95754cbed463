// A moment as callers write it: RFC 3339 with any offset, in the query string too, where a raw plus stands for a space.

import { addMillis, parseTime, type Time } from "../codec/time.ts";
import { invalid } from "./errors.ts";

/** Throws a 400 that begins with `name`. */
export function parseInstant(text: string, name: string): Time {
  const [, moment, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  try {
    if (moment === undefined) return parseTime(text.toUpperCase());
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return addMillis(parseTime(`${moment.toUpperCase()}Z`), sign === "-" ? offset : -offset);
  } catch {
    throw invalid(name, `not an RFC 3339 time such as 2026-03-01T12:00:00Z: ${JSON.stringify(text)}`);
  }
}

const OFFSET = /^(.*\d)([+ -])([01]\d|2[0-3]):([0-5]\d)$/;
