// DID URL dereferencing on a resolved document: a fragment gives a key or a service, `service` selects services, and
// `relativeRef` leads from their endpoints to a URL.

import { absoluteDidUrl } from "../codec/did.ts";
import { RELATIONSHIPS, type W3cDocument, type W3cService } from "../codec/w3c-document.ts";
import { ResolutionError } from "./did-resolution.ts";
import type { DidUrlRequest } from "./did-url-request.ts";

export type Content = { readonly [member: string]: unknown };

/** What a DID URL stands for, by names of the document. Throws ResolutionError. */
export function dereference(document: W3cDocument, request: DidUrlRequest): Content {
  refusePath(request);
  if (selectsServices(request)) return { ...document, service: selectServices(document, request) };
  return request.fragment === null ? document : member(document, request, request.fragment);
}

/** The addresses that selected services have, with what the DID URL appends. Throws ResolutionError. */
export function serviceUrls(document: W3cDocument, request: DidUrlRequest): string[] {
  refusePath(request);
  const endpoints = selectServices(document, request).flatMap(({ serviceEndpoint }) =>
    [serviceEndpoint].flat().filter((endpoint): endpoint is string => typeof endpoint === "string"),
  );
  const urls = endpoints.flatMap((endpoint) => urlOf(endpoint, request) ?? []);
  if (urls.length === 0) throw new ResolutionError("NOT_FOUND", "the service has no address that is a URL");
  return urls;
}

export function selectsServices({ service, serviceType }: DidUrlRequest): boolean {
  return service !== null || serviceType !== null;
}

/** This method gives no meaning to paths. */
function refusePath({ path }: DidUrlRequest): void {
  if (path !== "") throw new ResolutionError("NOT_FOUND", `nothing is at the path ${path}`);
}

function selectServices(document: W3cDocument, { did, service, serviceType }: DidUrlRequest): W3cService[] {
  const wanted =
    service === null
      ? null
      : service.startsWith("did:")
        ? service
        : absoluteDidUrl(`#${service.replace(/^#/, "")}`, did);
  const found = servicesOf(document).filter(
    ({ id, type }) =>
      (wanted === null || id === wanted || id === service) && (serviceType === null || type === serviceType),
  );
  if (found.length === 0) throw new ResolutionError("NOT_FOUND", "the document has no such service");
  return found;
}

function member(document: W3cDocument, request: DidUrlRequest, fragment: string): Content {
  const id = `${request.did}#${fragment}`;
  const key = methodsOf(document).find((method) => method.id === id);
  if (key !== undefined) {
    checkRelationship(document, request, id);
    return key;
  }
  const service = servicesOf(document).find((each) => each.id === id);
  if (service === undefined) throw new ResolutionError("NOT_FOUND", `the document has nothing with the id ${id}`);
  if (request.verificationRelationship !== null) {
    throw new ResolutionError("INVALID_VERIFICATION_METHOD", `${id} is a service`);
  }
  return service;
}

/** A key that stands in one relationship alone may serve no other. */
function checkRelationship(document: W3cDocument, { verificationRelationship }: DidUrlRequest, id: string): void {
  if (verificationRelationship === null) return;
  const entries = (document[verificationRelationship] ?? []) as readonly (string | Content)[];
  if (entries.some((entry) => entry === id || (typeof entry !== "string" && entry.id === id))) return;
  const type = "INVALID_RELATIONSHIP_FOR_VERIFICATION_METHOD";
  throw new ResolutionError(type, `${id} is not for ${verificationRelationship}`);
}

function methodsOf(document: W3cDocument): Content[] {
  const listed = (document.verificationMethod ?? []) as readonly Content[];
  const entries = RELATIONSHIPS.flatMap((name) => (document[name] ?? []) as readonly (string | Content)[]);
  return [...listed, ...entries.filter((entry): entry is Content => typeof entry !== "string")];
}

function servicesOf(document: W3cDocument): readonly W3cService[] {
  return (document.service ?? []) as readonly W3cService[];
}

/** Null for an address that nothing can be appended to. */
function urlOf(endpoint: string, { relativeRef, fragment }: DidUrlRequest): string | null {
  if (relativeRef !== null) refuseClimbing(relativeRef);
  if (!URL.canParse(relativeRef ?? "", endpoint)) return null;
  if (relativeRef === null && fragment === null) return endpoint;
  const url = new URL(relativeRef ?? endpoint, endpoint);
  if (fragment !== null && url.hash === "") url.hash = fragment;
  return url.href;
}

/** However often it is escaped, it may not lead above the endpoint or to another host. */
function refuseClimbing(relativeRef: string): void {
  const text = fullyDecoded(relativeRef);
  const path = text.split(/[?#]/, 1)[0] as string;
  let depth = 0;
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "..") depth--;
    else if (segment !== "." && segment !== "") depth++;
    if (depth < 0) throw new ResolutionError("INVALID_DID_URL", "relativeRef: leads above the service's address");
  }
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(text)) {
    throw new ResolutionError("INVALID_DID_URL", "relativeRef: must be relative");
  }
}

function fullyDecoded(text: string): string {
  for (let rounds = 0; rounds < 8; rounds++) {
    let next: string;
    try {
      next = decodeURIComponent(text);
    } catch {
      return text;
    }
    if (next === text) return text;
    text = next;
  }
  throw new ResolutionError("INVALID_DID_URL", "relativeRef: escaped too often");
}
