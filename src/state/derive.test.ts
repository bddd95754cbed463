// What follows from raw changes, all of it at once: the trees against trees that are kept in a plain map, the app hash over
// them, and the counts and look-ups beside.

import { expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import accPairs from "../../test/fixtures/state/acc.json";
import bankPairs from "../../test/fixtures/state/bank.json";
import { type Bytes, fromHex, toHex } from "../codec/bytes.ts";
import { emptyTreeHash } from "../codec/iavl.ts";
import { multistoreRoot } from "../codec/multistore.ts";
import { DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import { createBranch } from "../store/branch.ts";
import { openMemoryStore } from "../store/memory.ts";
import type { Change, Reader } from "../store/store.ts";
import { accounts } from "./account.ts";
import { putBalance, supply } from "./bank.ts";
import { getStoreRoots } from "./block.ts";
import { deriveAll, STORES, treeNodes } from "./derive.ts";
import { documents, encodeDocument, putDocument } from "./identity.ts";
import { findDocument } from "./identity-index.ts";
import { spaceKey } from "./keys.ts";
import { countList } from "./list.ts";
import { applyChanges, openTree, readNode } from "./tree.ts";

const NOTHING: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};

const acc = (accPairs as [string, string][]).map(([key, value]): Change => [fromHex(key), fromHex(value)]);
const bank = (bankPairs as [string, string][]).map(([key, value]): Change => [fromHex(key), fromHex(value)]);

test("three commits: trees, app hash, counts and look-ups", async () => {
  const store = openMemoryStore();
  const nodes = new Map<string, Bytes>();
  const bankTree = await openTree(async (ref) => nodes.get(toHex(ref)) ?? null, null);
  const accTree = await openTree(async () => null, null);

  const genesis: Change[] = [
    ...acc.map(([key, value]): Change => [spaceKey(STORES.acc, key), value]),
    ...bank.map(([key, value]): Change => [spaceKey(STORES.bank, key), value]),
  ];
  const first = await deriveAll(NOTHING, genesis, 1n);
  await applyChanges(accTree, acc);
  await applyChanges(bankTree, bank);
  const accRoot = accTree.save(1n).rootHash;
  const { rootHash: bankRoot, writes } = bankTree.save(1n);
  for (const [ref, node] of writes) nodes.set(toHex(ref), node);
  expect(first.roots.map(({ name, rootHash }) => ({ name, root: rootHash }))).toEqual([
    { name: "acc", root: accRoot },
    { name: "bank", root: bankRoot },
    { name: "identity", root: emptyTreeHash() },
  ]);
  await store.commit(1n, [...genesis, ...first.changes]);

  const branch = createBranch(store.at(1n));
  await putBalance(branch, acc.at(2)![0].slice(1), "uorr", 77n);
  const second = await deriveAll(store.at(1n), branch.changes(), 2n);
  await applyChanges(
    bankTree,
    branch.changes().map(([key, value]): Change => [key.slice(1), value]),
  );
  const newBankRoot = bankTree.save(2n).rootHash;
  expect(newBankRoot).not.toEqual(bankRoot);
  expect(second.roots[0]).toEqual(first.roots[0]!);
  expect(second.roots[1]!.rootHash).toEqual(newBankRoot);
  expect(second.appHash).toEqual(
    multistoreRoot([
      { name: "identity", root: emptyTreeHash() },
      { name: "bank", root: newBankRoot },
      { name: "acc", root: accRoot },
    ]),
  );
  await store.commit(2n, [...branch.changes(), ...second.changes]);

  const document = create(DidDocumentSchema, { iD: "did:orr:devnet:abc", alsoKnownAs: ["https://example.com/abc"] });
  const identity = createBranch(store.at(2n));
  putDocument(identity, document);
  const third = await deriveAll(store.at(2n), identity.changes(), 3n);
  expect(third.roots.slice(0, 2)).toEqual(second.roots.slice(0, 2));
  expect(third.roots[2]!.rootHash).not.toEqual(emptyTreeHash());
  await store.commit(3n, [...identity.changes(), ...third.changes]);

  const [old, now] = [store.at(1n), store.at(3n)];
  expect((await getStoreRoots(old))!.appHash).toEqual(first.appHash);
  expect((await getStoreRoots(now))!.appHash).toEqual(third.appHash);
  // The old root's node was replaced at height 2; height 1 still reads it.
  expect(await readNode(treeNodes(old, "bank"), first.roots[1]!.rootKey)).toBeDefined();
  await expect(readNode(treeNodes(now, "bank"), first.roots[1]!.rootKey)).rejects.toThrow("no node");
  expect(await countList(now, accounts)).toBe(256n);
  expect(await countList(now, supply)).toBe(150n);
  expect(await countList(now, documents)).toBe(1n);
  expect(await countList(old, documents)).toBe(0n);
  expect(await findDocument(now, "alias", "https://example.com/abc")).toEqual(encodeDocument(document));
});

test("a commit without raw changes writes the same roots again", async () => {
  const store = openMemoryStore();
  const changes: Change[] = [[spaceKey(STORES.acc, Uint8Array.of(0)), Uint8Array.of(1)]];
  const first = await deriveAll(NOTHING, changes, 1n);
  await store.commit(1n, [...changes, ...first.changes]);
  const second = await deriveAll(store.at(1n), [], 2n);
  expect(second.appHash).toEqual(first.appHash);
  expect(second.changes).toHaveLength(1);
});
