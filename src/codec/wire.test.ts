import { expect, test } from "bun:test";
import fc from "fast-check";
import { fromHex, toHex } from "./bytes.ts";
import { readUvarint, WireReader, WireWriter } from "./wire.ts";

const int64 = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });

test("varints have the bytes of the protobuf specification", () => {
  const bytes = (n: bigint | number) => toHex(new WireWriter(1).uint(n).finish());
  expect(bytes(0)).toBe("00");
  expect(bytes(127)).toBe("7f");
  expect(bytes(300)).toBe("ac02");
  expect(bytes(22020096n)).toBe("8080c00a");
  expect(bytes(-1)).toBe("ffffffffffffffffff01");
  expect(bytes(-62135596800n)).toBe("8092b8c398feffffff01");
  expect(bytes((1n << 64n) - 1n)).toBe("ffffffffffffffffff01");
  expect(bytes(Number.MAX_SAFE_INTEGER)).toBe("ffffffffffffff0f");
  expect(() => bytes(1n << 64n)).toThrow("not a 64-bit integer");
  expect(() => bytes(0.5)).toThrow("not an integer");
});

test("integers survive writing and reading", () => {
  fc.assert(
    fc.property(int64, (n) => {
      const bytes = new WireWriter().uint(n).zigzag(n).sfixed64Field(1, n).finish();
      const reader = new WireReader(bytes);
      expect(reader.int64()).toBe(n);
      expect(reader.zigzag()).toBe(n);
      if (n !== 0n) {
        expect(reader.tag()).toBe(9);
        expect(reader.sfixed64()).toBe(n);
      }
      expect(reader.done).toBe(true);
    }),
  );
});

test("numbers and bigints give the same bytes", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (n) => {
      const writer = (value: bigint | number) => toHex(new WireWriter().uint(value).zigzag(value).finish());
      expect(writer(n)).toBe(writer(BigInt(n)));
    }),
  );
});

test("zero scalars are omitted, messages and elements are not", () => {
  const writer = new WireWriter();
  writer.varintField(1, 0).varintField(1, 0n).varintField(1, false).stringField(2, "").bytesField(3, fromHex(""));
  writer.sfixed64Field(4, 0n).messageField(5, fromHex(""));
  expect(toHex(writer.finish())).toBe("2a00");
});

test("fields read back", () => {
  const bytes = new WireWriter(1).varintField(1, true).stringField(2, "né").bytesField(300, fromHex("0102")).finish();
  const reader = new WireReader(bytes);
  expect(reader.tag()).toBe(8);
  expect(reader.bool()).toBe(true);
  expect(reader.tag()).toBe(18);
  expect(reader.string()).toBe("né");
  expect(reader.tag()).toBe(300 * 8 + 2);
  expect(toHex(reader.copy())).toBe("0102");
  expect(reader.done).toBe(true);
});

test("broken bytes are refused", () => {
  const reader = (hex: string) => new WireReader(fromHex(hex));
  expect(() => reader("80").uint64()).toThrow("ends inside a varint");
  expect(() => reader("ffffffffffffffffff02").uint64()).toThrow("too large");
  expect(() => reader("ffffffffffffffffffff01").uint64()).toThrow("too large");
  expect(() => reader("ffffffffffffffffff01").count()).toThrow("too large");
  expect(() => reader("0501").view()).toThrow("message ends");
  expect(() => reader("01020304").sfixed64()).toThrow("message ends");
  expect(() => reader("00").tag()).toThrow("field number");
  expect(() => reader("0b").tag()).toThrow("wire type");
  expect(() => reader("02c328").string()).toThrow();
  expect(() => new WireReader(fromHex("0505050505"), 0, 3).view()).toThrow("message ends");
  expect(() => readUvarint(fromHex(""), 0)).toThrow("ends inside a varint");
});

test("skip steps over every wire type", () => {
  const bytes = fromHex("08ac02 11 0102030405060708 1a 02 0102 25 01020304".replaceAll(" ", ""));
  const reader = new WireReader(bytes);
  while (!reader.done) reader.skip(reader.tag() & 7);
  expect(reader.pos).toBe(bytes.length);
});
