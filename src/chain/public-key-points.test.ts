// The X25519 points that are refused are those with which the curve itself refuses to make a secret.

import { expect, test } from "bun:test";
import { x25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import type { Bytes } from "../codec/bytes.ts";
import { checkPoint, KeyFault } from "./public-key-points.ts";

const FIELD = 2n ** 255n - 19n;
const SECRET = new Uint8Array(32).fill(0x40);

/** 0 and 1, the two points of order 8, and -1; then 0 and 1 as they can also be written in 255 bits. */
const SMALL_ORDER = [
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  FIELD - 1n,
  FIELD,
  FIELD + 1n,
];

test("coordinates of small order are refused, whatever their highest bit", () => {
  for (const coordinate of SMALL_ORDER) {
    for (const number of [coordinate, coordinate + 2n ** 255n]) {
      const key = littleEndian(number);
      expect(() => x25519.getSharedSecret(SECRET, key)).toThrow();
      expect(() => checkPoint({ curve: "X25519", key })).toThrow(KeyFault);
    }
  }
});

test("any other coordinate is a key", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(accepts(bytes as Bytes)).toBe(makesSecret(bytes));
    }),
    { numRuns: 50, examples: [[littleEndian(2n)], [littleEndian(FIELD + 2n)], [littleEndian(FIELD - 2n)]] },
  );
});

function accepts(key: Bytes): boolean {
  try {
    return checkPoint({ curve: "X25519", key }).point === key;
  } catch {
    return false;
  }
}

function makesSecret(key: Uint8Array): boolean {
  try {
    return x25519.getSharedSecret(SECRET, key).length === 32;
  } catch {
    return false;
  }
}

function littleEndian(n: bigint): Bytes {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((n >> BigInt(8 * i)) & 255n));
}
