// The app hash: a simple Merkle tree over the roots of the stores, in order of their names.

import { type Bytes, compareBytes, utf8Encode } from "./bytes.ts";
import { sha256 } from "./hash.ts";
import { type MerkleProof, merkleProofs, merkleRoot } from "./merkle.ts";
import { WireWriter } from "./wire.ts";

export type StoreRoot = { readonly name: string; readonly root: Bytes };

export function multistoreRoot(stores: readonly StoreRoot[]): Bytes {
  return merkleRoot(sorted(stores).map(leafItem));
}

/** The place of one store under the app hash, or null when there is no store of that name. */
export function storeProof(stores: readonly StoreRoot[], name: string): { root: Bytes; proof: MerkleProof } | null {
  const order = sorted(stores);
  const index = order.findIndex((store) => store.name === name);
  if (index < 0) return null;
  return { root: order[index]!.root, proof: merkleProofs(order.map(leafItem))[index]! };
}

function sorted(stores: readonly StoreRoot[]): StoreRoot[] {
  return [...stores].sort((a, b) => compareBytes(utf8Encode(a.name), utf8Encode(b.name)));
}

function leafItem({ name, root }: StoreRoot): Bytes {
  const key = utf8Encode(name);
  return new WireWriter().uint(key.length).raw(key).uint(32).raw(sha256(root)).finish();
}
