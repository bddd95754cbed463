// The values by which an identity document can be found. What is malformed is the caller's mistake; what is well
// formed and unknown is merely not there. The rules, after ASCII white space around the text is cut off:
//
//   key      a DID, a DID URL, a key as multibase text (z…), an account (CAIP-10 or bech32), or a JWK thumbprint
//   service  a DID or an absolute URI
//   network  a network name (no colon) or a CAIP-2 chain id (with one)
//   method   a method name, `did:` and a method name, or a DID URL with a fragment
//   alias    an absolute URI or a bare name: no white space, no control characters

import { decodeBech32 } from "./address.ts";
import { utf8Encode } from "./bytes.ts";
import { isCaip2, parseCaip10 } from "./caip.ts";
import { isDidSegment, isDidUrl, isMethodName, parseDidUrl } from "./did.ts";
import { decodeBase64Url } from "./jwk.ts";
import { decodeMultibase } from "./multikey.ts";
import { isAbsoluteUri } from "./uri.ts";

export type LookUpKind = "key" | "service" | "network" | "method" | "alias";

export const MAX_LOOK_UP_BYTES = 2048;

export class LookUpError extends Error {
  override readonly name = "LookUpError";
}

/** The value as the index holds it; throws LookUpError with the reason when the text cannot name anything. */
export function parseLookUp(kind: LookUpKind, text: string): string {
  const value = text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, "");
  if (value === "") throw new LookUpError("must not be empty");
  if (value.length > MAX_LOOK_UP_BYTES || utf8Encode(value).length > MAX_LOOK_UP_BYTES) {
    throw new LookUpError(`must not be longer than ${MAX_LOOK_UP_BYTES} bytes`);
  }
  return PARSERS[kind](value);
}

const PARSERS: { readonly [K in LookUpKind]: (value: string) => string } = {
  key(value) {
    if (value.startsWith("did:")) return requireDidUrl(value);
    if (isBech32(value)) return value.toLowerCase();
    if (parseCaip10(value) !== null || isThumbprint(value) || decodeMultibase(value) !== null) return value;
    throw new LookUpError("must be a DID, a DID URL, a multibase key, an account id or a JWK thumbprint");
  },
  service(value) {
    if (value.startsWith("did:")) return requireDidUrl(value);
    if (isAbsoluteUri(value)) return value;
    throw new LookUpError("must be a DID or an absolute URI");
  },
  network(value) {
    if (value.includes(":") ? isCaip2(value) : isDidSegment(value)) return value;
    throw new LookUpError("must be a network name or a CAIP-2 chain id");
  },
  method(value) {
    const name = value.startsWith("did:") ? value.slice(4) : value;
    if (isMethodName(name)) return name;
    if (parseDidUrl(value)?.fragment) return value;
    throw new LookUpError("must be a DID method name or a DID URL with a fragment");
  },
  alias(value) {
    // Lone surrogates have no bytes to look for.
    if (/[\s\p{Cc}\p{Cs}]/u.test(value)) throw new LookUpError("must not contain white space or control characters");
    return value;
  },
};

function requireDidUrl(value: string): string {
  if (isDidUrl(value)) return value;
  throw new LookUpError("begins with did: but is neither a DID nor a DID URL");
}

function isThumbprint(value: string): boolean {
  return value.length === 43 && decodeBase64Url(value) !== null;
}

function isBech32(value: string): boolean {
  try {
    return decodeBech32(value).bytes.length > 0;
  } catch {
    return false;
  }
}
