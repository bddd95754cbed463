// Gas: the meter, and a view of the state that charges every access by the reference's prices.

import type { Bytes } from "../codec/bytes.ts";
import { type GiveWay, inOneGo } from "../give-way.ts";
import type { Branch } from "../store/branch.ts";
import type { Change, Entry, RangeRequest } from "../store/store.ts";
import { type ChainError, failure, ROOT } from "./errors.ts";

/** The limit of a meter without one, as clients see it. */
export const UNLIMITED_GAS = (1n << 64n) - 1n;

const HAS = 1000n;
const DELETE = 1000n;
const READ = 1000n;
const READ_BYTE = 3n;
const WRITE = 2000n;
const WRITE_BYTE = 30n;
const ITERATE = 30n;

export class GasMeter {
  readonly limit: bigint;
  used = 0n;

  constructor(limit: bigint) {
    this.limit = limit;
  }

  /** Throws when the limit is passed; what was used then stays above the limit. `descriptor` says what for. */
  consume(amount: bigint, descriptor: string): void {
    this.used += amount;
    if (this.used > this.limit) throw outOfGas(descriptor, this.limit, this.used);
  }

  /** What a block is charged: never more than was asked for. */
  get usedWithinLimit(): bigint {
    return this.used > this.limit ? this.limit : this.used;
  }
}

export function outOfGas(location: string, wanted: bigint, used: bigint): ChainError {
  return failure(ROOT.outOfGas, `out of gas in location: ${location}; gasWanted: ${wanted}, gasUsed: ${used}`);
}

/** Charges a read of a key that is known to be absent, in a store that this node does not keep. */
export function chargeAbsentRead(meter: GasMeter, keyLength: number): void {
  meter.consume(READ, "ReadFlat");
  meter.consume(READ_BYTE * BigInt(keyLength), "ReadPerByte");
  meter.consume(0n, "ReadPerByte");
}

/** Looking at the clock each time would cost more than the read. */
const READS_AT_ONCE = 16;

/**
 * Keys are charged without the byte that names their store: the reference's own keys do not have it. `giveWay` is awaited
 * among the reads, those of pending writes too: long work reads again and again what it has just written.
 */
export function meteredState(branch: Branch, meter: GasMeter, giveWay: GiveWay = inOneGo): Branch {
  return new MeteredState(branch, meter, giveWay);
}

class MeteredState implements Branch {
  readonly #branch: Branch;
  readonly #meter: GasMeter;
  readonly #giveWay: GiveWay;
  #reads = 0;

  constructor(branch: Branch, meter: GasMeter, giveWay: GiveWay) {
    this.#branch = branch;
    this.#meter = meter;
    this.#giveWay = giveWay;
  }

  async get(key: Bytes): Promise<Bytes | null> {
    this.#meter.consume(READ, "ReadFlat");
    if (++this.#reads % READS_AT_ONCE === 0) await this.#giveWay();
    const value = await this.#branch.get(key);
    this.#meter.consume(READ_BYTE * keyLength(key), "ReadPerByte");
    this.#meter.consume(READ_BYTE * BigInt(value?.length ?? 0), "ReadPerByte");
    return value;
  }

  async has(key: Bytes): Promise<boolean> {
    this.#meter.consume(HAS, "Has");
    if (++this.#reads % READS_AT_ONCE === 0) await this.#giveWay();
    return this.#branch.has(key);
  }

  set(key: Bytes, value: Bytes): void {
    this.#meter.consume(WRITE, "WriteFlat");
    this.#meter.consume(WRITE_BYTE * keyLength(key), "WritePerByte");
    this.#meter.consume(WRITE_BYTE * BigInt(value.length), "WritePerByte");
    this.#branch.set(key, value);
  }

  delete(key: Bytes): void {
    this.#meter.consume(DELETE, "Delete");
    this.#branch.delete(key);
  }

  /** One read after the other, as the reference has no read of many. */
  async getMany(keys: readonly Bytes[]): Promise<(Bytes | null)[]> {
    const values: (Bytes | null)[] = [];
    for (const key of keys) values.push(await this.get(key));
    return values;
  }

  /** As an iterator that is walked to its end: the first entry is charged when it is opened, and again when left. */
  async range(request: RangeRequest): Promise<Entry[]> {
    if (++this.#reads % READS_AT_ONCE === 0) await this.#giveWay();
    const entries = await this.#branch.range(request);
    this.#iterate(entries[0]);
    for (const entry of entries) this.#iterate(entry);
    return entries;
  }

  changes(): Change[] {
    return this.#branch.changes();
  }

  apply(changes: readonly Change[]): void {
    for (const [key, value] of changes) {
      if (value === null) this.delete(key);
      else this.set(key, value);
    }
  }

  #iterate(entry: Entry | undefined): void {
    if (entry !== undefined) {
      this.#meter.consume(READ_BYTE * keyLength(entry[0]), "ValuePerByte");
      this.#meter.consume(READ_BYTE * BigInt(entry[1].length), "ValuePerByte");
    }
    this.#meter.consume(ITERATE, "IterNextFlat");
  }
}

function keyLength(key: Bytes): bigint {
  return BigInt(key.length - 1);
}
