// The contract of every store engine: ordered, versioned bytes. It knows no word of a blockchain but "height".
//
// A store holds one map of keys to values for each kept height. Readers take a snapshot at a height and never wait
// for the writer; the writer moves the head forward by one commit, wholly or not at all.

import type { Bytes } from "../codec/bytes.ts";

/** A key with its value. */
export type Entry = readonly [key: Bytes, value: Bytes];

/** What a commit does to one key: a new value, or null to remove it. */
export type Change = readonly [key: Bytes, value: Bytes | null];

/** Keys from `start` (inclusive) to `end` (exclusive), in byte order; descending when `reverse`. */
export type RangeRequest = {
  readonly start: Bytes;
  readonly end: Bytes;
  readonly reverse?: boolean;
  readonly limit: number;
  /** The caller knows how many keys there must be: the engine need not prove that none is missing. Default false. */
  readonly counted?: boolean;
};

/**
 * Asynchronous and coarse: one await serves a page. An engine that can answer at once returns a settled promise.
 * Nobody writes to the bytes that come back: others may get the same ones, and what was made of them may be kept by
 * their identity for as long as they last.
 */
export interface Reader {
  get(key: Bytes): Promise<Bytes | null>;
  getMany(keys: readonly Bytes[]): Promise<(Bytes | null)[]>;
  range(request: RangeRequest): Promise<Entry[]>;
}

export interface Snapshot extends Reader {
  readonly height: bigint;
  /** True while no newer height has been committed: ranges are then plain scans of the newest values. */
  readonly newest: boolean;
  close(): void;
}

export interface Store {
  /** What its commits let go of; "all" for a store that is open for reading only. */
  readonly keep: Retention;
  /** The newest committed height, or null for a store without any commit. */
  head(): bigint | null;
  /** The oldest height that can still be read, or null for a store without any commit. */
  earliest(): bigint | null;
  /** A view of the store as it was after the commit of `height`; throws HeightNotKept outside earliest..head. */
  at(height: bigint): Snapshot;
  /**
   * Makes `height` the head: all changes or none. The first commit may take any height, each later one head + 1.
   * Where a key occurs twice in `changes`, the last one counts.
   */
  commit(height: bigint, changes: readonly Change[]): Promise<void>;
  close(): Promise<void>;
}

/** How many heights are kept readable: all of them, or the newest N. */
export type Retention = "all" | number;

export class HeightNotKept extends Error {
  override readonly name = "HeightNotKept";
  readonly height: bigint;
  readonly earliest: bigint | null;
  readonly head: bigint | null;

  constructor(height: bigint, earliest: bigint | null, head: bigint | null) {
    super(
      head === null
        ? `height ${height} is not kept: the store is empty`
        : `height ${height} is not kept: the kept heights are ${earliest} to ${head}`,
    );
    this.height = height;
    this.earliest = earliest;
    this.head = head;
  }
}

/** A record that does not carry the checksum of its content: damaged storage, never an answer. */
export class DamagedRecord extends Error {
  override readonly name = "DamagedRecord";
}
