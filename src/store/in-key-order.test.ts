import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Bytes } from "../codec/bytes.ts";
import { inKeyOrder } from "./in-key-order.ts";
import type { Change } from "./store.ts";

const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x61, 0xff), { maxLength: 4 })
  .map((bytes): Bytes => Uint8Array.from(bytes));
const change = fc.tuple(
  key,
  fc.option(
    fc.nat(255).map((n): Bytes => Uint8Array.of(n)),
    { nil: null },
  ),
);

test("the last change of each key, in the runtime's own order of bytes", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes: Change[]) => {
      const last = new Map(changes.map((each) => [each[0].toHex(), each]));
      const expected = [...last.values()].sort(([a], [b]) => Buffer.compare(a, b));
      expect(inKeyOrder(changes)).toEqual(expected);
    }),
  );
});
