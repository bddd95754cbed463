// Keys of the sample documents that are no account's key, each made from its label: public, and the same every time.

import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type Bytes, toBase64, utf8Encode } from "../codec/bytes.ts";
import { encodeCoseKey } from "../codec/cose-key.ts";
import { sha256 } from "../codec/hash.ts";
import { encodeBase64Url, type Jwk, jwkThumbprint } from "../codec/jwk.ts";
import { formatMultikey } from "../codec/multikey.ts";

/** A JWK and the fragment under which it stands: its thumbprint, as the specification recommends. */
export type NamedJwk = { readonly fragment: string; readonly jwk: Jwk };

export function p256Jwk(label: string): NamedJwk {
  const { x, y } = p256Coordinates(label);
  return named({ crv: "P-256", kty: "EC", x: encodeBase64Url(x), y: encodeBase64Url(y) });
}

export function secp256k1Jwk(publicKey: Bytes): NamedJwk {
  const whole = secp256k1.Point.fromBytes(publicKey).toBytes(false) as Bytes;
  const [x, y] = [whole.slice(1, 33), whole.slice(33)];
  return named({ crv: "secp256k1", kty: "EC", x: encodeBase64Url(x), y: encodeBase64Url(y) });
}

export function ed25519Jwk(label: string): NamedJwk {
  return named({ crv: "Ed25519", kty: "OKP", x: encodeBase64Url(ed25519Key(label)) });
}

export function x25519Jwk(label: string): NamedJwk {
  return named({ crv: "X25519", kty: "OKP", x: encodeBase64Url(x25519Key(label)) });
}

export function ed25519Multikey(label: string): string {
  return formatMultikey({ curve: "Ed25519", key: ed25519Key(label) });
}

export function x25519Multikey(label: string): string {
  return formatMultikey({ curve: "X25519", key: x25519Key(label) });
}

export function p256Multikey(label: string): string {
  return formatMultikey({ curve: "P-256", key: p256.getPublicKey(seed(label), true) as Bytes });
}

export function accountMultikey(publicKey: Bytes): string {
  return formatMultikey({ curve: "secp256k1", key: publicKey });
}

/** A WebAuthn credential in JSON, as a passkey on a phone (P-256) or a security key (Ed25519) would give it. */
export function credential(label: string, kind: "passkey" | "security key") {
  const key =
    kind === "passkey"
      ? encodeCoseKey({ type: "EC2", curve: "P-256", ...p256Coordinates(label) })
      : encodeCoseKey({ type: "OKP", curve: "Ed25519", x: ed25519Key(label) });
  return {
    id: toBase64(seed(`${label} credential`)),
    public_key: toBase64(key),
    attestation_type: "none",
    authenticator_transport: kind === "passkey" ? "internal" : "usb",
    authenticator: {
      aaguid: toBase64(seed(`${kind} model`).slice(0, 16)),
      sign_count: kind === "passkey" ? 0 : 7,
      clone_warning: false,
    },
  };
}

function named(jwk: Jwk): NamedJwk {
  const fragment = jwkThumbprint(jwk)!;
  return { fragment, jwk: { ...jwk, kid: fragment } };
}

function p256Coordinates(label: string): { x: Bytes; y: Bytes } {
  const whole = p256.getPublicKey(seed(label), false) as Bytes;
  return { x: whole.slice(1, 33), y: whole.slice(33) };
}

function ed25519Key(label: string): Bytes {
  return ed25519.getPublicKey(seed(label)) as Bytes;
}

function x25519Key(label: string): Bytes {
  return x25519.getPublicKey(seed(label)) as Bytes;
}

function seed(label: string): Bytes {
  return sha256(utf8Encode(`orrery public development key: ${label}`));
}
