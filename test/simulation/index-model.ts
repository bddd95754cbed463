// The look-up index of identities as it should be, kept beside the chain: from each document that a block changes, the
// claims that are new take their place at the end, those that stay keep theirs, the others go. At every height the
// whole stored index must equal it, entry by entry, places included.
//
// What a document claims is asked of the node (claimedValues); which entries follow from
// that is said here once more.

import { type Bytes, toHex, utf8Encode } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import type { LookUpKind } from "../../src/codec/look-up.ts";
import { claimedValues } from "../../src/state/claimed-values.ts";
import { decodeDocument, didOfDocumentKey, getIdentityParams } from "../../src/state/identity.ts";
import { be64, SPACE, spaceKey } from "../../src/state/keys.ts";
import type { Change, Entry, Snapshot } from "../../src/store/store.ts";
import { allBelow } from "./invariants.ts";

const KINDS: readonly LookUpKind[] = ["key", "service", "network", "method", "alias"];
const INDEX = spaceKey(SPACE.index);
const VALUE_END = 1 + 1 + 32;
const PLACE_END = VALUE_END + 8 + 4;
const FIRST = "00".repeat(PLACE_END - VALUE_END);

export type IndexModel = {
  /** `view` shows the state after the block with these changes. */
  follow(view: Snapshot, changes: readonly Change[]): Promise<void>;
};

/** Begins with the index as it is, which is the genesis's: that one is held against a rebuild by whoever begins. */
export async function openIndexModel(begin: Snapshot): Promise<IndexModel> {
  const { didNetwork } = await getIdentityParams(begin);
  /** Of each DID: kind and hash of a value, in hex, with the place of the claim. */
  const claims = new Map<string, Map<string, string>>();
  for (const [key] of await entriesOf(begin)) {
    const did = toHex(key.subarray(PLACE_END));
    const own = claims.get(did) ?? new Map<string, string>();
    claims.set(did, own.set(toHex(key.subarray(1, VALUE_END)), toHex(key.subarray(VALUE_END, PLACE_END))));
  }
  return {
    async follow(view, changes) {
      let position = 0;
      for (const [key, value] of changes) {
        const did = didOfDocumentKey(key);
        if (did === null) continue;
        position += 1;
        const before = claims.get(toHex(utf8Encode(did)));
        const place = toHex(be64(view.height)) + position.toString(16).padStart(8, "0");
        const after = new Map<string, string>();
        for (const claim of value === null ? [] : claimedValues(did, decodeDocument(value), didNetwork)) {
          const id = toHex(Uint8Array.of(1 + KINDS.indexOf(claim.kind))) + toHex(sha256(utf8Encode(claim.value)));
          const isOwn = claim.value === did || claim.value.startsWith(`${did}#`);
          after.set(id, before?.get(id) ?? (isOwn ? FIRST : place));
        }
        claims.set(toHex(utf8Encode(did)), after);
      }
      await compare(view, claims);
    },
  };
}

async function compare(view: Snapshot, claims: ReadonlyMap<string, ReadonlyMap<string, string>>): Promise<void> {
  const stored = new Set((await entriesOf(view)).map(([key]) => toHex(key.subarray(1) as Bytes)));
  let expected = 0;
  for (const [did, own] of claims) {
    for (const [id, place] of own) {
      expected += 1;
      if (!stored.has(id + place + did)) throw new Error(`the index lacks ${id} of ${did} at ${place}`);
    }
  }
  if (stored.size !== expected) throw new Error(`the index has ${stored.size} entries, its model ${expected}`);
}

/** Not what documents have on record of their own claims: that follows from the entries. */
async function entriesOf(view: Snapshot): Promise<Entry[]> {
  return (await allBelow(view, INDEX)).filter(([key]) => key[1] !== 0);
}
