// Whether the numbers of a public key are a key at all: points that lie on their curve, moduli of sufficient size.

import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type Bytes, concatBytes } from "../codec/bytes.ts";
import { decodeCoseKey } from "../codec/cose-key.ts";
import { decodeBase64Url, type Jwk } from "../codec/jwk.ts";
import type { Multikey, MultikeyCurve } from "../codec/multikey.ts";

export type Curve = MultikeyCurve | "RSA";

/** A checked public key; `point` is the compressed form where the curve has one, and empty for RSA. */
export type CheckedKey = { readonly curve: Curve; readonly point: Bytes };

/** The message is the reason alone; whoever catches it knows the field. */
export class KeyFault extends Error {
  override readonly name = "KeyFault";
}

const MIN_RSA_BITS = 2048;
const WEIERSTRASS = { "P-256": p256, "P-384": p384, "P-521": p521, secp256k1 } as const;
const COORDINATE_BYTES = { "P-256": 32, "P-384": 48, "P-521": 66, secp256k1: 32 } as const;
type WeierstrassCurve = keyof typeof WEIERSTRASS;

const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Throws KeyFault. */
export function checkJwk(jwk: Jwk): CheckedKey {
  for (const member of PRIVATE_MEMBERS) {
    if (Object.hasOwn(jwk, member)) throw new KeyFault(`private member "${member}"`);
  }
  const { kty, crv } = jwk;
  if (kty === "RSA") return checkRsa(memberBytes(jwk, "n"), memberBytes(jwk, "e"));
  if (kty === "OKP" && (crv === "Ed25519" || crv === "X25519")) {
    return checkPoint({ curve: crv, key: memberBytes(jwk, "x") });
  }
  if (kty === "EC" && crv !== undefined && isWeierstrass(crv)) {
    return checkCoordinates(crv, memberBytes(jwk, "x"), memberBytes(jwk, "y"));
  }
  throw new KeyFault(`unsupported key type ${JSON.stringify(kty ?? "")} with curve ${JSON.stringify(crv ?? "")}`);
}

/** A point in the form of a multikey: compressed where the curve has that form. Throws KeyFault. */
export function checkPoint({ curve, key }: Multikey): CheckedKey {
  if (isWeierstrass(curve)) {
    onCurve(curve, () => WEIERSTRASS[curve].Point.fromBytes(key).assertValidity());
  } else {
    if (key.length !== 32) throw new KeyFault(`${curve} key of ${key.length} bytes, expected 32`);
    if (curve === "Ed25519") onCurve(curve, () => ed25519.Point.fromBytes(key).assertValidity());
    else if (isOfSmallOrder(key)) throw new KeyFault(`not a point of ${curve}`);
  }
  return { curve, point: key };
}

/** The public key of a WebAuthn credential. Throws KeyFault. */
export function checkCoseKey(bytes: Bytes): CheckedKey {
  const key = decoded(bytes);
  if (key.type === "RSA") return checkRsa(key.n, key.e);
  if (key.type === "OKP") return checkPoint({ curve: key.curve, key: key.x });
  return checkCoordinates(key.curve, key.x, key.y);
}

const FIELD = 2n ** 255n - 19n;
/** The coordinates of the X25519 points of small order, below 2^255: each gives the same secret with everybody. */
const SMALL_ORDER = new Set([
  0n,
  1n,
  0x00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0n,
  0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5fn,
  FIELD - 1n,
  FIELD,
  FIELD + 1n,
]);

/** Every 32 bytes are a coordinate, little-endian, and the highest bit is not looked at. */
function isOfSmallOrder(key: Bytes): boolean {
  let coordinate = 0n;
  for (let i = 31; i >= 0; i--) coordinate = (coordinate << 8n) | BigInt(i === 31 ? key[i]! & 0x7f : key[i]!);
  return SMALL_ORDER.has(coordinate);
}

function decoded(bytes: Bytes): ReturnType<typeof decodeCoseKey> {
  try {
    return decodeCoseKey(bytes);
  } catch (error) {
    throw new KeyFault(`not a COSE public key: ${(error as Error).message}`);
  }
}

function isWeierstrass(curve: string): curve is WeierstrassCurve {
  return Object.hasOwn(WEIERSTRASS, curve);
}

function checkCoordinates(curve: WeierstrassCurve, x: Bytes, y: Bytes): CheckedKey {
  const length = COORDINATE_BYTES[curve];
  if (x.length !== length || y.length !== length) throw new KeyFault(`coordinates of ${curve} have ${length} bytes`);
  onCurve(curve, () => WEIERSTRASS[curve].Point.fromBytes(concatBytes(Uint8Array.of(4), x, y)).assertValidity());
  const sign = 2 + (y[length - 1]! & 1);
  return { curve, point: concatBytes(Uint8Array.of(sign), x) };
}

function onCurve(curve: string, check: () => unknown): void {
  try {
    check();
  } catch {
    throw new KeyFault(`not a point of ${curve}`);
  }
}

function checkRsa(n: Bytes, e: Bytes): CheckedKey {
  if (n[0] === 0 || e[0] === 0) throw new KeyFault("RSA numbers must not begin with a zero byte");
  const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
  if (bits < MIN_RSA_BITS) throw new KeyFault(`RSA modulus of ${bits} bits, at least ${MIN_RSA_BITS} expected`);
  if ((n.at(-1)! & 1) === 0) throw new KeyFault("RSA modulus is even");
  const small = e.length === 1 && e[0]! < 3;
  if (e.length === 0 || small || (e.at(-1)! & 1) === 0) throw new KeyFault("RSA exponent must be odd and at least 3");
  return { curve: "RSA", point: new Uint8Array(0) };
}

function memberBytes(jwk: Jwk, member: string): Bytes {
  const text = Object.hasOwn(jwk, member) ? jwk[member]! : "";
  const bytes = text === "" ? null : decodeBase64Url(text);
  if (bytes === null) throw new KeyFault(`member "${member}" must be base64url without padding`);
  return bytes;
}
