import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Bytes } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import { ed25519PublicKey, signEd25519, verifySignature } from "../codec/public-key.ts";
import { sha256Native, signEd25519Native, verifyEd25519Native } from "./native-hash.ts";

const bytes = fc.uint8Array({ maxLength: 300 }) as fc.Arbitrary<Bytes>;

test("the native hash is the portable one", () => {
  fc.assert(fc.property(bytes, (message) => expect(sha256Native(message)).toEqual(sha256(message))));
});

test("both checks of signatures agree, on right and on damaged ones", () => {
  fc.assert(
    fc.property(bytes, fc.nat({ max: 3 }), fc.nat({ max: 63 }), fc.nat({ max: 255 }), (message, seed, pos, mask) => {
      const key = ed25519PublicKey(new Uint8Array(32).fill(seed));
      const signature = signEd25519(new Uint8Array(32).fill(seed), message);
      signature[pos]! ^= mask;
      expect(verifyEd25519Native(key.key, message, signature)).toBe(mask === 0);
      expect(verifySignature(key, message, signature)).toBe(mask === 0);
    }),
    { numRuns: 40, examples: [[new Uint8Array([1]), 1, 0, 0]] },
  );
});

test("both ways to sign give the same signature", () => {
  fc.assert(
    fc.property(bytes, fc.uint8Array({ minLength: 32, maxLength: 32 }), (message, seed) => {
      expect(signEd25519Native(seed as Bytes, message)).toEqual(signEd25519(seed as Bytes, message));
    }),
    { numRuns: 40 },
  );
});
