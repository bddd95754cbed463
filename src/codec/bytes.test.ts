// Byte strings and their text forms.

import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  compareBytes,
  concatBytes,
  equalBytes,
  fromBase64,
  fromBase64Lenient,
  fromHex,
  toBase64,
  toHex,
  utf8Decode,
  utf8Encode,
} from "./bytes.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  // Few different bytes, so that some are equal, and some a prefix of others.
  fc.array(fc.constantFrom(0x00, 0x01, 0xfe, 0xff), { maxLength: 4 }).map((list) => Uint8Array.from(list)),
);

test("hex and base64 give back what they were given", () => {
  fc.assert(
    fc.property(bytes, (value) => {
      expect(fromHex(toHex(value))).toEqual(new Uint8Array(value));
      expect(fromBase64(toBase64(value))).toEqual(new Uint8Array(value));
    }),
  );
  expect(toHex(new Uint8Array([0, 15, 255]))).toBe("000fff");
  expect(toBase64(utf8Encode("ucred"))).toBe("dWNyZWQ=");
});

test("hex and base64 refuse what is not exactly theirs", () => {
  for (const text of ["0", "0g", " 00", "0x00", "00 "]) expect(() => fromHex(text)).toThrow("not hexadecimal");
  for (const text of ["dWNyZWQ", "dWNyZWR=", "dWNy ZWQ=", "dWNyZWQ=\n", "-_==", "a", "====", "dW=="]) {
    expect(() => fromBase64(text)).toThrow("not base64");
  }
  expect(fromHex("AbCd")).toEqual(new Uint8Array([0xab, 0xcd]));
});

test("base64 of a URL: both alphabets, a space for +, padding or none", () => {
  fc.assert(
    fc.property(bytes, (value) => {
      const text = toBase64(value);
      const urlSafe = text.replaceAll("+", "-").replaceAll("/", "_");
      for (const form of [text, urlSafe, text.replaceAll("+", " "), text.replaceAll("=", "")]) {
        expect(fromBase64Lenient(form)).toEqual(new Uint8Array(value));
      }
    }),
  );
  for (const text of ["!!!!", "a", "ab!d", "dWNyZWQ==", "dWNyZWR", "=", "dW=Q"])
    expect(fromBase64Lenient(text)).toBeNull();
});

test("order is that of the bytes, and a prefix comes first", () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const order = Buffer.compare(a, b);
      expect(Math.sign(compareBytes(a, b))).toBe(order);
      expect(equalBytes(a, b)).toBe(order === 0);
      // Hex sorts as the bytes do: maps and sorted lists of keys rely on it.
      expect(toHex(a) < toHex(b) ? -1 : toHex(a) > toHex(b) ? 1 : 0).toBe(order);
      expect(toHex(concatBytes(a, b))).toBe(toHex(a) + toHex(b));
    }),
  );
});

test("text keeps its byte order mark, and bytes that are no text are refused", () => {
  expect(utf8Decode(utf8Encode("\ufeffé"))).toBe("\ufeffé");
  expect(() => utf8Decode(new Uint8Array([0xc3]))).toThrow();
});
