import { expect, test } from "bun:test";
import { formatTime } from "../codec/time.ts";
import { ApiError } from "./errors.ts";
import { parseInstant } from "./instant.ts";

test.each([
  ["2026-03-01T00:00:05Z", "2026-03-01T00:00:05Z"],
  ["2026-03-01t00:00:05.123456789z", "2026-03-01T00:00:05.123456789Z"],
  ["2026-03-01T02:30:05+02:30", "2026-03-01T00:00:05Z"],
  ["2026-02-28T19:00:05.5-05:00", "2026-03-01T00:00:05.5Z"],
  ["2026-03-01T01:00:05 01:00", "2026-03-01T00:00:05Z"],
])("%s is %s", (text, utc) => {
  expect(formatTime(parseInstant(text, "at"), "minimal")).toBe(utc);
});

test.each([
  "",
  "now",
  "1772323205",
  "2026-03-01",
  "2026-03-01T00:00:05",
  "2026-02-30T00:00:05Z",
  "2026-03-01T00:00:05+24:00",
  "2026-03-01T00:00:05Z+01:00",
  "2026-03-01T00:00:05+0100",
])("%p is refused with the parameter's name", (text) => {
  const refused = () => parseInstant(text, "at");
  expect(refused).toThrow(ApiError);
  expect(refused).toThrow(/^at: not an RFC 3339 time/);
});
