// Identity documents and what the module keeps beside them, under the reference's key layout:
//
//   DidDocument/value/<did>/      the document, while it is active
//   DidMeta/<did>/                its history in short; stays after deactivation, so that a DID is never given twice
//   DidVersion/<did>/ ‖ be64 n    version n in full
//   DidName/<name>                the DID of the active document that holds a bare name
//   Params                        the rules of the module

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type Bytes, utf8Decode, utf8Encode } from "../codec/bytes.ts";
import { type DidDocument, DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import {
  type DidMeta,
  DidMetaSchema,
  type DidVersion,
  DidVersionSchema,
  type Params,
  ParamsSchema,
} from "../gen/orrery/identity/v1/state_pb.ts";
import type { Branch } from "../store/branch.ts";
import type { Reader } from "../store/store.ts";
import { be64, SPACE, spaceKey } from "./keys.ts";
import type { List } from "./list.ts";

const DOCUMENT = "DidDocument/value/";
const NAME = "DidName/";

export const documents: List = { prefix: identityKey(DOCUMENT) };

/** Not counted: no operation lists them. */
export const names = { prefix: identityKey(NAME) } as const;

export const identityParamsKey = identityKey("Params");

/** What a chain without a word on the matter goes by; a genesis may say otherwise, field by field. */
export const DEFAULT_IDENTITY_PARAMS: Params = create(ParamsSchema, {
  didMethodName: "orr",
  didNetwork: "devnet",
  allowedNetworks: [],
  idPolicy: "account",
  nameSuffixes: [".orr"],
  maxVerificationMethods: 32,
  maxServices: 32,
  maxAliases: 64,
  maxControllers: 16,
  maxDocumentBytes: 16_384,
});

export function documentKey(did: string): Bytes {
  return identityKey(`${DOCUMENT}${did}/`);
}

/** The DID of a document's key; null for any other key. */
export function didOfDocumentKey(key: Bytes): string | null {
  const { prefix } = documents;
  if (key.length <= prefix.length || prefix.some((byte, i) => key[i] !== byte)) return null;
  return utf8Decode(key.subarray(prefix.length, -1));
}

export function getDocument(reader: Reader, did: string): Promise<Bytes | null> {
  return reader.get(documentKey(did));
}

export function putDocument(branch: Branch, document: DidDocument): void {
  branch.set(documentKey(document.iD), encodeDocument(document));
}

export function removeDocument(branch: Branch, did: string): void {
  branch.delete(documentKey(did));
}

export function encodeDocument(document: DidDocument): Bytes {
  return toBinary(DidDocumentSchema, document, { writeUnknownFields: false });
}

export function decodeDocument(bytes: Bytes): DidDocument {
  return fromBinary(DidDocumentSchema, bytes);
}

export async function getMeta(reader: Reader, did: string): Promise<DidMeta | null> {
  const bytes = await reader.get(metaKey(did));
  return bytes === null ? null : fromBinary(DidMetaSchema, bytes);
}

export function putMeta(branch: Branch, did: string, meta: DidMeta): void {
  branch.set(metaKey(did), toBinary(DidMetaSchema, meta));
}

export async function getVersion(reader: Reader, did: string, version: bigint): Promise<DidVersion | null> {
  const bytes = await reader.get(versionKey(did, version));
  return bytes === null ? null : fromBinary(DidVersionSchema, bytes);
}

export function putVersion(branch: Branch, did: string, version: bigint, content: DidVersion): void {
  branch.set(versionKey(did, version), toBinary(DidVersionSchema, content, { writeUnknownFields: false }));
}

/** The DID of the active document that holds a bare name; null for a name that is free. */
export async function getNameHolder(reader: Reader, name: string): Promise<string | null> {
  const bytes = await reader.get(nameKey(name));
  return bytes === null ? null : utf8Decode(bytes);
}

export function putNameHolder(branch: Branch, name: string, did: string): void {
  branch.set(nameKey(name), utf8Encode(did));
}

export function removeNameHolder(branch: Branch, name: string): void {
  branch.delete(nameKey(name));
}

/** The defaults where the chain has set none, as in a recording of a chain without the module. */
export async function getIdentityParams(reader: Reader): Promise<Params> {
  const bytes = await reader.get(identityParamsKey);
  return bytes === null ? DEFAULT_IDENTITY_PARAMS : fromBinary(ParamsSchema, bytes);
}

export function putIdentityParams(branch: Branch, params: Params): void {
  branch.set(identityParamsKey, toBinary(ParamsSchema, params));
}

function metaKey(did: string): Bytes {
  return identityKey(`DidMeta/${did}/`);
}

function versionKey(did: string, version: bigint): Bytes {
  return identityKey(`DidVersion/${did}/`, be64(version));
}

function nameKey(name: string): Bytes {
  return identityKey(`${NAME}${name}`);
}

function identityKey(text: string, tail?: Bytes): Bytes {
  return tail === undefined
    ? spaceKey(SPACE.identity, utf8Encode(text))
    : spaceKey(SPACE.identity, utf8Encode(text), tail);
}
