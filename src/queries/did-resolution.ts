// Resolves a DID from the state at one height: the document of a version, and what the history says of it.

import {
  type DidMetadata,
  type DidRequest,
  type Resolution,
  ResolutionError,
  type ResolveDid,
} from "../api/did-resolution.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import { compareTimes, formatTime, type Time } from "../codec/time.ts";
import { methodFacts, w3cDocument } from "../codec/w3c-document.ts";
import type { DidDocument } from "../gen/orrery/identity/v1/did_pb.ts";
import type { DidMeta, DidVersion, WriteMark } from "../gen/orrery/identity/v1/state_pb.ts";
import { decodeDocument, getDocument, getIdentityParams, getMeta, getVersion } from "../state/identity.ts";
import type { Reader, Store } from "../store/store.ts";
import { viewAt } from "./queries.ts";

export function createResolveDid(store: Store): ResolveDid {
  return async (request, height) => {
    const view = viewAt(store, height);
    try {
      return { height: view.height, ...(await resolveDid(view, request)) };
    } finally {
      view.close();
    }
  };
}

async function resolveDid(view: Reader, request: DidRequest): Promise<Resolution> {
  const { did, method, versionId, versionTime } = request;
  const { didMethodName } = await getIdentityParams(view);
  if (method !== didMethodName) {
    throw new ResolutionError("METHOD_NOT_SUPPORTED", `this chain resolves did:${didMethodName}, not did:${method}`);
  }
  const meta = await getMeta(view, did);
  if (meta === null) return await withoutHistory(view, request);
  const number = await versionNumber(view, did, meta, versionId, versionTime);
  const version = number === null ? null : await getVersion(view, did, number);
  if (number === null || version === null) throw notFound(request);
  const next = number < meta.version ? await getVersion(view, did, number + 1n) : null;
  return { document: documentOf(version), metadata: metadataOf(meta, version, number, next) };
}

/** A document that came without its history, as from a chain that keeps none. */
async function withoutHistory(view: Reader, request: DidRequest): Promise<Resolution> {
  const stored = await getDocument(view, request.did);
  if (stored === null || request.versionId !== null || request.versionTime !== null) throw notFound(request);
  const document = decodeDocument(stored);
  return { document: w3cDocument(document), metadata: { method: methodFacts(document) } };
}

/** Null for a version that there is not. */
async function versionNumber(
  view: Reader,
  did: string,
  meta: DidMeta,
  versionId: string | null,
  versionTime: Time | null,
): Promise<bigint | null> {
  if (versionTime !== null) return await versionAt(view, did, meta.version, versionTime);
  if (versionId === null) return meta.version;
  if (!/^[1-9][0-9]{0,18}$/.test(versionId)) return null;
  return BigInt(versionId) <= meta.version ? BigInt(versionId) : null;
}

/** The newest version written at or before a time; versions are numbered in the order of their times. */
async function versionAt(view: Reader, did: string, latest: bigint, time: Time): Promise<bigint | null> {
  let [low, high] = [0n, latest];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const version = await getVersion(view, did, middle);
    if (compareTimes(timeOf(version?.written), time) <= 0) low = middle;
    else high = middle - 1n;
  }
  return low === 0n ? null : low;
}

/** A deactivation writes a version without a document. */
function documentOf({ document }: DidVersion): Resolution["document"] {
  return document === undefined ? null : w3cDocument(document);
}

function metadataOf(meta: DidMeta, version: DidVersion, number: bigint, next: DidVersion | null): DidMetadata {
  const { written } = version;
  return {
    created: secondsText(meta.created),
    ...(number > 1n ? { updated: secondsText(written) } : {}),
    ...(meta.deactivated ? { deactivated: true } : {}),
    versionId: String(number),
    ...(next === null ? {} : { nextVersionId: String(number + 1n), nextUpdate: secondsText(next.written) }),
    method: { ...factsOf(meta, version.document), ...writtenOf(written) },
  };
}

function factsOf({ creator, network }: DidMeta, document: DidDocument | undefined): Record<string, unknown> {
  return { creator, network, ...(document === undefined ? {} : methodFacts(document)) };
}

/** A document of the genesis came with no transaction. */
function writtenOf(mark: WriteMark | undefined): Record<string, string> {
  const { height = 0n, txHash = new Uint8Array(0) } = mark ?? {};
  return { height: String(height), ...(txHash.length === 0 ? {} : { txHash: toHex(txHash as Bytes).toUpperCase() }) };
}

function secondsText(mark: WriteMark | undefined): string {
  return formatTime({ ...timeOf(mark), nanos: 0 }, "minimal");
}

function timeOf(mark: WriteMark | undefined): Time {
  const { seconds = 0n, nanos = 0 } = mark?.time ?? {};
  return { seconds, nanos };
}

function notFound({ did, versionId, versionTime }: DidRequest): ResolutionError {
  const which = versionId === null && versionTime === null ? "" : " has no such version";
  return new ResolutionError("NOT_FOUND", which === "" ? `${did} is not on this chain` : `${did}${which}`);
}
