import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Bytes, concatBytes, fromHex, toHex } from "./bytes.ts";
import { innerHash, leafHash, merkleProofs, merkleRoot, proofSides } from "./merkle.ts";
import { verifyMerkleProof } from "./verify-proof.ts";

const utf8 = new TextEncoder();

test.each([
  [[], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  [[""], "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
  [["010203"], "054edec1d0211f624fed0cbca9d4f9400b0e491c43742af2c5b0abebf0c990d8"],
  [["010203", "040506"], "82e6cfce00453804379b53962939eaa7906b39904be0813fcadd31b100773c4b"],
  [["0102", "0304", "0506", "0708", "090a"], "f326493eceab4f2d9ffbc78c59432a0a005d6ea98392045c74df5d14a113be18"],
] as [string[], string][])("root of %p", (items, root) => {
  expect(toHex(merkleRoot(items.map(fromHex)))).toBe(root);
});

test("leaves and inner nodes are hashed apart", () => {
  expect(toHex(leafHash(utf8.encode("L123456")))).toBe(
    "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56",
  );
  expect(toHex(innerHash(utf8.encode("N123"), utf8.encode("N456")))).toBe(
    "aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb",
  );
});

const items = fc.uniqueArray(fc.uint8Array({ maxLength: 40 }), {
  minLength: 1,
  maxLength: 40,
  selector: (item) => toHex(item as Bytes),
}) as fc.Arbitrary<Bytes[]>;

test("every item of a list is proven, and only at its place", () => {
  fc.assert(
    fc.property(items, fc.nat(), (list, pick) => {
      const root = merkleRoot(list);
      const proofs = merkleProofs(list);
      const index = pick % list.length;
      const proof = proofs[index]!;
      expect(verifyMerkleProof(root, proof, list[index]!)).toBe(true);
      expect(verifyMerkleProof(root, proof, concatBytes(list[index]!, fromHex("00")))).toBe(false);
      expect(verifyMerkleProof(root, { ...proof, aunts: [...proof.aunts, root] }, list[index]!)).toBe(false);
      expect(verifyMerkleProof(root, { ...proof, aunts: proof.aunts.slice(1) }, list[index]!)).toBe(
        proof.aunts.length === 0,
      );
      // A place with the same way from leaf to root gives the same hash: only the total tells such places apart.
      const other = (index + 1) % list.length;
      const sameWay = proofSides(list.length, other).join() === proofSides(list.length, index).join();
      expect(verifyMerkleProof(root, { ...proof, index: other }, list[index]!)).toBe(sameWay);
      expect(verifyMerkleProof(root, { ...proof, index: list.length }, list[index]!)).toBe(false);
      expect(verifyMerkleProof(root, { ...proof, index: -1 }, list[index]!)).toBe(false);
    }),
  );
});
