// JSON Web Keys as identity documents hold them: members of text only. The thumbprint is that of RFC 7638.

import { base64urlnopad } from "@scure/base";
import { type Bytes, utf8Encode } from "./bytes.ts";
import { sha256 } from "./hash.ts";

export type Jwk = { readonly [member: string]: string };

// The members that make the key, in the order in which the thumbprint hashes them.
const ESSENTIAL: { readonly [kty: string]: readonly string[] } = {
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
  RSA: ["e", "kty", "n"],
};

/** Null for a key type without public members and for a key that lacks one of them. */
export function jwkThumbprint(jwk: Jwk): string | null {
  const members = ESSENTIAL[jwk.kty ?? ""];
  if (members === undefined || members.some((member) => !jwk[member])) return null;
  const canonical = `{${members.map((member) => `"${member}":${JSON.stringify(jwk[member])}`).join(",")}}`;
  return encodeBase64Url(sha256(utf8Encode(canonical)));
}

export function encodeBase64Url(bytes: Bytes): string {
  return base64urlnopad.encode(bytes);
}

/** Null for what is not base64url without padding, or has stray bits at its end. */
export function decodeBase64Url(text: string): Bytes | null {
  try {
    return base64urlnopad.decode(text) as Bytes;
  } catch {
    return null;
  }
}
