import { expect, test } from "bun:test";
import fc from "fast-check";
import { fromHex, toHex } from "./bytes.ts";
import {
  addMillis,
  compareTimes,
  formatTime,
  GO_ZERO_TIME,
  parseTime,
  type Time,
  timeCodec,
  timeFromMillis,
} from "./time.ts";

const times: fc.Arbitrary<Time> = fc.record({
  seconds: fc.bigInt({ min: GO_ZERO_TIME.seconds, max: 253402300799n }),
  nanos: fc.oneof(fc.nat({ max: 999_999_999 }), fc.constantFrom(0, 1, 1_000, 500_000_000, 999_000_000)),
});

test("formats have the digits that each reader expects", () => {
  const forms = (nanos: number) =>
    (["minimal", "grouped", "millis"] as const).map((style) => formatTime({ seconds: 0n, nanos }, style).slice(19));
  expect(forms(0)).toEqual(["Z", "Z", ".000Z"]);
  expect(forms(500_000_000)).toEqual([".5Z", ".500Z", ".500Z"]);
  expect(forms(500_100_000)).toEqual([".5001Z", ".500100Z", ".500Z"]);
  expect(forms(999_999_999)).toEqual([".999999999Z", ".999999999Z", ".999Z"]);
  expect(forms(10)).toEqual([".00000001Z", ".000000010Z", ".000Z"]);
});

test("known instants", () => {
  expect(parseTime("0001-01-01T00:00:00Z")).toEqual(GO_ZERO_TIME);
  expect(parseTime("2019-10-13T16:14:44Z")).toEqual({ seconds: 1570983284n, nanos: 0 });
  expect(parseTime("2000-02-29T23:59:59.000000001Z")).toEqual({ seconds: 951868799n, nanos: 1 });
  expect(formatTime(GO_ZERO_TIME, "minimal")).toBe("0001-01-01T00:00:00Z");
  expect(parseTime("9999-12-31T23:59:59Z").seconds).toBe(253402300799n);
});

test("every time survives its text and its bytes", () => {
  fc.assert(
    fc.property(times, (time) => {
      expect(parseTime(formatTime(time, "minimal"))).toEqual(time);
      expect(parseTime(formatTime(time, "grouped"))).toEqual(time);
      expect(timeCodec.decode(timeCodec.encode(time))).toEqual(time);
    }),
  );
});

test("order and addition agree", () => {
  fc.assert(
    fc.property(times, fc.integer({ min: -1e9, max: 1e9 }), (time, millis) => {
      const later = addMillis(time, millis);
      expect(Math.sign(compareTimes(later, time))).toBe(Math.sign(millis));
      expect(addMillis(later, -millis)).toEqual(time);
    }),
  );
  expect(timeFromMillis(-1)).toEqual({ seconds: -1n, nanos: 999_000_000 });
  expect(timeFromMillis(1_704_067_201_500)).toEqual(parseTime("2024-01-01T00:00:01.5Z"));
});

test("timestamps have the reference's bytes", () => {
  expect(toHex(timeCodec.encode(GO_ZERO_TIME))).toBe("088092b8c398feffffff01");
  expect(toHex(timeCodec.encode({ seconds: 0n, nanos: 0 }))).toBe("");
  expect(toHex(timeCodec.encode(parseTime("2024-01-01T00:00:01.5Z")))).toBe("088181c8ac061080cab5ee01");
});

test.each([
  "",
  "2024-01-01",
  "2024-01-01T00:00:00",
  "2024-01-01T00:00:00+00:00",
  "2024-01-01t00:00:00z",
  "2024-01-01T00:00:00.Z",
  "2024-01-01T00:00:00.0123456789Z",
  "2023-02-29T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2024-13-01T00:00:00Z",
  "2024-00-01T00:00:00Z",
  "2024-01-00T00:00:00Z",
  "2024-01-01T24:00:00Z",
  "2024-01-01T00:60:00Z",
  "2024-01-01T00:00:60Z",
  "0000-01-01T00:00:00Z",
  "2024-01-01T00:00:00Z\n",
])("refuses %p", (text) => {
  expect(() => parseTime(text)).toThrow();
});

test("refuses times outside the years 1 to 9999", () => {
  expect(() => formatTime({ seconds: 253402300800n, nanos: 0 }, "minimal")).toThrow("out of range");
  expect(() => timeCodec.encode({ seconds: GO_ZERO_TIME.seconds - 1n, nanos: 0 })).toThrow("out of range");
  expect(() => timeCodec.decode(fromHex("1080cab5ee03"))).toThrow("out of range");
});
