// The records of a counted tree, and where they lie.

import { type Bytes, concatBytes } from "../codec/bytes.ts";
import { WireReader, WireWriter } from "../codec/wire.ts";
import { DamagedRecord, type Reader } from "../store/store.ts";
import { SPACE, spaceKey } from "./keys.ts";

/**
 * A leaf (level 0) has its keys in order. A branch has, for each child, a key that is no larger than the child's keys
 * and larger than all keys before it (the first one counts as the smallest key and is not looked at), the id of the
 * child's record and the number of keys below it.
 */
export type CountedNode = {
  readonly level: number;
  readonly keys: Bytes[];
  readonly ids: number[];
  readonly counts: number[];
};

/** The root of a list lies alone under the list's own key, so that one get finds it; it knows the total. */
export type CountedRoot = { readonly total: number; readonly nextId: number; readonly node: CountedNode };

export function leafOf(keys: Bytes[]): CountedNode {
  return { level: 0, keys, ids: [], counts: [] };
}

export function totalOf(node: CountedNode): number {
  if (node.level === 0) return node.keys.length;
  let total = 0;
  for (const count of node.counts) total += count;
  return total;
}

export function rootKey(prefix: Bytes): Bytes {
  const { length } = prefix;
  // Nearly all are short, and every page begins here.
  const head = length < 128 ? Uint8Array.of(length) : new WireWriter(8).uint(length).finish();
  return spaceKey(SPACE.count, head, prefix);
}

export function nodeKey(root: Bytes, id: number): Bytes {
  return concatBytes(root, new WireWriter(8).uint(id).finish());
}

export function encodeRoot(root: CountedRoot): Bytes {
  const writer = new WireWriter(1024).uint(root.total).uint(root.nextId);
  return writeNode(writer, root.node).finish();
}

export function decodeRoot(record: Bytes): CountedRoot {
  const reader = new WireReader(record);
  const total = reader.count();
  const nextId = reader.count();
  return { total, nextId, node: readNode(reader) };
}

/** The total alone, without a look at the keys. */
export function totalOfRoot(record: Bytes): number {
  return new WireReader(record).count();
}

export function encodeNode(node: CountedNode): Bytes {
  return writeNode(new WireWriter(1024), node).finish();
}

/** A node with its keys left in the record: key `i` lies from `bounds[2i]` to `bounds[2i + 1]`. */
export type NodeBounds = Omit<CountedNode, "keys"> & { readonly bounds: Uint32Array };

export function nodeBounds(record: Bytes): NodeBounds {
  return readBounds(new WireReader(record));
}

export function rootBounds(record: Bytes): NodeBounds {
  const reader = new WireReader(record);
  reader.count();
  reader.count();
  return readBounds(reader);
}

function decodeNode(record: Bytes): CountedNode {
  return readNode(new WireReader(record));
}

/** The children `ids` of a node, in one read. Every one of them must be there. */
export async function readNodes(reader: Reader, root: Bytes, ids: readonly number[]): Promise<CountedNode[]> {
  const records = await reader.getMany(ids.map((id) => nodeKey(root, id)));
  return records.map((record, i) => {
    if (record === null) throw new DamagedRecord(`counted list: node ${ids[i]} is missing`);
    return decodeNode(record);
  });
}

function writeNode(writer: WireWriter, { level, keys, ids, counts }: CountedNode): WireWriter {
  writer.uint(level).uint(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    writer.uint(key.length).raw(key);
    if (level > 0) writer.uint(ids[i]!).uint(counts[i]!);
  }
  return writer;
}

/** The keys are views of the record. */
function readNode(reader: WireReader): CountedNode {
  const { level, bounds, ids, counts } = readBounds(reader);
  const keys: Bytes[] = [];
  for (let i = 0; i < bounds.length; i += 2) keys.push(reader.bytes.subarray(bounds[i], bounds[i + 1]));
  return { level, keys, ids, counts };
}

function readBounds(reader: WireReader): NodeBounds {
  const level = reader.count();
  const number = reader.count();
  if (number > reader.end) throw new DamagedRecord("counted list: a node of more keys than bytes");
  const bounds = new Uint32Array(2 * number);
  const ids: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < number; i++) {
    const length = reader.count();
    const end = reader.pos + length;
    if (end > reader.end) throw new DamagedRecord("counted list: a node ends inside a key");
    bounds[2 * i] = reader.pos;
    bounds[2 * i + 1] = end;
    reader.pos = end;
    if (level === 0) continue;
    ids.push(reader.count());
    counts.push(reader.count());
  }
  return { level, bounds, ids, counts };
}
