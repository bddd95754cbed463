// Where transactions and blocks are found again: by hash, by height, and by the events of their execution. It follows
// from blocks and their results alone, is written in the commit of the block, and lies outside the tree.
//
//   'h' ‖ tx hash                                   be64 height ‖ be32 index
//   't' ‖ place                                     every transaction, in order
//   'e' ‖ name ‖ value ‖ place ‖ be32 event         an attribute of an event of a transaction
//   'k' ‖ be64 height ‖ be32 0                      every block, in order
//   'b' ‖ name ‖ value ‖ place ‖ be32 event         an attribute of an event at the begin or the end of a block
//
// place: be64 height ‖ be32 index in the block (0 for a block). name: be16 length, then `type.attribute`. value: be32
// length, then the text. Entries have no content: everything is in the key.

import { type Bytes, concatBytes, utf8Encode } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import type { TxEvent, TxResult } from "../codec/tx-result.ts";
import type { Change, Reader } from "../store/store.ts";
import { be64, fromBe64, SPACE, spaceKey } from "./keys.ts";

/** Where a transaction stands. For a block, the index is 0. */
export type Place = { readonly height: bigint; readonly index: number };

/** Which of the two indexes an entry belongs to. */
export type Indexed = "tx" | "block";

export type IndexedBlock = {
  readonly height: bigint;
  readonly txs: readonly Bytes[];
  /** One for each transaction. */
  readonly results: readonly TxResult[];
  /** Of the begin of the block, then of its end. */
  readonly blockEvents: readonly TxEvent[];
};

/** What a commit must write so that the transactions and events of a block can be found. */
export function indexBlock(block: IndexedBlock): Change[] {
  const { height, txs } = block;
  const places = txs.map((tx, index): Change => [hashKey(sha256(tx)), placeBytes({ height, index })]);
  return [...places, ...entriesOf(block)];
}

/**
 * What a commit must write so that nothing is found in a block any more. A transaction that a later block holds too
 * leads there by then, and goes on to.
 */
export async function unindexBlock(reader: Reader, block: IndexedBlock): Promise<Change[]> {
  const hashes = block.txs.map(sha256);
  const places = await Promise.all(hashes.map((hash) => placeOfTx(reader, hash)));
  const own = hashes.filter((_, i) => places[i]?.height === block.height).map(hashKey);
  return [...own, ...entriesOf(block).map(([key]) => key)].map((key) => [key, null]);
}

/** Null for a transaction that no block holds. */
export async function placeOfTx(reader: Reader, hash: Bytes): Promise<Place | null> {
  const stored = await reader.get(hashKey(hash));
  return stored === null ? null : placeAt(stored, 0);
}

const PLACE_SIZE = 12;
const EVENT_SIZE = 4;

/** All entries of one attribute, of any value; the entries lie below it. */
export function attributePrefix(indexed: Indexed, name: string): Bytes {
  const key = utf8Encode(name);
  return spaceKey(SPACE.tx, EVENT[indexed], be16(key.length), key);
}

/** All entries of one attribute with one value, in order of their places. */
export function valuePrefix(indexed: Indexed, name: string, value: string): Bytes {
  const text = utf8Encode(value);
  return concatBytes(attributePrefix(indexed, name), be32(text.length), text);
}

/** All transactions, or all blocks, in order of their places. */
export function everyPrefix(indexed: Indexed): Bytes {
  return spaceKey(SPACE.tx, EVERY[indexed]);
}

/** What an entry under attributePrefix says; `event` tells the events of one place apart. */
export function readEntry(key: Bytes, prefix: Bytes): { value: Bytes; place: Place; event: number } {
  const end = key.length - EVENT_SIZE;
  const start = prefix.length + 4;
  return {
    value: key.subarray(start, end - PLACE_SIZE),
    place: placeAt(key, end - PLACE_SIZE),
    event: uint32At(key, end),
  };
}

export function placeAt(key: Bytes, offset: number): Place {
  return { height: fromBe64(key.slice(offset, offset + 8)), index: uint32At(key, offset + 8) };
}

/** The part of a key that begins every place of this height or, one higher, ends those before it. */
export function heightBytes(height: bigint): Bytes {
  return be64(height);
}

const NOTHING: Bytes = new Uint8Array(0);
const EVENT = { tx: utf8Encode("e"), block: utf8Encode("b") } as const;
const EVERY = { tx: utf8Encode("t"), block: utf8Encode("k") } as const;
const LONGEST_NAME = 0xffff;

/** All but the hashes: keys that no other block has. */
function entriesOf({ height, txs, results, blockEvents }: IndexedBlock): Change[] {
  const block: Place = { height, index: 0 };
  const ofTxs = txs.flatMap((_, index) => [
    [everyKey("tx", { height, index }), NOTHING] as const,
    ...eventEntries("tx", { height, index }, results[index]?.events ?? []),
  ]);
  return [[everyKey("block", block), NOTHING], ...ofTxs, ...eventEntries("block", block, blockEvents)];
}

/** Only attributes that are marked for it are indexed, and none without a name: the rules of the reference. */
function eventEntries(indexed: Indexed, place: Place, events: readonly TxEvent[]): Change[] {
  return events.flatMap(({ type, attributes }, event) =>
    attributes
      .filter(({ key, index }) => index && type !== "" && key !== "")
      .map(({ key, value }) => ({ name: `${type}.${key}`, value }))
      .filter(({ name }) => utf8Encode(name).length <= LONGEST_NAME)
      .map(({ name, value }): Change => {
        return [concatBytes(valuePrefix(indexed, name, value), placeBytes(place), be32(event)), NOTHING];
      }),
  );
}

function hashKey(hash: Bytes): Bytes {
  return spaceKey(SPACE.tx, utf8Encode("h"), hash);
}

function everyKey(indexed: Indexed, place: Place): Bytes {
  return concatBytes(everyPrefix(indexed), placeBytes(place));
}

function placeBytes({ height, index }: Place): Bytes {
  return concatBytes(be64(height), be32(index));
}

function be16(n: number): Bytes {
  return Uint8Array.of(n >> 8, n & 0xff);
}

function be32(n: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, n);
  return bytes;
}

function uint32At(bytes: Bytes, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset);
}
