// What an identity document must be to be stored: W3C DID Core 1.0 section 5, and the rules of the chain. The checks
// that need no look at other documents are here as one pure function; the two that do follow it.

import { clone } from "@bufbuild/protobuf";
import { AddressError, encodeAddress, parseAddress } from "../codec/address.ts";
import { isDid, parseDidUrl } from "../codec/did.ts";
import { MAX_LOOK_UP_BYTES } from "../codec/look-up.ts";
import { isAbsoluteUri } from "../codec/uri.ts";
import { type DidDocument, DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import type { Params } from "../gen/orrery/identity/v1/state_pb.ts";
import { encodeDocument } from "../state/identity.ts";
import { IdentityError, invalidDocument } from "./identity-error.ts";
import { normaliseServices } from "./identity-services.ts";
import type { ThisChain } from "./verification-material.ts";
import { normaliseMethods, normaliseRelationships } from "./verification-methods.ts";

export type DocumentRules = ThisChain & { readonly params: Params };

const CONTEXTS = ["https://www.w3.org/ns/did/v1", "https://www.w3.org/ns/did/v1.1"];
const MAX_DID_BYTES = 255;
const NAME_LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const NAME = new RegExp(`^${NAME_LABEL}(?:\\.${NAME_LABEL})*$`);
const MAX_NAME = 253;

/** The document as it is to be stored, a copy; `creator` is who signs for it. Throws IdentityError. */
export function normaliseDocument(document: DidDocument, creator: string, rules: DocumentRules): DidDocument {
  const stored = clone(DidDocumentSchema, document);
  stored.creator = checkCreator(document.creator, creator, rules);
  checkDid(stored.iD, stored.creator, rules.params);
  checkCounts(stored, rules.params);
  if (stored.context.length === 0) stored.context = [CONTEXTS[0]!];
  checkContext(stored.context);
  checkControllerTexts(stored.controller);
  const methods = normaliseMethods(stored, rules);
  normaliseRelationships(stored, methods);
  normaliseServices(stored);
  checkAliases(stored.alsoKnownAs, rules.params);
  const size = encodeDocument(stored).length;
  if (size > rules.params.maxDocumentBytes) {
    throw new IdentityError(1108, `${size} bytes, at most ${rules.params.maxDocumentBytes}`);
  }
  return stored;
}

/** The controllers that are other documents: each of them must exist and be active. */
export function otherControllers(document: DidDocument): string[] {
  return document.controller.filter((did) => did !== document.iD);
}

/** Throws for a controller that is not among the active documents. */
export function checkControllers(document: DidDocument, active: ReadonlySet<string>): void {
  for (const [i, did] of document.controller.entries()) {
    if (did !== document.iD && !active.has(did)) {
      throw invalidDocument(`controller[${i}]`, `${did} is not an active document`);
    }
  }
}

/** The aliases of which each may stand in one active document of the chain only. */
export function bareNames(document: DidDocument): string[] {
  return document.alsoKnownAs.filter((alias) => !isAbsoluteUri(alias));
}

/** Throws for a bare name that another document holds. */
export function checkNames(document: DidDocument, owners: ReadonlyMap<string, string>): void {
  for (const name of bareNames(document)) {
    const owner = owners.get(name);
    if (owner !== undefined && owner !== document.iD) throw new IdentityError(1107, `${name} belongs to ${owner}`);
  }
}

/** The creator in its one form, lower case. */
function checkCreator(given: string, creator: string, { bech32Prefix }: DocumentRules): string {
  try {
    const address = encodeAddress(bech32Prefix, parseAddress(creator, bech32Prefix));
    if (given === "" || given === address || given === creator) return address;
  } catch (error) {
    if (error instanceof AddressError) throw invalidDocument("creator", error.message);
    throw error;
  }
  throw invalidDocument("creator", `${given} is not the signer ${creator}`);
}

function checkDid(did: string, creator: string, params: Params): void {
  const refuse = (reason: string) => new IdentityError(1102, `iD: ${reason}`);
  const parsed = parseDidUrl(did);
  if (parsed === null || parsed.did !== did)
    throw refuse(`${JSON.stringify(did.slice(0, MAX_DID_BYTES))} is not a DID`);
  if (did.length > MAX_DID_BYTES) throw refuse(`longer than ${MAX_DID_BYTES} bytes`);
  if (parsed.method !== params.didMethodName) throw refuse(`the method must be ${params.didMethodName}`);
  const networks = parsed.segments.slice(0, -1);
  if (networks.length > 1) throw refuse("at most one network segment is allowed");
  const [network] = networks;
  if (network !== undefined && network !== params.didNetwork && !params.allowedNetworks.includes(network)) {
    throw refuse(`network ${JSON.stringify(network)} is not allowed`);
  }
  if (params.idPolicy === "open") return;
  const id = parsed.segments.at(-1)!;
  // The prefix ends before the last 1, which is not a letter of the data part.
  if (id !== creator && id !== creator.slice(creator.lastIndexOf("1"))) {
    throw refuse(`the last segment must be the creator's address ${creator}`);
  }
}

function checkCounts(document: DidDocument, params: Params): void {
  const embedded = [
    document.authentication,
    document.assertionMethod,
    document.capabilityInvocation,
    document.capabilityDelegation,
    document.keyAgreement,
  ].flatMap((relationship) => relationship?.data ?? []);
  const methods =
    (document.verificationMethod?.data.length ?? 0) +
    embedded.filter((entry) => entry.verificationMethod !== undefined).length;
  const counts = [
    ["verification methods", methods, params.maxVerificationMethods],
    ["services", document.service?.data.length ?? 0, params.maxServices],
    ["aliases", document.alsoKnownAs.length, params.maxAliases],
    ["controllers", document.controller.length, params.maxControllers],
  ] as const;
  for (const [what, count, max] of counts) {
    if (count > max) throw new IdentityError(1108, `${count} ${what}, at most ${max}`);
  }
}

function checkContext(context: readonly string[]): void {
  if (!CONTEXTS.includes(context[0]!)) throw invalidDocument("context[0]", `must be ${CONTEXTS.join(" or ")}`);
  checkEach("context", context, (uri) => (isAbsoluteUri(uri) ? null : "must be an absolute URI"));
}

function checkControllerTexts(controllers: readonly string[]): void {
  checkEach("controller", controllers, (did) => (isDid(did) ? null : "must be a DID"));
}

function checkAliases(aliases: readonly string[], params: Params): void {
  checkEach("also_known_as", aliases, (alias) => {
    if (alias.length > MAX_LOOK_UP_BYTES) return `longer than ${MAX_LOOK_UP_BYTES} bytes`;
    if (isAbsoluteUri(alias) || isBareName(alias, params.nameSuffixes)) return null;
    return `must be an absolute URI or a name that ends in ${params.nameSuffixes.join(" or ")}`;
  });
}

/** Lower case only: names that differ in case alone would be two claims on one word. */
function isBareName(text: string, suffixes: readonly string[]): boolean {
  if (text.length > MAX_NAME || !NAME.test(text)) return false;
  return suffixes.some((suffix) => text.length > suffix.length && text.endsWith(suffix));
}

/** Each entry passes, and none occurs twice. */
function checkEach(field: string, entries: readonly string[], fault: (entry: string) => string | null): void {
  const seen = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    const reason = fault(entry) ?? (seen.has(entry) ? "occurs twice" : null);
    if (reason !== null) throw invalidDocument(`${field}[${i}]`, reason);
    seen.add(entry);
  }
}
