// Verification methods and the five relationships that use them: ids, controllers, and which key may serve for what.

import { absoluteDidUrl, isDid, isDidUrl, parseDidUrl } from "../codec/did.ts";
import {
  type DidDocument,
  KeyType,
  type VerificationMethod,
  type VerificationRelationship,
} from "../gen/orrery/identity/v1/did_pb.ts";
import { invalidDocument } from "./identity-error.ts";
import type { Curve } from "./public-key-points.ts";
import { sortedMap } from "./sorted-map.ts";
import { normaliseMaterial, type ThisChain } from "./verification-material.ts";

type Relationship =
  | "authentication"
  | "assertion_method"
  | "capability_invocation"
  | "capability_delegation"
  | "key_agreement";

/** What a relationship needs to know of a method. */
type Usable = { readonly type: KeyType; readonly curve: Curve | null };

/** The methods of a document: those of its list by id, and each method, listed or embedded, by identity. */
export type CheckedMethods = {
  readonly listed: ReadonlyMap<string, Usable>;
  readonly all: ReadonlyMap<VerificationMethod, Usable>;
};

// Methods whose DID is the key itself: such an id cannot belong to somebody else's document.
const PURE_KEY_METHODS = ["key", "webauth"];

const AGREEMENT_TYPES: readonly KeyType[] = [
  KeyType.KeyType_JSON_WEB_KEY_2020,
  KeyType.KeyType_MULTIKEY,
  KeyType.KeyType_X25519_KEY_AGREEMENT_KEY_2020,
];
const AGREEMENT_CURVES: readonly (Curve | null)[] = ["X25519", "P-256", "P-384", "P-521", "secp256k1"];

/** Checks every method, listed and embedded, and brings it into its stored form, in place. Throws IdentityError. */
export function normaliseMethods(document: DidDocument, chain: ThisChain): CheckedMethods {
  const listed = new Map<string, Usable>();
  const all = new Map<VerificationMethod, Usable>();
  const ids = new Set<string>();
  const add = (method: VerificationMethod, at: string): Usable => {
    method.iD = checkedId(method.iD, document.iD, `${at}.iD`);
    if (ids.has(method.iD)) throw invalidDocument(`${at}.iD`, `${method.iD} occurs twice`);
    ids.add(method.iD);
    if (!isDid(method.controller)) throw invalidDocument(`${at}.controller`, "must be a DID");
    method.publicKeyJwk = sortedMap(method.publicKeyJwk);
    const usable = { type: method.type, curve: normaliseMaterial(method, at, chain) };
    all.set(method, usable);
    return usable;
  };
  for (const [i, method] of (document.verificationMethod?.data ?? []).entries()) {
    const usable = add(method, `verification_method[${i}]`);
    listed.set(method.iD, usable);
  }
  for (const [name, entries] of relationshipsOf(document)) {
    for (const [i, { verificationMethod }] of entries.entries()) {
      if (verificationMethod !== undefined) add(verificationMethod, `${name}[${i}].verification_method`);
    }
  }
  return { listed, all };
}

/** Checks every entry of the five relationships; the methods must have been checked before. Throws IdentityError. */
export function normaliseRelationships(document: DidDocument, methods: CheckedMethods): void {
  for (const [name, entries] of relationshipsOf(document)) {
    const seen = new Set<string>();
    for (const [i, entry] of entries.entries()) {
      const at = `${name}[${i}]`;
      if (entry.reference !== "") entry.reference = absoluteDidUrl(entry.reference, document.iD);
      const id = checkedEntry(entry, at);
      if (seen.has(id)) throw invalidDocument(at, `${id} occurs twice`);
      seen.add(id);
      const usable = entry.verificationMethod ? methods.all.get(entry.verificationMethod) : methods.listed.get(id);
      if (usable === undefined) {
        if (parseDidUrl(id)?.did !== document.iD) continue;
        throw invalidDocument(`${at}.reference`, `${id} is not in verification_method`);
      }
      checkUse(name, usable, at);
    }
  }
  dropEmptyWrappers(document);
}

function relationshipsOf(document: DidDocument): [Relationship, VerificationRelationship[]][] {
  return [
    ["authentication", document.authentication?.data ?? []],
    ["assertion_method", document.assertionMethod?.data ?? []],
    ["capability_invocation", document.capabilityInvocation?.data ?? []],
    ["capability_delegation", document.capabilityDelegation?.data ?? []],
    ["key_agreement", document.keyAgreement?.data ?? []],
  ];
}

function checkedId(id: string, did: string, at: string): string {
  const absolute = absoluteDidUrl(id, did);
  const parsed = parseDidUrl(absolute);
  if (!parsed?.fragment) throw invalidDocument(at, "must be a DID URL with a fragment");
  if (parsed.did !== did && !PURE_KEY_METHODS.includes(parsed.method)) {
    throw invalidDocument(at, `must begin with ${did}`);
  }
  return absolute;
}

/** The id that an entry speaks of. */
function checkedEntry({ verificationMethod, reference }: VerificationRelationship, at: string): string {
  if (verificationMethod !== undefined) {
    if (reference === "" || reference === verificationMethod.iD) return verificationMethod.iD;
    throw invalidDocument(`${at}.reference`, "must be empty or the id of the verification method beside it");
  }
  if (reference === "") throw invalidDocument(at, "needs a verification method or a reference");
  if (!isDidUrl(reference)) throw invalidDocument(`${at}.reference`, "must be a DID URL");
  return reference;
}

function checkUse(relationship: Relationship, { type, curve }: Usable, at: string): void {
  const agreement = AGREEMENT_TYPES.includes(type) && AGREEMENT_CURVES.includes(curve);
  if (relationship === "key_agreement" && !agreement) throw invalidDocument(at, "this key cannot agree on a secret");
  const webauthn = type === KeyType.KeyType_WEB_AUTHN_AUTHENTICATION_2018;
  if (webauthn && relationship !== "authentication" && relationship !== "assertion_method") {
    throw invalidDocument(at, "a WebAuthn credential serves for authentication and assertion only");
  }
}

/** One stored form for "none": the field is absent. */
function dropEmptyWrappers(document: DidDocument): void {
  if (document.verificationMethod?.data.length === 0) document.verificationMethod = undefined;
  if (document.authentication?.data.length === 0) document.authentication = undefined;
  if (document.assertionMethod?.data.length === 0) document.assertionMethod = undefined;
  if (document.capabilityInvocation?.data.length === 0) document.capabilityInvocation = undefined;
  if (document.capabilityDelegation?.data.length === 0) document.capabilityDelegation = undefined;
  if (document.keyAgreement?.data.length === 0) document.keyAgreement = undefined;
}
