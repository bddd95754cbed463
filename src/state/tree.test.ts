import { expect, test } from "bun:test";
import fc from "fast-check";
import { NodeHistory } from "../../test/harness/node-history.ts";
import { type Bytes, compareBytes, fromHex, toHex, utf8Encode } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import { decodeNode, encodeNode, hashNode, isLeaf, nodeRef, refVersion } from "../codec/iavl.ts";
import type { Change } from "../store/store.ts";
import { applyChanges, openTree, readNode, type SavedTree } from "./tree.ts";

const text = (word: string): Bytes => utf8Encode(word);
const sets = (...pairs: string[]): Change[] => pairs.map((pair) => [text(pair[0]!), text(pair.slice(2))]);

test("roots equal those of the reference's library", async () => {
  const history = new NodeHistory();
  const commit = async (changes: Change[]) => toHex((await history.commit(changes)).rootHash);
  expect(await commit(sets("a=1", "b=2", "c=3", "d=4", "e=5", "f=6", "g=7"))).toBe(
    "67f106c61251a6be4a938cd4a482eeb29a74d20cc0016632a0c7c51ac57db2db",
  );
  const same = "d2f7761c07ab022229a773198e6f051f607a87127471cb9363a226a1aa13f87a";
  expect(await commit(sets("c=3"))).toBe(same);
  expect(await commit([[text("zz"), null]])).toBe(same);
  expect(await commit([[text("e"), null]])).toBe("c58b2488d603a27f6de498899c50824523d7d1bfa4b96e4e493abfd67d5890bc");
  // The vector sets h to k before it removes a: out of byte order, so not through applyChanges.
  const tree = await history.open();
  for (const key of "hijk") await tree.set(text(key), text("x"));
  await tree.remove(text("a"));
  expect(toHex(history.keep(tree.save(5n)).rootHash)).toBe(
    "268c1072e7d51f1d517e0f634a2f3ed60493db52c0448a9420f37e36a61af6ff",
  );
  expect(await commit(sets("d="))).toBe("10c59fdf187d43b10c1a6c6f9ef78836363329c14576d535e15e19d33714791c");
});

test("a tree without pairs has the hash of nothing", async () => {
  const history = new NodeHistory();
  const empty = await history.commit([]);
  expect(toHex(empty.rootHash)).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(empty).toMatchObject({ rootRef: null, writes: [], deletes: [] });
  await history.commit(sets("a=1"));
  const again = await history.commit([[text("a"), null]]);
  expect(again.rootRef).toBeNull();
  expect(again.deletes.length).toBe(1);
  expect(history.size).toBe(0);
});

test("a commit without changes writes nothing and keeps the root", async () => {
  const history = new NodeHistory();
  const first = await history.commit(sets("a=1", "b=2", "c=3"));
  const second = await history.commit([]);
  expect(second).toEqual({ ...first, writes: [], deletes: [] });
});

test("the last change of a key counts, and order of arrival does not", async () => {
  const changes = sets("b=2", "a=1", "c=3", "a=9");
  const one = await new NodeHistory().commit([...changes, [text("b"), null]]);
  const other = await new NodeHistory().commit(sets("a=9", "c=3"));
  expect(one.rootHash).toEqual(other.rootHash);
});

test("a key that is set and removed in one commit was never there", async () => {
  const history = new NodeHistory();
  const { rootHash } = await history.commit(sets("a=1", "b=2", "c=3", "d=4"));
  const { writes, deletes, ...root } = await history.commit([...sets("x=1"), [text("x"), null]]);
  expect({ writes, deletes, rootHash: root.rootHash }).toEqual({ writes: [], deletes: [], rootHash });
});

test("a version must rise", async () => {
  const tree = await openTree(async () => null, null);
  await tree.set(text("a"), text("1"));
  tree.save(4n);
  expect(() => tree.save(4n)).toThrow("version 4 after 4");
});

test("a lost node is an error, not an answer", async () => {
  const history = new NodeHistory();
  const { rootRef, writes } = await history.commit(sets("a=1", "b=2", "c=3", "d=4"));
  const lost = writes[0]![0];
  const tree = await openTree(async (ref) => (toHex(ref) === toHex(lost) ? null : history.load(ref, 1n)), rootRef);
  await expect(tree.set(text("a"), text("2"))).rejects.toThrow("no node 1/0.0.0.0");
});

test("node records survive encoding, and broken ones are refused", async () => {
  const history = new NodeHistory();
  const { writes } = await history.commit(sets("a=1", "b=2", "c=3"));
  for (const [ref, record] of writes) {
    const node = decodeNode(record);
    expect(encodeNode(node)).toEqual(record);
    expect(refVersion(ref)).toBe(1n);
    for (let length = 0; length < record.length; length++) {
      expect(() => decodeNode(record.slice(0, length))).toThrow();
    }
    expect(() => decodeNode(new Uint8Array([...record, 0]))).toThrow("too long");
  }
  expect(toHex(nodeRef(0x0102030405060708n, 0xfffefdfc))).toBe("0102030405060708fffefdfc");
  expect(refVersion(fromHex("ff02030405060708fffefdfc"))).toBe(0xff02030405060708n);
});

// Few keys, so that sets meet existing keys and removes find something.
const keys = fc.uint8Array({ minLength: 1, maxLength: 2 }).map((bytes) => bytes.map((byte) => byte % 7) as Bytes);
const change = fc.tuple(keys, fc.option(fc.uint8Array({ maxLength: 3 }), { freq: 2 })) as fc.Arbitrary<Change>;
const versions = fc.array(fc.array(change, { maxLength: 25 }), { minLength: 1, maxLength: 14 });

test("every version, old and new, holds exactly its pairs in a balanced, true tree", async () => {
  await fc.assert(
    fc.asyncProperty(versions, async (commits) => {
      const history = new NodeHistory();
      const pairs = new Map<string, Bytes>();
      const expected: { saved: SavedTree; pairs: [string, string][] }[] = [];
      for (const changes of commits) {
        const saved = await history.commit(changes);
        for (const [key, value] of changes) {
          if (value === null) pairs.delete(toHex(key));
          else pairs.set(toHex(key), value);
        }
        const content = [...pairs].map(([key, value]): [string, string] => [key, toHex(sha256(value))]);
        expected.push({ saved, pairs: content.sort(([a], [b]) => compareBytes(fromHex(a), fromHex(b))) });
      }
      for (const [index, { saved, pairs: content }] of expected.entries()) {
        const load = (ref: Bytes) => history.load(ref, BigInt(index + 1));
        const leaves: [string, string][] = [];
        const nodes = saved.rootRef === null ? 0 : await walk(load, saved.rootRef, saved.rootHash, leaves);
        expect(leaves).toEqual(content);
        expect(nodes).toBe(Math.max(0, 2 * content.length - 1));
      }
      const newest = expected.at(-1)!.pairs.length;
      expect(history.size).toBe(Math.max(0, 2 * newest - 1));
    }),
    { numRuns: 150 },
  );
});

test("reopening between versions changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(versions, async (commits) => {
      const reopened = new NodeHistory();
      const kept = new NodeHistory();
      const tree = await kept.open();
      for (const changes of commits) {
        await applyChanges(tree, changes);
        const expected = kept.keep(tree.save(kept.version + 1n));
        expect(await reopened.commit(changes)).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});

test("a commit of few keys loads few nodes", async () => {
  const history = new NodeHistory();
  const many: Change[] = Array.from({ length: 4096 }, (_, i) => [nodeRef(0n, i), new Uint8Array(1)]);
  await history.commit(many);
  history.loads = 0;
  const saved = await history.commit([
    [nodeRef(0n, 1000), null],
    [nodeRef(0n, 3000), new Uint8Array(2)],
  ]);
  expect(history.loads).toBeLessThan(2 * 13 + 4);
  expect(saved.writes.length).toBeLessThan(2 * 13 + 4);
});

/** Checks hash, order, balance and measures of every node; returns how many there are. */
async function walk(
  load: (ref: Bytes) => Promise<Bytes | null>,
  ref: Bytes,
  hash: Bytes,
  leaves: [string, string][],
): Promise<number> {
  const node = await readNode(load, ref);
  expect(hashNode(ref, node)).toEqual(hash);
  if (isLeaf(node)) {
    leaves.push([toHex(node.key), toHex(node.valueHash)]);
    return 1;
  }
  const { left, right } = node;
  expect(Math.abs(left.height - right.height)).toBeLessThan(2);
  const before = leaves.length;
  const count = await walk(load, left.ref, left.hash, leaves);
  expect(leaves.length - before).toBe(left.size);
  const middle = leaves.length;
  const all = count + (await walk(load, right.ref, right.hash, leaves)) + 1;
  expect(leaves.length - middle).toBe(right.size);
  expect(leaves[middle]![0]).toBe(toHex(node.key));
  return all;
}
