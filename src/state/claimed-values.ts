// What an identity document claims: every value by which it can be found.

import { parseCaip10 } from "../codec/caip.ts";
import { absoluteDidUrl, parseDidUrl } from "../codec/did.ts";
import { jwkThumbprint } from "../codec/jwk.ts";
import type { LookUpKind } from "../codec/look-up.ts";
import type { DidDocument, VerificationMethod } from "../gen/orrery/identity/v1/did_pb.ts";

export type ClaimedValue = { readonly kind: LookUpKind; readonly value: string };

/** Each pair of kind and value once. `chainNetwork` is the network of DIDs that name none. */
export function claimedValues(did: string, document: DidDocument, chainNetwork: string): ClaimedValue[] {
  const values = new Map<string, ClaimedValue>();
  const claim = (kind: LookUpKind, value: string) => {
    if (value !== "") values.set(`${kind} ${value}`, { kind, value });
  };

  const listed = document.verificationMethod?.data ?? [];
  for (const method of listed) claim("method", absoluteDidUrl(method.iD, did));
  for (const method of [...listed, ...embeddedMethods(document)]) {
    claim("key", absoluteDidUrl(method.iD, did));
    for (const value of materialValues(method)) claim("key", value);
    const account = parseCaip10(method.blockchainAccountId);
    if (account !== null) claim("network", account.chain);
  }
  for (const service of document.service?.data ?? []) claim("service", absoluteDidUrl(service.iD, did));
  claim("network", networkOfDid(did, chainNetwork));
  claim("method", parseDidUrl(did)?.method ?? "");
  for (const alias of document.alsoKnownAs) claim("alias", alias);
  return [...values.values()];
}

/** The methods that stand inside a relationship. A plain reference points at a key and does not define one. */
function embeddedMethods(document: DidDocument): VerificationMethod[] {
  const relationships = [
    document.authentication,
    document.assertionMethod,
    document.capabilityInvocation,
    document.capabilityDelegation,
    document.keyAgreement,
  ];
  return relationships.flatMap((relationship) =>
    (relationship?.data ?? []).flatMap((entry) => entry.verificationMethod ?? []),
  );
}

/** The key itself, in each form that the document gives it. */
function materialValues(method: VerificationMethod): string[] {
  const account = parseCaip10(method.blockchainAccountId);
  return [
    method.publicKeyMultibase,
    method.blockchainAccountId,
    account?.address ?? "",
    jwkThumbprint(method.publicKeyJwk) ?? "",
  ];
}

/** The first of several segments of the method-specific id, or the chain's own network. */
export function networkOfDid(did: string, chainNetwork: string): string {
  const segments = parseDidUrl(did)?.segments ?? [];
  return segments.length > 1 ? segments[0]! : chainNetwork;
}
