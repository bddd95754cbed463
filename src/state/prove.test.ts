import { expect, test } from "bun:test";
import fc from "fast-check";
import { NodeHistory } from "../../test/harness/node-history.ts";
import { type Bytes, concatBytes, fromHex, toHex, utf8Encode } from "../codec/bytes.ts";
import { commitmentProofCodec, type ExistenceProof, InvalidProof } from "../codec/ics23.ts";
import { multistoreRoot, type StoreRoot } from "../codec/multistore.ts";
import { verifyNonMembership, verifyQueryProof } from "../codec/verify-proof.ts";
import type { Change } from "../store/store.ts";
import { proveKey, proveStore } from "./prove.ts";

const keys = fc.uint8Array({ minLength: 1, maxLength: 2 }).map((bytes) => bytes.map((byte) => byte % 6) as Bytes);
const change = fc.tuple(keys, fc.option(fc.uint8Array({ maxLength: 3 }), { freq: 4 })) as fc.Arbitrary<Change>;
const versions = fc.array(fc.array(change, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 });
const names = fc.uniqueArray(fc.constantFrom("acc", "gov", "bank", "mint", "upgrade"), { maxLength: 5 });

test("present and absent keys are proven at every height, under the app hash of that height", async () => {
  await fc.assert(
    fc.asyncProperty(versions, names, async (commits, others) => {
      const history = new NodeHistory();
      const values = new Map<string, Bytes>();
      for (const changes of commits) {
        const { rootHash } = await history.commit(changes);
        for (const [key, value] of changes) {
          if (value === null) values.delete(toHex(key));
          else values.set(toHex(key), value);
        }
        const stores: StoreRoot[] = [
          { name: "identity", root: rootHash },
          ...others.map((name) => ({ name, root: fromHex("17".repeat(32)) })),
        ];
        await checkAll(history, new Map(values), stores);
      }
    }),
    { numRuns: 25 },
  );
});

/** Every key that was touched, and one after each, at the newest version. */
async function checkAll(history: NodeHistory, values: Map<string, Bytes>, stores: StoreRoot[]): Promise<void> {
  const version = history.version;
  const tree = {
    load: (ref: Bytes) => history.load(ref, version),
    root: history.roots.at(-1)!,
    readValue: async (key: Bytes) => values.get(toHex(key)) ?? null,
  };
  const probes = [...values.keys()].flatMap((key) => [fromHex(key), concatBytes(fromHex(key), fromHex("00"))]);
  for (const key of [...probes, fromHex("00"), fromHex("ff")]) {
    const proof = await proveKey(tree, key);
    if (proof === null) {
      expect(values.size).toBe(0);
      continue;
    }
    verifyQueryProof({
      storeName: "identity",
      key,
      value: values.get(toHex(key)) ?? null,
      ops: [
        { type: "ics23:iavl", key, data: proof },
        { type: "ics23:simple", key: utf8Encode("identity"), data: proveStore(stores, "identity") },
      ],
      appHash: multistoreRoot(stores),
    });
  }
}

test("proofs of an old height stay after later commits", async () => {
  const history = new NodeHistory();
  const set = (word: string): Change => [utf8Encode(word), utf8Encode(word)];
  const first = await history.commit(["a", "b", "d", "e"].map(set));
  await history.commit([set("c"), [utf8Encode("a"), null]]);
  const load = (ref: Bytes) => history.load(ref, 1n);
  const proof = await proveKey({ load, root: first.rootRef, readValue: async (key) => key }, utf8Encode("c"));
  verifyNonMembership(first.rootHash, proof!, utf8Encode("c"));
  expect(() => verifyNonMembership(first.rootHash, proof!, utf8Encode("b"))).toThrow(InvalidProof);
});

test("two leaves with others between them prove no absence", async () => {
  const history = new NodeHistory();
  const words = [..."abcdefghijk"].map(utf8Encode);
  const { rootRef, rootHash } = await history.commit(words.map((word): Change => [word, word]));
  const tree = { load: (ref: Bytes) => history.load(ref), root: rootRef, readValue: async (key: Bytes) => key };
  const proofs: (ExistenceProof | null)[] = [];
  for (const word of words) proofs.push(commitmentProofCodec.decode((await proveKey(tree, word))!).exist);
  for (let left = -1; left < words.length; left++) {
    for (let right = left + 2; right <= words.length; right++) {
      const key = words[left + 1]!;
      const nonexist = { key, left: proofs[left] ?? null, right: proofs[right] ?? null };
      const lie = commitmentProofCodec.encode({ exist: null, nonexist });
      expect(() => verifyNonMembership(rootHash, lie, key)).toThrow(/adjacent|edge|no neighbour/);
    }
  }
});

test("a value that is not the tree's is never proven", async () => {
  const history = new NodeHistory();
  const { rootRef } = await history.commit([[utf8Encode("a"), utf8Encode("1")]]);
  const tree = { load: (ref: Bytes) => history.load(ref), root: rootRef, readValue: async () => utf8Encode("2") };
  await expect(proveKey(tree, utf8Encode("a"))).rejects.toThrow("disagree");
});

test("there is no proof of a store that is not there", () => {
  expect(() => proveStore([{ name: "acc", root: fromHex("00".repeat(32)) }], "bank")).toThrow("no such store");
});
