import { expect, test } from "bun:test";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import type { Bytes } from "../codec/bytes.ts";
import { portableSecp256k1 } from "../codec/verify-signature.ts";
import { verifySecp256k1 } from "./secp256k1.ts";

const ORDER = secp256k1.Point.Fn.ORDER;

function signed(seed: number) {
  const secret = new Uint8Array(32).fill((seed % 255) + 1);
  const digest = new Uint8Array(32).fill(seed % 251);
  const signature = secp256k1.sign(digest, secret, { prehash: false }) as Bytes;
  return { key: secp256k1.getPublicKey(secret) as Bytes, digest, signature };
}

function bigintOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}

function bytesOf(n: bigint): number[] {
  return n
    .toString(16)
    .padStart(64, "0")
    .match(/../g)!
    .map((pair) => Number.parseInt(pair, 16));
}

test("both verifiers accept a signature, and neither accepts it with a high s, a byte more or a byte less", () => {
  const { key, digest, signature } = signed(7);
  const high = Uint8Array.of(...signature.subarray(0, 32), ...bytesOf(ORDER - bigintOf(signature.subarray(32))));
  for (const verify of [verifySecp256k1, portableSecp256k1]) {
    expect(verify(key, digest, signature)).toBe(true);
    expect(verify(key, digest, high)).toBe(false);
    expect(verify(key, digest, signature.slice(0, 63))).toBe(false);
    expect(verify(key, digest, Uint8Array.of(...signature, 0))).toBe(false);
    expect(verify(new Uint8Array(33), digest, signature)).toBe(false);
    expect(verify(key, digest, new Uint8Array(64))).toBe(false);
  }
});

test("the two verifiers agree on damaged signatures, digests and keys", () => {
  const part = fc.constantFrom("key", "digest", "signature");
  fc.assert(
    fc.property(fc.nat(200), part, fc.nat(63), fc.integer({ min: 0, max: 255 }), (seed, name, at, flip) => {
      const parts = signed(seed);
      const damaged = parts[name as "key"];
      damaged[at % damaged.length]! ^= flip;
      const { key, digest, signature } = parts;
      expect(verifySecp256k1(key, digest, signature)).toBe(portableSecp256k1(key, digest, signature));
    }),
    { numRuns: 150 },
  );
});
