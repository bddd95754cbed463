import { expect, test } from "bun:test";
import fc from "fast-check";
import { compareBytes, concatBytes, equalBytes } from "../codec/bytes.ts";
import { keyAfter, prefixEnd } from "./key-range.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.array(fc.constantFrom(0x00, 0x01, 0xfe, 0xff), { maxLength: 4 }).map((list) => Uint8Array.from(list)),
);

test("prefixEnd is above every key with the prefix, and below every key after them", () => {
  fc.assert(
    fc.property(bytes, bytes, (prefix, other) => {
      if (prefix.every((byte) => byte === 0xff)) {
        expect(() => prefixEnd(prefix)).toThrow(RangeError);
        return;
      }
      const end = prefixEnd(prefix);
      expect(compareBytes(concatBytes(prefix, other), end)).toBeLessThan(0);
      const startsWithPrefix = equalBytes(other.subarray(0, prefix.length), prefix);
      const inRange = compareBytes(other, prefix) >= 0 && compareBytes(other, end) < 0;
      expect(inRange).toBe(startsWithPrefix);
    }),
  );
});

test("keyAfter leaves no key between", () => {
  expect(keyAfter(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2, 0));
});
