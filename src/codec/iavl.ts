// The nodes of an IAVL tree: what is hashed (the reference's bytes), and what we store (a record of our own).
//
// A node's version is the height that wrote it. It is part of the hash, so the root says also when each pair was last
// written. A node is stored under its version and a number within it; that reference never names anything else.

import { type Bytes, EMPTY } from "./bytes.ts";
import { sha256 } from "./hash.ts";
import { WireReader, WireWriter } from "./wire.ts";

/** What a parent knows of its child: enough to hash, to balance and to prove without loading it. */
export type NodeLink = {
  readonly ref: Bytes;
  readonly hash: Bytes;
  /** 0 for a leaf. */
  readonly height: number;
  /** How many leaves stand under it. */
  readonly size: number;
};

export type LeafRecord = { readonly height: 0; readonly key: Bytes; readonly valueHash: Bytes };

/** `key` is the smallest key of the right side. */
export type InnerRecord = {
  readonly height: number;
  readonly key: Bytes;
  readonly left: NodeLink;
  readonly right: NodeLink;
};

export type NodeRecord = LeafRecord | InnerRecord;

/** The root of a tree without pairs: the hash of nothing. */
export function emptyTreeHash(): Bytes {
  return sha256(EMPTY);
}

export function leafPrefix(version: bigint): Bytes {
  return new WireWriter(12).zigzag(0).zigzag(1).zigzag(version).finish();
}

/** The part of an inner node's bytes before the length and hash of its left child. */
export function innerPrefix(height: number, size: number, version: bigint): Bytes {
  return new WireWriter(24).zigzag(height).zigzag(size).zigzag(version).finish();
}

export function hashLeaf(version: bigint, key: Bytes, valueHash: Bytes): Bytes {
  hashed.clear().uint(0).uint(2).zigzag(version);
  return sha256(hashed.uint(key.length).raw(key).uint(32).raw(valueHash).view());
}

export function hashInner(version: bigint, left: NodeLink, right: NodeLink): Bytes {
  const { height, size } = measure(left, right);
  hashed.clear().zigzag(height).zigzag(size).zigzag(version);
  return sha256(hashed.uint(32).raw(left.hash).uint(32).raw(right.hash).view());
}

/** Hashing never waits, so one buffer serves all nodes: a large commit has millions. */
const hashed = new WireWriter(1024);

export function hashNode(ref: Bytes, node: NodeRecord): Bytes {
  const version = refVersion(ref);
  return isLeaf(node) ? hashLeaf(version, node.key, node.valueHash) : hashInner(version, node.left, node.right);
}

export function linkTo(ref: Bytes, node: NodeRecord): NodeLink {
  const size = isLeaf(node) ? 1 : node.left.size + node.right.size;
  return { ref, hash: hashNode(ref, node), height: node.height, size };
}

export function isLeaf(node: NodeRecord): node is LeafRecord {
  return node.height === 0;
}

/** Height and size of the node over two children. */
export function measure(left: { height: number; size: number }, right: { height: number; size: number }) {
  return { height: Math.max(left.height, right.height) + 1, size: left.size + right.size };
}

/** The version and the number, big-endian. Plain stores: a view per reference would double a large commit's memory. */
export function nodeRef(version: bigint, number: number): Bytes {
  const ref = new Uint8Array(12);
  putUint32(ref, 0, Number(version >> 32n));
  putUint32(ref, 4, Number(version & 0xffffffffn));
  putUint32(ref, 8, number);
  return ref;
}

export function refVersion(ref: Bytes): bigint {
  if (ref.length !== 12) throw new Error(`tree: reference of ${ref.length} bytes`);
  return BigInt(getUint32(ref, 0)) * 0x100000000n + BigInt(getUint32(ref, 4));
}

export function encodeNode(node: NodeRecord): Bytes {
  encoded.clear().uint(node.height).uint(node.key.length).raw(node.key);
  if (isLeaf(node)) encoded.raw(node.valueHash);
  else {
    writeLink(node.left);
    writeLink(node.right);
  }
  return encoded.view().slice();
}

const encoded = new WireWriter(1024);

function writeLink({ ref, hash, height, size }: NodeLink): void {
  encoded.raw(ref).raw(hash).uint(height).uint(size);
}

/** Throws on a record that no node has. */
export function decodeNode(bytes: Bytes): NodeRecord {
  const reader = new WireReader(bytes);
  const height = reader.count();
  const key = reader.copy();
  const node: NodeRecord =
    height === 0
      ? { height, key, valueHash: reader.take(32) }
      : { height, key, left: link(reader), right: link(reader) };
  if (!reader.done) throw new Error("tree: node record is too long");
  if (!isLeaf(node) && measure(node.left, node.right).height !== height)
    throw new Error("tree: wrong height in a node");
  return node;
}

function link(reader: WireReader): NodeLink {
  return { ref: reader.take(12), hash: reader.take(32), height: reader.count(), size: reader.count() };
}

function putUint32(bytes: Bytes, pos: number, value: number): void {
  bytes[pos] = value >>> 24;
  bytes[pos + 1] = value >>> 16;
  bytes[pos + 2] = value >>> 8;
  bytes[pos + 3] = value;
}

function getUint32(bytes: Bytes, pos: number): number {
  return ((bytes[pos]! << 24) | (bytes[pos + 1]! << 16) | (bytes[pos + 2]! << 8) | bytes[pos + 3]!) >>> 0;
}
