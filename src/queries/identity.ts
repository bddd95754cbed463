// Identity documents: the list, one by its DID, and the five look-ups.

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
import { readPage, writePagination } from "./page.ts";

/** The stored bytes serve as they are: the listed view of a document is the same message with fewer fields. */
export async function listDocuments(view: Snapshot, request: RequestOf<"listDocuments">): Promise<Bytes> {
  const page = await readPage(view, documents, request.pagination, isDocumentKey);
  let size = 64;
  for (const [, document] of page.entries) size += document.length + 8;
  const response = new WireWriter(size);
  for (const [, document] of page.entries) response.messageField(1, document);
  writePagination(response, 2, page);
  return response.finish();
}

export async function getDocument(view: Snapshot, request: RequestOf<"getDocument">): Promise<Bytes> {
  const { did } = request;
  if (did === "") throw invalid("did", "must not be empty");
  if (!isDid(did)) throw invalid("did", "invalid DID");
  const document = await readDocument(view, did);
  if (document === null) {
    await listHas(view, documents, documentKey(did));
    throw notFound(`did document not found: ${did}`);
  }
  return new WireWriter(fieldSize(document)).messageField(1, document).finish();
}

/** `parameter` is the name under which the caller gave the value. */
export async function lookUpDocument(
  view: Snapshot,
  kind: LookUpKind,
  parameter: string,
  text: string,
): Promise<Bytes> {
  const value = lookUpValue(kind, parameter, text);
  const document = await findDocument(view, kind, value);
  if (document === null) throw notFound(`did document not found by ${parameter}: ${value}`);
  return foundResponse(document);
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
