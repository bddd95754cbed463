// W3C DID resolution and DID URL dereferencing over HTTP: GET /1.0/identifiers/{did or DID URL}.

import { dereference, selectsServices, serviceUrls } from "../api/did-dereference.ts";
import { type DidMetadata, type Resolution, ResolutionError, type ResolveDid } from "../api/did-resolution.ts";
import { type DidUrlRequest, parseDidUrlRequest } from "../api/did-url-request.ts";
import type { KeptRange } from "../api/operations.ts";
import { utf8Encode } from "../codec/bytes.ts";
import type { W3cDocument } from "../codec/w3c-document.ts";
import { askedHeight, chosenHeight, type HeightParts } from "./asked-height.ts";
import { chooseRepresentation, RESULT, type Representation } from "./did-representation.ts";
import { answerHeaders, errorHeaders, IMMUTABLE, VARY } from "./headers.ts";
import { textOf } from "./print-body.ts";
import type { ReadAnswer } from "./read-answer.ts";

export const IDENTIFIERS = "/1.0/identifiers";

export type DidParts = {
  readonly resolveDid: ResolveDid;
  readonly heights: HeightParts;
  readonly answerRead: ReadAnswer;
};

const DOCUMENT_TYPE = "application/did";

export async function answerDid(request: Request, { resolveDid, heights, answerRead }: DidParts): Promise<Response> {
  const accept = request.headers.get("accept");
  let form = formOfRefusals(accept);
  try {
    const asked = parseUrl(request.url);
    form = chooseRepresentation(asked.accept ?? accept, isPartial(asked));
    // The query string is the DID URL's: heights and times are asked for by headers alone.
    const wanted = askedHeight(request.headers, [], false, heights.range);
    const at = wanted === null ? undefined : await chosenHeight(wanted, heights, request);
    const { height, ...resolution } = await resolveDid(asked, at);
    const answer = answerOf(resolution, asked, form);
    const isFixed = at !== undefined && at !== 0n && answer.status === 200;
    const headers = headersOf(answer, form, answerHeaders(height, heights.range() as KeptRange, isFixed));
    if (answer.location !== undefined) return new Response(null, { status: answer.status, headers });
    const body = JSON.stringify(answer.body);
    if (answer.status !== 200) return new Response(body, { status: answer.status, headers });
    return answerRead(request, textOf(utf8Encode(body)), headers);
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    return failure(error, form, new Headers(errorHeaders(heights.range())));
  }
}

/** A malformed DID is told before the form it was asked in is judged. */
function formOfRefusals(accept: string | null): Representation {
  try {
    return chooseRepresentation(accept, false);
  } catch {
    return RESULT;
  }
}

function parseUrl(url: string): DidUrlRequest {
  const rest = url.slice(url.indexOf(IDENTIFIERS) + IDENTIFIERS.length + 1);
  const mark = rest.indexOf("?");
  return mark === -1 ? parseDidUrlRequest(rest, "") : parseDidUrlRequest(rest.slice(0, mark), rest.slice(mark + 1));
}

function isPartial(asked: DidUrlRequest): boolean {
  return asked.fragment !== null || asked.path !== "" || selectsServices(asked);
}

/** `location` is set for a redirect; a body of undefined is empty. */
type Answered = {
  readonly status: number;
  readonly body: unknown;
  readonly location?: string;
  readonly isFixed: boolean;
};

function answerOf({ document, metadata }: Resolution, asked: DidUrlRequest, form: Representation): Answered {
  // The document of a version never changes; what is said about it does, with the next version.
  const isFixed = asked.versionId !== null && form.kind === "document";
  if (form.kind === "uri-list" && !selectsServices(asked)) {
    throw new ResolutionError("REPRESENTATION_NOT_SUPPORTED", "text/uri-list needs a service");
  }
  if (document === null) return { status: 410, body: deactivated(metadata, form), isFixed: false };
  if (form.kind === "uri-list") {
    return { status: 303, body: undefined, location: serviceUrls(document, asked)[0] as string, isFixed: false };
  }
  const content = dereference(document, asked);
  return { status: 200, body: bodyOf(content, metadata, form, content === document), isFixed };
}

function bodyOf(content: object, metadata: DidMetadata, form: Representation, isWhole: boolean): unknown {
  if (form.kind === "document") return form.contentType === "application/did+json" ? withoutContext(content) : content;
  if (form.kind === "result") {
    return {
      didResolutionMetadata: { contentType: DOCUMENT_TYPE },
      didDocument: content,
      didDocumentMetadata: metadata,
    };
  }
  return {
    dereferencingMetadata: { contentType: DOCUMENT_TYPE },
    contentStream: content,
    contentMetadata: isWhole ? metadata : {},
  };
}

/** Plain JSON gives no meaning to it. */
function withoutContext(content: object): object {
  const { "@context": _, ...rest } = content as W3cDocument & { "@context"?: unknown };
  return rest;
}

function deactivated(metadata: DidMetadata, form: Representation): unknown {
  if (form.kind === "dereferencing") {
    return { dereferencingMetadata: {}, contentStream: null, contentMetadata: metadata };
  }
  return { didResolutionMetadata: {}, didDocument: null, didDocumentMetadata: metadata };
}

/** Errors and deactivations always come as whole results: a document type has no place for them. */
function typeOf(form: Representation, isDocument: boolean): string {
  return isDocument || form.kind === "result" || form.kind === "dereferencing" ? form.contentType : RESULT.contentType;
}

function headersOf(answer: Answered, form: Representation, shared: Headers): Headers {
  const headers = new Headers(shared);
  headers.set("vary", `accept, ${VARY}`);
  if (answer.isFixed) headers.set("cache-control", IMMUTABLE);
  if (answer.location === undefined) headers.set("content-type", typeOf(form, answer.status === 200));
  else headers.delete("content-type");
  if (answer.location !== undefined) headers.set("location", answer.location);
  return headers;
}

function failure(error: ResolutionError, form: Representation, headers: Headers): Response {
  const { type, status, word, message } = error;
  const problem = { type: `https://www.w3.org/ns/did#${type}`, title: titleOf(type), detail: message };
  const metadata = { error: form.usesWords ? word : problem };
  const body =
    form.kind === "dereferencing"
      ? { dereferencingMetadata: metadata, contentStream: null, contentMetadata: {} }
      : { didResolutionMetadata: metadata, didDocument: null, didDocumentMetadata: {} };
  headers.set("content-type", typeOf(form, false));
  headers.set("vary", "accept");
  return new Response(JSON.stringify(body), { status, headers });
}

/** `NOT_FOUND` in words: Not found. */
function titleOf(type: string): string {
  const words = type.replaceAll("_", " ").toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replaceAll(/\bdid\b/gi, "DID").replaceAll(/\burl\b/g, "URL");
}
