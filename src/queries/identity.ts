// Identity documents: the list, one by its DID, and the five look-ups.

import type { Body } from "../api/answer-body.ts";
import { invalid, notFound } from "../api/errors.ts";
import type { RequestOf } from "../api/operations.ts";
import { type Bytes, utf8Decode } from "../codec/bytes.ts";
import { isDid } from "../codec/did.ts";
import { LookUpError, type LookUpKind, parseLookUp } from "../codec/look-up.ts";
import { fieldSize, WireWriter } from "../codec/wire.ts";
import { documentKey, documents, getDocument as readDocument } from "../state/identity.ts";
import { findDocument } from "../state/identity-index.ts";
import { listHas } from "../state/list.ts";
import type { Snapshot } from "../store/store.ts";
import { foundResponse } from "./found-document.ts";
import { pageBody, readPage, recordBody } from "./page.ts";

/** The stored bytes serve as they are: the listed view of a document is the same message with fewer fields. */
export async function listDocuments(view: Snapshot, request: RequestOf<"listDocuments">): Promise<Body> {
  return pageBody(await readPage(view, documents, request.pagination, isDocumentKey));
}

export async function getDocument(view: Snapshot, request: RequestOf<"getDocument">): Promise<Body> {
  const { did } = request;
  if (did === "") throw invalid("did", "must not be empty");
  if (!isDid(did)) throw invalid("did", "invalid DID");
  const document = await readDocument(view, did);
  if (document === null) {
    await listHas(view, documents, documentKey(did));
    throw notFound(`did document not found: ${did}`);
  }
  return recordBody(view, document, documentResponse);
}

function documentResponse(document: Bytes): Bytes {
  return new WireWriter(fieldSize(document)).messageField(1, document).finish();
}

/** `parameter` is the name under which the caller gave the value. */
export async function lookUpDocument(view: Snapshot, kind: LookUpKind, parameter: string, text: string): Promise<Body> {
  const value = lookUpValue(kind, parameter, text);
  const document = await findDocument(view, kind, value);
  if (document === null) throw notFound(`did document not found by ${parameter}: ${value}`);
  return recordBody(view, document, foundResponse);
}

function lookUpValue(kind: LookUpKind, parameter: string, text: string): string {
  try {
    return parseLookUp(kind, text);
  } catch (error) {
    if (error instanceof LookUpError) throw invalid(parameter, error.message);
    throw error;
  }
}

/** A document lies under its DID and a slash. */
function isDocumentKey(key: Bytes): boolean {
  try {
    const text = utf8Decode(key);
    return text.endsWith("/") && isDid(text.slice(0, -1));
  } catch {
    return false;
  }
}
