// A stored document as the W3C knows it (DID Core 1.0), for DID resolution.

import type { DidDocument, Service, VerificationRelationships } from "../gen/orrery/identity/v1/did_pb.ts";
import { isDid } from "./did.ts";
import { isAbsoluteUri } from "./uri.ts";
import { type W3cMethod, w3cMethod } from "./w3c-method.ts";

/** JSON of DID Core: members are left out where they are empty. */
export type W3cDocument = { readonly id: string } & { readonly [member: string]: unknown };

export type W3cService = {
  readonly id: string;
  readonly type: string;
  readonly serviceEndpoint: Endpoint | readonly Endpoint[];
};
type Endpoint = string | Readonly<Record<string, string>>;

const DID_CONTEXT = "https://www.w3.org/ns/did/v1";
const DID_CONTEXTS = [DID_CONTEXT, "https://www.w3.org/ns/did/v1.1"];

/** The five relationships: the W3C's name, and the name in a stored document. */
export const RELATIONSHIPS = [
  "authentication",
  "assertionMethod",
  "keyAgreement",
  "capabilityInvocation",
  "capabilityDelegation",
] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

export function w3cDocument(stored: DidDocument): W3cDocument {
  const methods = (stored.verificationMethod?.data ?? []).map(w3cMethod);
  const own = new Set(methods.map(({ id }) => id));
  const relationships = RELATIONSHIPS.map((name) => [name, entriesOf(stored[name], own)] as const);
  const shown = [...methods, ...relationships.flatMap(([, entries]) => entries.filter(isMethod))];
  return {
    "@context": contextOf(stored.context, shown),
    id: stored.iD,
    ...(stored.controller.length > 0 ? { controller: controllerOf(stored.controller) } : {}),
    ...given("alsoKnownAs", stored.alsoKnownAs.filter(isAbsoluteUri)),
    ...given("verificationMethod", methods.map(bare)),
    ...Object.assign({}, ...relationships.map(([name, entries]) => given(name, entries.map(bare)))),
    ...given("service", (stored.service?.data ?? []).map(w3cService)),
  };
}

/** What the chain holds of a DID beyond its W3C document. */
export function methodFacts(stored: DidDocument): Record<string, unknown> {
  const relationships = RELATIONSHIPS.flatMap((name) => stored[name]?.data ?? []);
  const methods = [
    ...(stored.verificationMethod?.data ?? []),
    ...relationships.flatMap(({ verificationMethod }) => verificationMethod ?? []),
  ];
  const accounts = methods.filter(({ blockchainAccountId }) => blockchainAccountId !== "");
  const names = stored.alsoKnownAs.filter((alias) => !isAbsoluteUri(alias));
  return {
    creator: stored.creator,
    ...given("names", names),
    ...(accounts.length > 0
      ? { accounts: Object.fromEntries(accounts.map(({ iD, blockchainAccountId }) => [iD, blockchainAccountId])) }
      : {}),
  };
}

/** A key that stands in the list is referred to; one that stands in a relationship alone is written there. */
function entriesOf(relationships: VerificationRelationships | undefined, own: ReadonlySet<string>) {
  return (relationships?.data ?? []).map(({ verificationMethod, reference }): string | W3cMethod => {
    if (verificationMethod === undefined) return reference;
    return own.has(verificationMethod.iD) ? verificationMethod.iD : w3cMethod(verificationMethod);
  });
}

function isMethod(entry: string | W3cMethod): entry is W3cMethod {
  return typeof entry !== "string";
}

/** Without what is only for making the document. */
function bare(entry: string | W3cMethod): unknown {
  if (typeof entry === "string") return entry;
  const { context, ...members } = entry;
  return members;
}

function contextOf(stored: readonly string[], methods: readonly W3cMethod[]): string[] {
  const rest = [...stored, ...methods.flatMap(({ context }) => context ?? [])];
  const first = DID_CONTEXTS.includes(stored[0] ?? "") ? (stored[0] as string) : DID_CONTEXT;
  return [...new Set([first, ...rest])];
}

/** One is text, several are a list. */
function controllerOf(stored: readonly string[]): string | readonly string[] {
  const dids = stored.filter(isDid);
  return dids.length === 1 ? (dids[0] as string) : dids;
}

function w3cService({ iD, type, serviceEndpoint, serviceEndpoints }: Service): W3cService {
  const named = Object.keys(serviceEndpoints).length > 0 ? serviceEndpoints : null;
  const endpoints = [...(serviceEndpoint === "" ? [] : [serviceEndpoint]), ...(named === null ? [] : [named])];
  return { id: iD, type, serviceEndpoint: endpoints.length === 1 ? (endpoints[0] as Endpoint) : endpoints };
}

function given(name: string, values: readonly unknown[]): Record<string, readonly unknown[]> {
  return values.length === 0 ? {} : { [name]: values };
}
