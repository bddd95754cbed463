// Counted lists: the key ranges that the interface lists page by page. A counted tree beside each of them answers
// totals and offsets without a walk, and knows the keys of every page at every height; their records are looked up.

import { type Bytes, concatBytes, equalBytes } from "../codec/bytes.ts";
import { Kept, SHARE_OF } from "../kept.ts";
import { inKeyOrder } from "../store/in-key-order.ts";
import { keyAfter, prefixEnd } from "../store/key-range.ts";
import { type Change, DamagedRecord, type Entry, type Reader, type Snapshot } from "../store/store.ts";
import { type Edit, editCounts } from "./counted-edit.ts";
import { decodeRoot, rootKey, totalOfRoot } from "./counted-node.ts";
import { type LeafPart, openTree } from "./counted-tree.ts";
import { SPACE, spaceKey } from "./keys.ts";

/** All keys that begin with `prefix`. */
export type List = { readonly prefix: Bytes };

export type Walk = {
  /** Where to begin, as the part of a key below the prefix; it need not exist. */
  readonly from?: Bytes;
  /** How many entries to step over first. */
  readonly offset?: bigint;
  readonly reverse: boolean;
  readonly limit: number;
  /** How large the records are is known only when they are there: with more than this read, the page may end early. */
  readonly maxBytes?: number;
};

const DOCUMENTS = spaceKey(SPACE.identity, new TextEncoder().encode("DidDocument/value/"));

/** The counted list that a key belongs to, if any. */
export function listOf(key: Bytes): List | null {
  const length = prefixLengthOf(key);
  return length === 0 ? null : { prefix: key.slice(0, length) };
}

export async function countList(reader: Reader, list: List): Promise<bigint> {
  const record = await reader.get(rootKey(list.prefix));
  if (record !== null) return BigInt(totalOfRoot(record));
  await requireEmpty(reader, list);
  return 0n;
}

/** Whether the list has `key` (a full key). Record and count must agree: an absence is known, never assumed. */
export async function listHas(reader: Reader, list: List, key: Bytes): Promise<boolean> {
  const tree = await openTree(reader, list.prefix);
  const counted = tree !== null && (await tree.rankOf(key)).present;
  const stored = (await reader.get(key)) !== null;
  if (counted !== stored) throw disagreement(list);
  return stored;
}

/**
 * One page. Descending walks with `from` begin at the first existing key that is not smaller than it, or at the end of
 * the list if there is none, as the reference does; so the key after a page continues the walk in either direction.
 */
export async function walkList(snapshot: Snapshot, list: List, walk: Walk): Promise<Entry[]> {
  return entriesOf((await readList(snapshot, list, walk)).runs);
}

/** Some of the entries of one leaf, in walking order. */
export type LeafRun = {
  /** All of the leaf where they are kept at hand, and then the same ones each time; else those of the run alone. */
  readonly entries: readonly Entry[];
  readonly isKept: boolean;
  /** Inclusive. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly reverse: boolean;
};

/** One page, as walkList gives it, leaf by leaf; the size of its values; and the length of the whole list. */
export async function readList(
  snapshot: Snapshot,
  list: List,
  walk: Walk,
): Promise<{ readonly runs: LeafRun[]; readonly bytes: number; readonly total: number }> {
  const tree = await openTree(snapshot, list.prefix);
  if (tree === null) {
    await requireEmpty(snapshot, list);
    return { runs: [], bytes: 0, total: 0 };
  }
  const { total } = tree;
  const { reverse, maxBytes = Number.POSITIVE_INFINITY } = walk;
  if (walk.limit <= 0 || (walk.offset ?? 0n) >= BigInt(total)) return { runs: [], bytes: 0, total };
  const rank = walk.from === undefined ? 0 : (await tree.rankOf(concatBytes(list.prefix, walk.from))).rank;
  const [low, high] = positionsOf(walk, rank, total);
  const leaves = tree.leavesAtHand(low, high) ?? (await tree.leavesBetween(low, high));
  if (reverse) leaves.reverse();
  const runs: LeafRun[] = [];
  let bytes = 0;
  for (const leaf of leaves) {
    // A page has one entry at least, however large, and whoever reads it must see whether there is another.
    if (bytes > maxBytes && countOf(runs) > 1) break;
    const { entries, sizes, start, end, isKept } = await readRun(snapshot, list, leaf);
    runs.push({ entries, isKept, start, end, reverse });
    bytes += (sizes[end] as number) - (sizes[start] as number);
  }
  return { runs, bytes, total };
}

export function countOf(runs: readonly LeafRun[]): number {
  let count = 0;
  for (const { start, end } of runs) count += end - start;
  return count;
}

/** The entries of runs, in walking order. */
export function entriesOf(runs: readonly LeafRun[]): Entry[] {
  const all: Entry[] = [];
  for (const { entries, start, end, reverse } of runs) {
    for (let i = 0; i < end - start; i++) all.push(entries[reverse ? end - 1 - i : start + i] as Entry);
  }
  return all;
}

/**
 * What a commit must add so that the counts stay right after `changes`. `reader` shows the state before them. Existing
 * keys that only get a new value cost two reads and no write.
 */
export async function deriveCounts(reader: Reader, changes: readonly Change[]): Promise<Change[]> {
  const groups = groupByList(changes);
  const roots = await reader.getMany(groups.map((group) => rootKey(group.list.prefix)));
  // A list without a root has no keys: the first filling of a large list asks for none of them.
  const known = groups.flatMap((group, i) => (roots[i] === null ? [] : group.changes.map(([key]) => key)));
  const before = await reader.getMany(known);

  const derived: Change[] = [];
  let next = 0;
  for (const [i, { list, changes: touched }] of groups.entries()) {
    const record = roots[i] ?? null;
    const edits: Edit[] = [];
    for (const [key, value] of touched) {
      const existed = record !== null && before[next++] !== null;
      const joins = value !== null;
      if (joins !== existed) edits.push({ key: key.slice(list.prefix.length), joins });
    }
    if (edits.length === 0) continue;
    const root = record === null ? null : decodeRoot(record);
    for (const change of await editCounts(reader, list.prefix, root, edits)) derived.push(change);
  }
  return derived;
}

/** How much of a key names its list; 0 for a key of no list. Makes no objects: every change of a commit is asked. */
function prefixLengthOf(key: Bytes): number {
  const kind = key[1];
  if (key[0] === SPACE.acc) return kind === 0x01 ? 2 : 0;
  if (key[0] === SPACE.identity) return startsWith(key, DOCUMENTS) ? DOCUMENTS.length : 0;
  if (key[0] !== SPACE.bank) return 0;
  if (kind === 0x00 || kind === 0x01 || kind === 0x04) return 2;
  // A zero byte ends the denom, and no denom holds one; without it there is no list.
  if (kind === 0x03) return key.indexOf(0, 2) + 1;
  if (kind !== 0x02 || key.length < 3) return 0;
  const length = 3 + key[2]!;
  return key.length < length ? 0 : length;
}

/** The positions of the page's keys, `low` inclusive, `high` exclusive; `rank` is that of `from`. */
function positionsOf({ from, offset = 0n, reverse, limit }: Walk, rank: number, total: number): [number, number] {
  const skip = Number(offset);
  if (!reverse) return [rank + skip, Math.min(rank + skip + limit, total)];
  const top = from === undefined || rank === total ? total : rank + 1;
  return [Math.max(top - skip - limit, 0), top - skip];
}

/** Entries, the size of all values before each (and at last of all), and the height of it all. */
type ReadEntries = { readonly height: bigint; readonly entries: readonly Entry[]; readonly sizes: readonly number[] };
type ReadRun = Omit<ReadEntries, "height"> & Omit<LeafPart, "keys"> & { readonly isKept: boolean };

/** By the keys of the leaf. Pages that overlap, or are asked for again, find their entries here. */
const readLeaves = new Kept<readonly Bytes[], ReadEntries>(SHARE_OF.leaves, (keys, { sizes }) => {
  return (sizes.at(-1) as number) * WITH_TEXT + keys.length * ENTRY_OVERHEAD;
});
/** Whoever prints a leaf keeps the text for as long as the leaf lasts. */
const WITH_TEXT = 3;
/** What an entry takes beside its value, about. */
const ENTRY_OVERHEAD = 250;

/** A whole leaf is read where the better part of it is wanted, and kept; a page of a few large records reads those. */
async function readRun(snapshot: Snapshot, list: List, { keys, start, end }: LeafPart): Promise<ReadRun> {
  const known = readLeaves.get(keys);
  if (known?.height === snapshot.height) return { ...known, start, end, isKept: true };
  if (!snapshot.newest || (end - start) * 2 < keys.length) {
    const read = await readEntries(snapshot, list, keys.slice(start, end));
    return { ...read, start: 0, end: end - start, isKept: false };
  }
  const leaf = await readEntries(snapshot, list, keys);
  readLeaves.set(keys, leaf);
  return { ...leaf, start, end, isKept: true };
}

async function readEntries(snapshot: Snapshot, list: List, keys: readonly Bytes[]): Promise<ReadEntries> {
  // A scan of an old height steps over keys that came later; there each record is looked up.
  const found = snapshot.newest ? await scan(snapshot, keys) : await lookUp(snapshot, keys);
  if (found.length !== keys.length) throw disagreement(list);
  let size = 0;
  const sizes = [0];
  const entries = keys.map((key, i): Entry => {
    const [foundKey, value] = found[i] as Entry;
    if (!equalBytes(foundKey, key)) throw disagreement(list);
    size += value.length;
    sizes.push(size);
    return [key, value];
  });
  return { height: snapshot.height, entries, sizes };
}

function scan(snapshot: Snapshot, keys: readonly Bytes[]): Promise<Entry[]> {
  const end = keyAfter(keys.at(-1) as Bytes);
  return snapshot.range({ start: keys[0] as Bytes, end, limit: keys.length, counted: true });
}

async function lookUp(reader: Reader, keys: readonly Bytes[]): Promise<Entry[]> {
  const values = await reader.getMany(keys);
  return keys.flatMap((key, i): Entry[] => (values[i] == null ? [] : [[key, values[i]]]));
}

/** A list without counts has no records either. */
async function requireEmpty(reader: Reader, list: List): Promise<void> {
  const found = await reader.range({ start: list.prefix, end: prefixEnd(list.prefix), limit: 1 });
  if (found.length > 0) throw disagreement(list);
}

/** The last change of each listed key, in key order, list by list. Keys of a list lie together in that order. */
function groupByList(changes: readonly Change[]): { list: List; changes: Change[] }[] {
  const groups: { list: List; changes: Change[] }[] = [];
  for (const change of inKeyOrder(changes.filter(([key]) => prefixLengthOf(key) > 0))) {
    const group = groups.at(-1);
    if (group !== undefined && startsWith(change[0], group.list.prefix)) group.changes.push(change);
    else groups.push({ list: listOf(change[0])!, changes: [change] });
  }
  return groups;
}

function startsWith(key: Bytes, prefix: Bytes): boolean {
  if (key.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (key[i] !== prefix[i]) return false;
  return true;
}

function disagreement(list: List): DamagedRecord {
  return new DamagedRecord(`counted list: the counts and the records of list ${list.prefix.toHex()} disagree`);
}
