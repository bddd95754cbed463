// The look-up index of identity documents. It follows from the raw changes of documents alone, and lies outside the
// tree under the app hash:
//
//   0x00 ‖ did                                                           the document's claims
//   kind ‖ sha256(value) ‖ be64 height ‖ be32 position ‖ did -> value    one entry for each claim
//
// Where several documents claim one value, the first entry is the answer: the earliest claim. A claim keeps its place
// for as long as every update keeps the value. An id under the document's own DID is placed at height 0, position 0,
// before all others, so that nobody can stand before `did:orr:A#key` but the document of did:orr:A.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type Bytes, equalBytes, toHex, utf8Decode, utf8Encode } from "../codec/bytes.ts";
import { isDid, parseDidUrl } from "../codec/did.ts";
import { sha256 } from "../codec/hash.ts";
import type { LookUpKind } from "../codec/look-up.ts";
import { ParamsSchema } from "../gen/orrery/identity/v1/state_pb.ts";
import { type Claim, ClaimSchema, ClaimsSchema } from "../gen/orrery/state/v1/state_pb.ts";
import { type Branch, createBranch } from "../store/branch.ts";
import { prefixEnd } from "../store/key-range.ts";
import { type Change, DamagedRecord, type Reader } from "../store/store.ts";
import { type ClaimedValue, claimedValues } from "./claimed-values.ts";
import { decodeDocument, didOfDocumentKey, getDocument, getIdentityParams, identityParamsKey } from "./identity.ts";
import { be64, SPACE, spaceKey } from "./keys.ts";

const CLAIMS = 0x00;
const KIND: { readonly [K in LookUpKind]: number } = { key: 1, service: 2, network: 3, method: 4, alias: 5 };
const HASH_END = 1 + 1 + 32;
const PLACE_END = HASH_END + 8 + 4;

/**
 * The document that `value` leads to, as it is stored. The value must be one that parseLookUp gave. A bare DID as key
 * or service leads to the document of that DID. One seek and one or two point reads, whatever the number of claims.
 */
export async function findDocument(reader: Reader, kind: LookUpKind, value: string): Promise<Bytes | null> {
  if ((kind === "key" || kind === "service") && !value.includes("#") && isDid(value)) {
    const own = await getDocument(reader, value);
    if (own !== null) return own;
  }
  const prefix = spaceKey(SPACE.index, Uint8Array.of(KIND[kind]), hashOf(value));
  const [entry] = await reader.range({ start: prefix, end: prefixEnd(prefix), limit: 1 });
  if (entry === undefined || utf8Decode(entry[1]) !== value) return null;
  const did = utf8Decode(entry[0].subarray(PLACE_END));
  const document = await getDocument(reader, did);
  if (document === null) throw new DamagedRecord(`the index names ${did}, which has no document`);
  return document;
}

/**
 * What a commit must add so that the index stays right. `changes` come in the order of execution, which places the
 * claims of one block among each other; the claims of a genesis have height 0.
 */
export async function deriveClaims(reader: Reader, changes: readonly Change[], height: bigint): Promise<Change[]> {
  const index = createBranch(reader);
  let network: string | null = null;
  let position = 0;
  for (const [key, value] of changes) {
    if (value !== null && equalBytes(key, identityParamsKey)) network = fromBinary(ParamsSchema, value).didNetwork;
    const did = didOfDocumentKey(key);
    if (did === null) continue;
    network ??= (await getIdentityParams(reader)).didNetwork;
    position += 1;
    const values = value === null ? [] : claimedValues(did, decodeDocument(value), network);
    await replaceClaims(index, did, values, { height, position });
  }
  return index.changes();
}

type Place = { readonly height: bigint; readonly position: number };

const FIRST_PLACE: Place = { height: 0n, position: 0 };

async function replaceClaims(index: Branch, did: string, values: readonly ClaimedValue[], now: Place): Promise<void> {
  const before = new Map((await getClaims(index, did)).map((claim) => [claimId(claim.kind, claim.valueHash), claim]));
  const after: Claim[] = [];
  for (const { kind, value } of values) {
    const valueHash = hashOf(value);
    const id = claimId(KIND[kind], valueHash);
    const kept = before.get(id);
    before.delete(id);
    if (kept !== undefined) {
      after.push(kept);
      continue;
    }
    const { height, position } = parseDidUrl(value)?.did === did ? FIRST_PLACE : now;
    const claim = create(ClaimSchema, { kind: KIND[kind], valueHash, height, sequence: position });
    index.set(entryKey(did, claim), utf8Encode(value));
    after.push(claim);
  }
  for (const dropped of before.values()) index.delete(entryKey(did, dropped));
  if (after.length > 0) index.set(claimsKey(did), toBinary(ClaimsSchema, create(ClaimsSchema, { claims: after })));
  else index.delete(claimsKey(did));
}

async function getClaims(reader: Reader, did: string): Promise<Claim[]> {
  const bytes = await reader.get(claimsKey(did));
  return bytes === null ? [] : fromBinary(ClaimsSchema, bytes).claims;
}

function claimId(kind: number, valueHash: Uint8Array): string {
  return kind + toHex(valueHash);
}

function claimsKey(did: string): Bytes {
  return spaceKey(SPACE.index, Uint8Array.of(CLAIMS), utf8Encode(did));
}

function entryKey(did: string, { kind, valueHash, height, sequence }: Claim): Bytes {
  const position = new Uint8Array(4);
  new DataView(position.buffer).setUint32(0, sequence);
  return spaceKey(SPACE.index, Uint8Array.of(kind), valueHash as Bytes, be64(height), position, utf8Encode(did));
}

function hashOf(value: string): Bytes {
  return sha256(utf8Encode(value));
}
