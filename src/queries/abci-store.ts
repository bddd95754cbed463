// Raw keys of the stores under the app hash, with proofs: the `/store/…` paths of abci_query.

import type { AbciAnswer, AbciQuestion } from "../api/rpc-queries.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import type { ProofOp } from "../codec/verify-proof.ts";
import { WireWriter } from "../codec/wire.ts";
import { getChainInfo, getStoreRoots } from "../state/block.ts";
import { STORES, type StoreName, treeNodes } from "../state/derive.ts";
import { spaceKey } from "../state/keys.ts";
import { proveKey, proveStore } from "../state/prove.ts";
import { prefixEnd } from "../store/key-range.ts";
import { DamagedRecord, type Snapshot } from "../store/store.ts";
import { AbciError } from "./abci-error.ts";

/** The most pairs that one `subspace` answer holds. */
const MOST_PAIRS = 1000;

/** `path` is what follows `/store`. */
export async function queryStore(
  view: Snapshot,
  path: string,
  { data, prove }: AbciQuestion,
): Promise<Pick<AbciAnswer, "key" | "value" | "proof">> {
  const [, name = "", ...rest] = path.split("/");
  const kind = `/${rest.join("/")}`;
  if (!isStore(name)) throw new AbciError(6, `no such store: ${name}`);
  if (data.length === 0) throw new AbciError(2, "query cannot be zero length");
  if (kind === "/subspace") return { key: data, value: await readPairs(view, name, data), proof: null };
  if (kind !== "/key") throw new AbciError(6, `unexpected query path: ${kind}`);
  const value = await view.get(spaceKey(STORES[name], data));
  return { key: data, value, proof: prove ? await proofOf(view, name, data) : null };
}

async function proofOf(view: Snapshot, name: StoreName, key: Bytes): Promise<ProofOp[]> {
  if ((await getChainInfo(view))?.source !== "solo") {
    throw new AbciError(18, "this node keeps the state of a recorded chain without its trees, and can prove nothing");
  }
  const roots = await getStoreRoots(view);
  const root = roots?.stores.find((store) => store.name === name);
  if (roots === null || root === undefined) throw new DamagedRecord(`store ${name} has no root`);
  const tree = {
    load: treeNodes(view, name),
    root: root.rootKey.length === 0 ? null : (root.rootKey as Bytes),
    readValue: (raw: Bytes) => view.get(spaceKey(STORES[name], raw)),
  };
  const inStore = await proveKey(tree, key);
  if (inStore === null) throw new AbciError(18, `store ${name} is empty: the absence of a key cannot be proved`);
  const stores = roots.stores.map((store) => ({ name: store.name, root: store.rootHash as Bytes }));
  return [
    { type: "ics23:iavl", key, data: inStore },
    { type: "ics23:simple", key: utf8Encode(name), data: proveStore(stores, name) },
  ];
}

/** Repeated pairs of key and value, as fields 1 and 2 of field 1. */
async function readPairs(view: Snapshot, name: StoreName, prefix: Bytes): Promise<Bytes> {
  const start = spaceKey(STORES[name], prefix);
  const pairs = await view.range({ start, end: prefixEnd(start), limit: MOST_PAIRS + 1 });
  if (pairs.length > MOST_PAIRS) throw new AbciError(18, `more than ${MOST_PAIRS} keys have this prefix`);
  const response = new WireWriter(4096);
  for (const [key, value] of pairs) {
    response.messageField(1, new WireWriter(256).bytesField(1, key.subarray(1)).bytesField(2, value).finish());
  }
  return response.finish();
}

function isStore(name: string): name is StoreName {
  return Object.hasOwn(STORES, name);
}
