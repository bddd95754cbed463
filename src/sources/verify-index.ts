// Checks the look-up index of identity documents against one that is built anew from the documents.

import { fromBinary } from "@bufbuild/protobuf";
import { type Bytes, toHex, utf8Decode } from "../codec/bytes.ts";
import { ClaimsSchema } from "../gen/orrery/state/v1/state_pb.ts";
import { documents, identityParamsKey } from "../state/identity.ts";
import { deriveClaims } from "../state/identity-index.ts";
import { SPACE, spaceKey } from "../state/keys.ts";
import type { Change, Snapshot } from "../store/store.ts";
import { NOTHING_STORED } from "./chain-state.ts";
import { entriesBelow, type Findings } from "./verify-walk.ts";

const INDEX = spaceKey(SPACE.index);
/** An entry: space, kind, hash of the value; then its place, which the documents alone cannot tell; then the DID. */
const VALUE_END = 1 + 1 + 32;
const PLACE_END = VALUE_END + 8 + 4;
const CLAIMS_KIND = 0x00;

type Place = { readonly value: string; readonly place: string };

export async function* verifyIndex(view: Snapshot): Findings {
  const where = `height ${view.height}`;
  const rebuilt = new Index();
  for (const [key, value] of await rebuild(view)) if (value !== null) rebuilt.add(key, value);
  const stored = new Index();
  for await (const [key, value] of entriesBelow(view, INDEX)) stored.add(key, value);

  for (const [id, { value, place }] of rebuilt.entries) {
    const found = stored.entries.get(id);
    if (found === undefined) yield `${where}: the index lacks an entry for ${value}`;
    else if (found.value !== value) yield `${where}: the index has ${found.value} in the place of ${value}`;
    // A claim on an id under the document's own DID stands before all others; the place of any other must be later.
    else if ((place === FIRST) !== (found.place === FIRST)) yield `${where}: the entry for ${value} has a wrong place`;
  }
  for (const [id, { value }] of stored.entries) {
    if (!rebuilt.entries.has(id)) yield `${where}: the index has an entry for ${value} that no document claims`;
    else if (!stored.claims.has(id + stored.entries.get(id)!.place)) {
      yield `${where}: the entry for ${value} is not among the claims of its document`;
    }
  }
  if (stored.claims.size !== stored.entries.size) {
    yield `${where}: the documents record ${stored.claims.size} claims, the index has ${stored.entries.size} entries`;
  }
}

/** The parameters come first, because they name the network that documents belong to. */
async function rebuild(view: Snapshot): Promise<Change[]> {
  const params = await view.get(identityParamsKey);
  const changes: Change[] = params === null ? [] : [[identityParamsKey, params]];
  for await (const entry of entriesBelow(view, documents.prefix)) changes.push(entry);
  return deriveClaims(NOTHING_STORED, changes, view.height);
}

const FIRST = "0".repeat((PLACE_END - VALUE_END) * 2);

/** Entries by what they are about, with where they stand; and all claims that documents have on record. */
class Index {
  readonly entries = new Map<string, Place>();
  readonly claims = new Set<string>();

  add(key: Bytes, value: Bytes): void {
    if (key[1] === CLAIMS_KIND) {
      const did = toHex(key.subarray(2));
      for (const { kind, valueHash, height, sequence } of fromBinary(ClaimsSchema, value).claims) {
        const place = height.toString(16).padStart(16, "0") + sequence.toString(16).padStart(8, "0");
        this.claims.add(`${kind}/${toHex(valueHash)}/${did}${place}`);
      }
      return;
    }
    const id = `${key[1]}/${toHex(key.subarray(2, VALUE_END))}/${toHex(key.subarray(PLACE_END))}`;
    this.entries.set(id, { value: utf8Decode(value), place: toHex(key.subarray(VALUE_END, PLACE_END)) });
  }
}
