// The proofs of a real node, and what a liar could make of them.

import { describe, expect, test } from "bun:test";
import { type Bytes, concatBytes, fromBase64, fromHex, toHex } from "./bytes.ts";
import { type CommitmentProof, commitmentProofCodec, InvalidProof } from "./ics23.ts";
import { multistoreRoot } from "./multistore.ts";
import { type QueryProof, verifyMembership, verifyQueryProof } from "./verify-proof.ts";

type Recorded = {
  store: string;
  key: string;
  height: number;
  answer: { response: { value: string | null; proofOps: { ops: { type: string; key: string; data: string }[] } } };
};

const fixtures = new URL("../../test/fixtures/rpc/", import.meta.url);
const recorded: Recorded[] = await Bun.file(new URL("proofs.json", fixtures)).json();
const proofs: [string, QueryProof][] = [];
for (const { store, key, height, answer } of recorded) {
  const next = await Bun.file(new URL(`blocks/${String(height + 1).padStart(4, "0")}.json`, fixtures)).json();
  const { value, proofOps } = answer.response;
  const proof: QueryProof = {
    storeName: store,
    key: fromHex(key),
    value: value === null ? null : fromBase64(value),
    ops: proofOps.ops.map((op) => ({ type: op.type, key: fromBase64(op.key), data: fromBase64(op.data) })),
    appHash: fromHex(next.block.block.header.app_hash),
  };
  proofs.push([`${value === null ? "absence" : "presence"} of ${store}/${key} at ${height}`, proof]);
}

const withData = (proof: QueryProof, index: number, data: Bytes): QueryProof => ({
  ...proof,
  ops: proof.ops.map((op, i) => (i === index ? { ...op, data } : op)),
});
const verifies = (proof: QueryProof): boolean => {
  try {
    verifyQueryProof(proof);
    return true;
  } catch (error) {
    if (error instanceof InvalidProof) return false;
    throw error;
  }
};
const [present] = proofs.filter(([, { value }]) => value !== null).map(([, proof]) => proof) as [QueryProof];
const absent = proofs.filter(([, { value }]) => value === null).map(([, proof]) => proof);

test.each(proofs)("%s", (_name, proof) => {
  verifyQueryProof(proof);
});

test("six proofs of presence and six of absence are recorded", () => {
  expect([proofs.length, absent.length]).toEqual([12, 6]);
});

test.each(proofs)("no flipped byte passes: %s", (_name, proof) => {
  for (const [index, { data }] of proof.ops.entries()) {
    for (let pos = 0; pos < data.length; pos++) {
      const flipped = data.slice();
      flipped[pos]! ^= 1 << (pos % 8);
      if (verifies(withData(proof, index, flipped))) throw new Error(`byte ${pos} of proof ${index} does not matter`);
    }
  }
});

describe("a proof shows one thing only", () => {
  const other = (bytes: Bytes) => concatBytes(bytes, fromHex("00"));

  test.each<[string, QueryProof]>([
    ["another value", { ...present, value: other(present.value!) }],
    ["no value", { ...present, value: null }],
    ["an empty value", { ...present, value: fromHex("") }],
    ["another key", { ...present, key: other(present.key) }],
    ["another store", { ...present, storeName: "bank2" }],
    ["another app hash", { ...present, appHash: fromHex("00".repeat(32)) }],
    ["one proof only", { ...present, ops: present.ops.slice(0, 1) }],
    ["a third proof", { ...present, ops: [...present.ops, present.ops[1]!] }],
    ["proofs in wrong order", { ...present, ops: [...present.ops].reverse() }],
    ["presence of an absent key", { ...absent[0]!, value: fromHex("00") }],
    ["absence of another key", { ...absent[0]!, key: other(absent[0]!.key) }],
  ])("not %s", (_name, proof) => {
    expect(() => verifyQueryProof(proof)).toThrow(InvalidProof);
  });
});

describe("forms outside the spec are refused", () => {
  const decoded = commitmentProofCodec.decode(present.ops[0]!.data).exist!;
  const root = fromHex("00".repeat(32));
  const check = (exist: Partial<typeof decoded>) => {
    const proof: CommitmentProof = { exist: { ...decoded, ...exist }, nonexist: null };
    verifyMembership("iavl", root, commitmentProofCodec.encode(proof), proof.exist!.key, proof.exist!.value);
  };
  const step = decoded.path[0]!;
  const leaf = decoded.leaf!;
  const hash = "ab".repeat(32);

  test.each<[string, Partial<typeof decoded>, string]>([
    ["no leaf", { leaf: null }, "no leaf"],
    ["hashed key", { leaf: { ...leaf, prehashKey: 1 } }, "another way"],
    ["raw value", { leaf: { ...leaf, prehashValue: 0 } }, "another way"],
    ["no length", { leaf: { ...leaf, length: 0 } }, "another way"],
    ["leaf of height 1", { leaf: { ...leaf, prefix: fromHex("020202") } }, "prefix of a leaf"],
    ["leaf of size 2", { leaf: { ...leaf, prefix: fromHex("000402") } }, "prefix of a leaf"],
    ["leaf prefix with more", { leaf: { ...leaf, prefix: fromHex("00020200") } }, "prefix of a leaf"],
    ["padded version", { leaf: { ...leaf, prefix: fromHex("00028200") } }, "padded"],
    ["negative version", { leaf: { ...leaf, prefix: fromHex("000201") } }, "negative"],
    ["short prefix", { leaf: { ...leaf, prefix: fromHex("0002") } }, "too short"],
    ["other hash of a step", { path: [{ ...step, hash: 2 }] }, "form of a step"],
    ["both sides", { path: [{ ...step, prefix: fromHex(`02040220${hash}20`), suffix: fromHex(`20${hash}`) }] }, "form"],
    [
      "other length",
      { path: [{ ...step, prefix: fromHex(`02040220${hash}21`), suffix: fromHex("") }] },
      "form of a step",
    ],
    ["no side", { path: [{ ...step, prefix: fromHex("02040220"), suffix: fromHex("") }] }, "form of a step"],
    [
      "long suffix",
      { path: [{ ...step, prefix: fromHex("02040220"), suffix: fromHex(`20${hash}20${hash}`) }] },
      "form",
    ],
    [
      "height does not rise",
      { path: [{ ...step, prefix: fromHex("00040220"), suffix: fromHex(`20${hash}`) }] },
      "rise",
    ],
    ["size does not rise", { path: [{ ...step, prefix: fromHex("02020220"), suffix: fromHex(`20${hash}`) }] }, "rise"],
    ["too deep", { path: Array.from({ length: 65 }, () => step) }, "65 steps"],
    ["right form, other root", {}, "another root"],
  ])("%s", (_name, change, reason) => {
    expect(() => check(change)).toThrow(InvalidProof);
    expect(() => check(change)).toThrow(reason);
  });

  test("a step of the store tree with two siblings", () => {
    const exist = { ...commitmentProofCodec.decode(present.ops[1]!.data).exist! };
    const path = [{ hash: 1, prefix: fromHex(`01${hash}`), suffix: fromHex(hash) }];
    const data = commitmentProofCodec.encode({ exist: { ...exist, path }, nonexist: null });
    expect(() => verifyMembership("tendermint", root, data, exist.key, exist.value)).toThrow("form of a step");
  });

  test("a padded length", () => {
    const { data } = present.ops[0]!;
    const padded = concatBytes(data.slice(0, 2), fromHex(`${toHex(Uint8Array.of(data[2]! | 0x80))}00`), data.slice(3));
    expect(commitmentProofCodec.decode(padded)).toEqual(commitmentProofCodec.decode(data));
    expect(() => verifyQueryProof(withData(present, 0, padded))).toThrow("one encoding");
  });

  test("neighbours that are not adjacent, and one neighbour inside the tree", () => {
    const between = absent.find(({ storeName, key }) => storeName === "acc" && key[1] === 0xff)!;
    const { left, right } = commitmentProofCodec.decode(between.ops[0]!.data).nonexist!;
    const lie = (nonexist: { left: typeof left; right: typeof right }) =>
      withData(between, 0, commitmentProofCodec.encode({ exist: null, nonexist: { key: between.key, ...nonexist } }));
    expect(() => verifyQueryProof(lie({ left, right: null }))).toThrow("edge of the tree");
    expect(() => verifyQueryProof(lie({ left: null, right }))).toThrow("edge of the tree");
    expect(() => verifyQueryProof(lie({ left: null, right: null }))).toThrow("no neighbour");
    expect(() => verifyQueryProof(lie({ left: right, right: left }))).toThrow("not before it");
    const far = commitmentProofCodec.decode(present.ops[0]!.data).exist;
    expect(() => verifyQueryProof(lie({ left: far, right }))).toThrow("not adjacent");
  });
});

test("the app hash of three stores", () => {
  const stores = ["identity", "acc", "bank"].map((name) => ({
    name,
    root: fromHex({ acc: "01", bank: "02", identity: "03" }[name]!.repeat(32)),
  }));
  expect(toHex(multistoreRoot(stores))).toBe("18eafff70e5d1964080955e44740d8f521cadc77e6f3336459da4dabba7ed70f");
});
