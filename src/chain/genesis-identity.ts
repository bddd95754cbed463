// The `identity` section of a genesis:
//
//   params           rules of the module; what is not given has its default
//   didDocumentList  active documents, in the form in which the interface shows them (either variant)
//   deactivated      [{did, creator, document?}]: DIDs that are spent; `document` is the last content, for the history
//
// Documents are checked as if they had come in transactions, so that what is served later needs no second look.

import { create, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import type { Time } from "../codec/time.ts";
import { type DidDocument, DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import {
  DidMetaSchema,
  DidVersion_Kind,
  DidVersionSchema,
  type Params,
  WriteMarkSchema,
} from "../gen/orrery/identity/v1/state_pb.ts";
import { networkOfDid } from "../state/claimed-values.ts";
import { putDocument, putIdentityParams, putMeta, putNameHolder, putVersion } from "../state/identity.ts";
import type { Branch } from "../store/branch.ts";
import { GenesisError } from "./genesis-error.ts";
import { parseIdentityParams } from "./identity-params.ts";
import { bareNames, checkControllers, checkNames, normaliseDocument } from "./identity-validity.ts";
import type { ThisChain } from "./verification-material.ts";

export type IdentityGenesis = {
  readonly params: Params;
  readonly documents: readonly DidDocument[];
  readonly deactivated: readonly DeactivatedDid[];
};

export type DeactivatedDid = { readonly did: string; readonly creator: string; readonly document: DidDocument | null };

type Normalise = (document: DidDocument) => DidDocument;

/** Null for a genesis without the section. Throws GenesisError. */
export function parseIdentityGenesis(section: unknown, chain: ThisChain): IdentityGenesis | null {
  if (section === undefined || section === null) return null;
  const {
    params: paramsJson,
    didDocumentList,
    deactivated: spentList,
    ...others
  } = at("identity", () => objectAt(section));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new GenesisError(`identity: unknown field ${JSON.stringify(unknown)}`);

  const params = at("identity.params", () => parseIdentityParams(objectAt(paramsJson ?? {})));
  const normalise: Normalise = (document) => normaliseDocument(document, document.creator, { ...chain, params });
  const documents = entriesAt("identity.didDocumentList", didDocumentList ?? [], (json) => {
    return normalise(fromJson(DidDocumentSchema, json));
  });
  const deactivated = entriesAt("identity.deactivated", spentList ?? [], (json) => parseDeactivated(json, normalise));
  refuseDuplicates(documents, deactivated);
  checkTogether(documents);
  return { params, documents, deactivated };
}

/** Writes documents in the order of the list: it decides who answers where two claim the same value. */
export function writeIdentityGenesis(branch: Branch, genesis: IdentityGenesis, time: Time): void {
  const { params, documents, deactivated } = genesis;
  const mark = create(WriteMarkSchema, { height: 0n, time: { seconds: time.seconds, nanos: 0 } });
  const meta = (did: string, creator: string) =>
    create(DidMetaSchema, { created: mark, version: 1n, network: networkOfDid(did, params.didNetwork), creator });
  const version = (kind: DidVersion_Kind, document: DidDocument | null) =>
    create(DidVersionSchema, { kind, written: mark, ...(document && { document }) });

  putIdentityParams(branch, params);
  for (const document of documents) {
    putDocument(branch, document);
    putMeta(branch, document.iD, meta(document.iD, document.creator));
    putVersion(branch, document.iD, 1n, version(DidVersion_Kind.CREATED, document));
    for (const name of bareNames(document)) putNameHolder(branch, name, document.iD);
  }
  for (const { did, creator, document } of deactivated) {
    if (document !== null) putVersion(branch, did, 1n, version(DidVersion_Kind.CREATED, document));
    const last = document === null ? 1n : 2n;
    putVersion(branch, did, last, version(DidVersion_Kind.DEACTIVATED, null));
    putMeta(branch, did, { ...meta(did, creator), updated: mark, version: last, deactivated: true });
  }
}

function parseDeactivated(json: JsonObject, normalise: Normalise): DeactivatedDid {
  const { did, creator, document = null, ...others } = json;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`unknown field ${JSON.stringify(unknown)}`);
  if (typeof did !== "string" || typeof creator !== "string") throw new Error("did and creator must be texts");
  const content = document === null ? { iD: did, creator } : document;
  const checked = normalise(fromJson(DidDocumentSchema, content));
  if (checked.iD !== did) throw new Error(`the document is that of ${checked.iD}`);
  if (checked.creator !== creator) throw new Error(`the document was created by ${checked.creator}`);
  return { did, creator, document: document === null ? null : checked };
}

function refuseDuplicates(documents: readonly DidDocument[], deactivated: readonly DeactivatedDid[]): void {
  const places = [
    ...documents.map(({ iD }, i) => [iD, `identity.didDocumentList[${i}]`] as const),
    ...deactivated.map(({ did }, i) => [did, `identity.deactivated[${i}]`] as const),
  ];
  const seen = new Map<string, string>();
  for (const [did, place] of places) {
    const earlier = seen.get(did);
    if (earlier !== undefined) throw new GenesisError(`${place} (${did}): duplicate of ${earlier}`);
    seen.set(did, place);
  }
}

/** A document may name a controller that comes after it in the list; a name belongs to the first that claims it. */
function checkTogether(documents: readonly DidDocument[]): void {
  const active = new Set(documents.map(({ iD }) => iD));
  const owners = new Map<string, string>();
  for (const [i, document] of documents.entries()) {
    at(`identity.didDocumentList[${i}] (${document.iD})`, () => {
      checkControllers(document, active);
      checkNames(document, owners);
    });
    for (const name of bareNames(document)) owners.set(name, document.iD);
  }
}

function entriesAt<T>(place: string, list: JsonValue, parse: (json: JsonObject) => T): T[] {
  if (!Array.isArray(list)) throw new GenesisError(`${place}: must be a list`);
  return list.map((json, i) => {
    const did = didIn(json);
    return at(`${place}[${i}]${did === null ? "" : ` (${did})`}`, () => parse(objectAt(json)));
  });
}

function didIn(json: JsonValue): string | null {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
  const did = json.iD ?? json.did;
  return typeof did === "string" && did !== "" ? did.slice(0, 255) : null;
}

function objectAt(json: unknown): JsonObject {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new Error("must be an object");
  return json as JsonObject;
}

/** Puts the place of an entry before the reason that it was refused for. */
function at<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new GenesisError(`${place}: ${(error as Error).message}`);
  }
}
