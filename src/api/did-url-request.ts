// What a caller asks of DID resolution: a DID URL from a path, raw or escaped, with parameters of its own or from the
// query string of the request, and the options of the resolver among them.

import { type DidUrl, isDid, parseDidUrl } from "../codec/did.ts";
import { parseTime, type Time } from "../codec/time.ts";
import { RELATIONSHIPS, type Relationship } from "../codec/w3c-document.ts";
import { type DidRequest, ResolutionError } from "./did-resolution.ts";

export type DidUrlRequest = DidRequest & {
  /** Empty, or beginning with a slash. */
  readonly path: string;
  readonly fragment: string | null;
  readonly service: string | null;
  readonly serviceType: string | null;
  readonly relativeRef: string | null;
  readonly verificationRelationship: Relationship | null;
  /** A media type that stands in the place of the Accept header. */
  readonly accept: string | null;
};

const OF_A_DID_URL = ["service", "serviceType", "relativeRef", "versionId", "versionTime"] as const;
const OPTIONS = ["accept", "verificationRelationship", "expandRelativeUrls", "noCache"] as const;
type Name = (typeof OF_A_DID_URL)[number] | (typeof OPTIONS)[number];

/** `identifier` is the last part of the request's path as it came, `query` what stands behind its question mark. */
export function parseDidUrlRequest(identifier: string, query: string): DidUrlRequest {
  const url = parseIdentifier(unescapeIdentifier(identifier));
  refuseUnknown(url);
  const values = valuesOf([...pairsOf(url.query ?? ""), ...pairsOf(query)]);
  const value = (name: Name) => values.get(name) ?? null;
  const { did, method, path, fragment } = url;
  const request = {
    did,
    method,
    path,
    fragment,
    service: value("service"),
    serviceType: value("serviceType"),
    relativeRef: value("relativeRef"),
    versionId: versionIdOf(value("versionId")),
    versionTime: versionTimeOf(value("versionTime")),
    verificationRelationship: relationshipOf(value("verificationRelationship")),
    accept: acceptOf(value("accept")),
  };
  // References are made absolute when a document is written, and nothing is cached: both hold either way.
  for (const name of ["expandRelativeUrls", "noCache"] as const) checkFlag(name, value(name));
  if (request.versionId !== null && request.versionTime !== null) {
    throw new ResolutionError("INVALID_OPTIONS", "versionId and versionTime exclude each other");
  }
  if (request.relativeRef !== null && request.service === null && request.serviceType === null) {
    throw new ResolutionError("INVALID_DID_URL", "relativeRef needs a service");
  }
  return request;
}

/** Wholly escaped when its first colon is; else only the marks that a path cannot hold are. */
function unescapeIdentifier(identifier: string): string {
  if (!/^did%3a/i.test(identifier)) return identifier.replace(/%3f/i, "?").replace(/%23/, "#");
  try {
    return decodeURIComponent(identifier);
  } catch {
    throw new ResolutionError("INVALID_DID", "the escapes are not UTF-8");
  }
}

function parseIdentifier(text: string): DidUrl {
  const url = parseDidUrl(text);
  if (url !== null) return url;
  const bare = text.split(/[/?#]/, 1)[0] as string;
  if (isDid(bare)) throw new ResolutionError("INVALID_DID_URL", "not a DID URL: what follows the DID is malformed");
  throw new ResolutionError("INVALID_DID", "not a DID");
}

/** A DID URL is dereferenced by what is known of it; a request may carry what others want of its query string. */
function refuseUnknown({ query }: DidUrl): void {
  const known = new Set<string>([...OF_A_DID_URL, ...OPTIONS]);
  const unknown = pairsOf(query ?? "").find(([name]) => !known.has(name));
  if (unknown !== undefined) throw new ResolutionError("NOT_FOUND", `parameter ${unknown[0]} is not known`);
}

/** A plus sign is itself in a DID URL. */
function pairsOf(query: string): [string, string][] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      return [name, decoded(name, rest.join("="))];
    });
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new ResolutionError("INVALID_DID_URL", `${name}: the escapes are not UTF-8`);
  }
}

function valuesOf(pairs: readonly [string, string][]): Map<string, string> {
  const values = new Map<string, string>();
  const known = new Set<string>([...OF_A_DID_URL, ...OPTIONS]);
  for (const [name, value] of pairs) {
    if (!known.has(name)) continue;
    if (values.has(name)) throw new ResolutionError("INVALID_DID_URL", `${name}: given more than once`);
    values.set(name, value);
  }
  return values;
}

function versionIdOf(text: string | null): string | null {
  if (text === "") throw new ResolutionError("INVALID_OPTIONS", "versionId: must not be empty");
  return text;
}

function versionTimeOf(text: string | null): Time | null {
  if (text === null) return null;
  try {
    return parseTime(text);
  } catch {
    throw new ResolutionError("INVALID_OPTIONS", "versionTime: not a time in UTC such as 2026-03-01T00:00:00Z");
  }
}

function relationshipOf(text: string | null): Relationship | null {
  if (text === null) return null;
  const found = RELATIONSHIPS.find((name) => name === text);
  if (found === undefined)
    throw new ResolutionError("INVALID_OPTIONS", "verificationRelationship: no such relationship");
  return found;
}

function acceptOf(text: string | null): string | null {
  if (text === null || /^[\x21-\x7e][\x20-\x7e]*$/.test(text)) return text;
  throw new ResolutionError("INVALID_OPTIONS", "accept: not a media type");
}

function checkFlag(name: string, text: string | null): void {
  if (text === null || text === "" || text === "true" || text === "false") return;
  throw new ResolutionError("INVALID_OPTIONS", `${name}: neither true nor false`);
}
