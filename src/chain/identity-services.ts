// The services of an identity document: where its subject can be reached.

import { absoluteDidUrl, parseDidUrl } from "../codec/did.ts";
import { isAbsoluteUri } from "../codec/uri.ts";
import type { DidDocument, Service } from "../gen/orrery/identity/v1/did_pb.ts";
import { invalidDocument } from "./identity-error.ts";
import { sortedMap } from "./sorted-map.ts";

// The names of the enumeration that the look-ups answer, and the registered texts that are stored.
const ENUM_NAMES: ReadonlyMap<string, string> = new Map([
  ["ServiceType_DID_COMM_MESSAGING", "DIDCommMessaging"],
  ["ServiceType_ENCRYPTED_DATA_VAULT", "EncryptedDataVault"],
  ["ServiceType_LINKED_DOMAINS", "LinkedDomains"],
]);
const MAX_TYPE = 255;
const MAX_ENDPOINT_NAME = 64;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Checks every service and brings it into its stored form, in place. Throws IdentityError. */
export function normaliseServices(document: DidDocument): void {
  const services = document.service?.data ?? [];
  const ids = new Set<string>();
  for (const [i, service] of services.entries()) {
    const at = `service[${i}]`;
    service.iD = checkedId(service.iD, document.iD, `${at}.iD`);
    if (ids.has(service.iD)) throw invalidDocument(`${at}.iD`, `${service.iD} occurs twice`);
    ids.add(service.iD);
    service.type = checkedType(service.type, `${at}.type`);
    checkEndpoints(service, at);
    service.serviceEndpoints = sortedMap(service.serviceEndpoints);
  }
  if (services.length === 0) document.service = undefined;
}

function checkedId(id: string, did: string, at: string): string {
  const absolute = absoluteDidUrl(id, did);
  const parsed = parseDidUrl(absolute);
  if (parsed !== null && parsed.did !== did) throw invalidDocument(at, `must begin with ${did}`);
  const otherUri = !absolute.startsWith("did:") && isAbsoluteUri(absolute);
  if (parsed === null && !otherUri) throw invalidDocument(at, "must be an absolute URI");
  return absolute;
}

function checkedType(type: string, at: string): string {
  const registered = ENUM_NAMES.get(type) ?? type;
  if (registered === "ServiceType_UNSPECIFIED") throw invalidDocument(at, "must name a type");
  const { length } = [...registered];
  if (length < 1 || length > MAX_TYPE) throw invalidDocument(at, `must have 1 to ${MAX_TYPE} characters`);
  if (UNPRINTABLE.test(registered)) throw invalidDocument(at, "must not contain control characters");
  return registered;
}

function checkEndpoints({ serviceEndpoint, serviceEndpoints }: Service, at: string): void {
  const named = Object.entries(serviceEndpoints);
  if (serviceEndpoint === "" && named.length === 0) throw invalidDocument(at, "needs an endpoint");
  if (serviceEndpoint !== "" && !isAbsoluteUri(serviceEndpoint)) {
    throw invalidDocument(`${at}.service_endpoint`, "must be an absolute URI");
  }
  for (const [name, uri] of named) {
    const { length } = [...name];
    if (length < 1 || length > MAX_ENDPOINT_NAME || UNPRINTABLE.test(name)) {
      throw invalidDocument(
        `${at}.service_endpoints`,
        `names must have 1 to ${MAX_ENDPOINT_NAME} printable characters`,
      );
    }
    if (!isAbsoluteUri(uri)) {
      throw invalidDocument(`${at}.service_endpoints[${JSON.stringify(name)}]`, "must be an absolute URI");
    }
  }
}
