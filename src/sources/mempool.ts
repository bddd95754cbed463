// Transactions that wait for a block, in the order of their arrival; the reference's rules. None replaces another.
//
// It lives in memory alone: what waits when the process ends is gone, and only a block is a promise.

import { type Bytes, toHex } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import type { TxResult } from "../codec/tx-result.ts";
import { givingWay } from "../give-way.ts";
import type { Log } from "../log.ts";
import { MempoolFull, TxDoesNotFit, TxInCache, TxTooLarge } from "./mempool-refusals.ts";
import { createSeenCache } from "./seen-cache.ts";

export type MempoolLimits = {
  readonly maxTxBytes: number;
  readonly maxTxs: number;
  readonly maxTotalBytes: number;
  /** How many transactions are remembered, so that none is checked twice. */
  readonly cacheSize: number;
};

/** The reference's, but for the total: a gibibyte is much for a process that also holds caches. */
export const MEMPOOL_LIMITS: MempoolLimits = {
  maxTxBytes: 1_048_576,
  maxTxs: 5_000,
  maxTotalBytes: 64 * 1_048_576,
  cacheSize: 10_000,
};

/** What a check must say; the rest of it goes to who asked. */
export type CheckOutcome = { readonly code: number; readonly gasWanted: bigint };

export type MempoolOptions<Outcome extends CheckOutcome> = {
  /** On the state after all that waits; the effects of what passes stay for the next check. */
  readonly check: (raw: Bytes, mode: "check" | "recheck") => Promise<Outcome>;
  /** The same verdict, and nothing stays. */
  readonly tryOut: (raw: Bytes) => Promise<Outcome>;
  /** Forgets those effects: the next check is on the newest committed state. */
  readonly resetChecks: () => void;
  /** What a block can hold of transactions, in bytes as a block encodes them. */
  readonly maxBlockBytes: () => number;
  readonly limits?: MempoolLimits;
  readonly log: Pick<Log, "error">;
};

export type Mempool<Outcome extends CheckOutcome> = {
  /** Resolves with the verdict; the transaction waits for a block when its code is 0. Throws MempoolRefusal. */
  add(raw: Bytes): Promise<Outcome>;
  /** The verdict on a transaction that shall not wait. */
  tryOut(raw: Bytes): Promise<Outcome>;
  /**
   * From the oldest on, as many as fit; they stay until a block with them is settled. A negative limit of bytes is
   * none, and so is a limit of gas that is not above zero: what execution takes for no limit must be none here.
   */
  reap(maxBytes: number, maxGas: bigint): Bytes[];
  /** Commits a block while no check runs, drops its transactions, and checks the others again. */
  settle(commit: () => Promise<void>, txs: readonly Bytes[], results: readonly Pick<TxResult, "code">[]): Promise<void>;
  /** The oldest, up to `limit`. */
  waiting(limit: number): Bytes[];
  size(): { readonly txs: number; readonly bytes: number };
  /** Called whenever transactions have come to wait, and after a block that took some of them and left others. */
  onWaiting(listener: () => void): void;
};

export function createMempool<Outcome extends CheckOutcome>(options: MempoolOptions<Outcome>): Mempool<Outcome> {
  return new ArrivalQueue(options);
}

/** How many bytes a transaction takes in a block: its tag, its length, itself. */
export function sizeInBlock(raw: Bytes): number {
  let lengthBytes = 1;
  for (let rest = raw.length; rest > 127; rest = Math.floor(rest / 128)) lengthBytes++;
  return 1 + lengthBytes + raw.length;
}

type WaitingTx = { readonly raw: Bytes; readonly gasWanted: bigint };

class ArrivalQueue<Outcome extends CheckOutcome> implements Mempool<Outcome> {
  readonly #options: MempoolOptions<Outcome>;
  readonly #limits: MempoolLimits;
  readonly #seen: ReturnType<typeof createSeenCache>;
  /** By hash; a Map keeps the order of arrival. */
  readonly #waiting = new Map<string, WaitingTx>();
  #waitingBytes = 0;
  /** Let in, but not checked yet: they count, or a flood of unchecked ones would know no limit. */
  #unchecked = { txs: 0, bytes: 0 };
  /** Checks and commits take turns, because each check builds on the one before. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #giveWay = givingWay();
  #listener: () => void = () => {};

  constructor(options: MempoolOptions<Outcome>) {
    this.#options = options;
    this.#limits = options.limits ?? MEMPOOL_LIMITS;
    this.#seen = createSeenCache(this.#limits.cacheSize);
  }

  async add(raw: Bytes): Promise<Outcome> {
    this.#refuse(raw);
    const hash = hashOf(raw);
    if (!this.#seen.push(hash)) throw new TxInCache();
    this.#unchecked.txs += 1;
    this.#unchecked.bytes += raw.length;
    try {
      return await this.#inTurn(() => this.#check(hash, raw));
    } catch (error) {
      this.#seen.remove(hash);
      throw error;
    } finally {
      this.#unchecked.txs -= 1;
      this.#unchecked.bytes -= raw.length;
    }
  }

  tryOut(raw: Bytes): Promise<Outcome> {
    return this.#inTurn(() => this.#options.tryOut(raw));
  }

  reap(maxBytes: number, maxGas: bigint): Bytes[] {
    const txs: Bytes[] = [];
    let bytes = 0;
    let gas = 0n;
    for (const { raw, gasWanted } of this.#waiting.values()) {
      bytes += sizeInBlock(raw);
      gas += gasWanted;
      // The first that does not fit ends it: a later one may build on it.
      if ((maxBytes >= 0 && bytes > maxBytes) || (maxGas > 0n && gas > maxGas)) break;
      txs.push(raw);
    }
    return txs;
  }

  settle(commit: () => Promise<void>, txs: readonly Bytes[], results: readonly { code: number }[]): Promise<void> {
    return this.#inTurn(async () => {
      await commit();
      const before = this.#waiting.size;
      for (const [i, raw] of txs.entries()) this.#leave(raw, results[i]!.code);
      const took = before - this.#waiting.size;
      this.#options.resetChecks();
      await this.#recheck();
      // After a block that took none of them, the next one would take none either, and so on without end.
      if (took > 0 && this.#waiting.size > 0) this.#listener();
    });
  }

  waiting(limit: number): Bytes[] {
    return [...this.#waiting.values()].slice(0, limit).map(({ raw }) => raw);
  }

  size(): { txs: number; bytes: number } {
    return { txs: this.#waiting.size, bytes: this.#waitingBytes };
  }

  onWaiting(listener: () => void): void {
    this.#listener = listener;
  }

  /** What needs no look at the content, in the reference's order. */
  #refuse(raw: Bytes): void {
    const { maxTxs, maxTotalBytes, maxTxBytes } = this.#limits;
    const txs = this.#waiting.size + this.#unchecked.txs;
    const bytes = this.#waitingBytes + this.#unchecked.bytes;
    if (txs >= maxTxs || bytes + raw.length > maxTotalBytes) throw new MempoolFull(txs, maxTxs, bytes, maxTotalBytes);
    if (raw.length > maxTxBytes) throw new TxTooLarge(maxTxBytes, raw.length);
    const size = sizeInBlock(raw);
    const most = this.#options.maxBlockBytes();
    if (size > most) throw new TxDoesNotFit(size, most);
  }

  async #check(hash: string, raw: Bytes): Promise<Outcome> {
    const outcome = await this.#options.check(raw, "check");
    if (outcome.code !== 0) {
      // It may be good later.
      this.#seen.remove(hash);
      return outcome;
    }
    if (this.#waiting.has(hash)) return outcome;
    this.#waiting.set(hash, { raw, gasWanted: outcome.gasWanted });
    this.#waitingBytes += raw.length;
    this.#listener();
    return outcome;
  }

  /** A transaction that worked can never work again, one that failed may. */
  #leave(raw: Bytes, code: number): void {
    const hash = hashOf(raw);
    if (code === 0) this.#seen.push(hash);
    else this.#seen.remove(hash);
    this.#drop(hash);
  }

  async #recheck(): Promise<void> {
    for (const [hash, { raw }] of [...this.#waiting]) {
      await this.#giveWay();
      if (await this.#isStillGood(hash, raw)) continue;
      this.#seen.remove(hash);
      this.#drop(hash);
    }
  }

  /** A fault of our own in a check must not stop the chain: the block that it follows is committed. */
  async #isStillGood(hash: string, raw: Bytes): Promise<boolean> {
    try {
      return (await this.#options.check(raw, "recheck")).code === 0;
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log.error(`transaction ${hash} waits no more: its check failed: ${reason}`);
      return false;
    }
  }

  #drop(hash: string): void {
    const tx = this.#waiting.get(hash);
    if (tx === undefined) return;
    this.#waiting.delete(hash);
    this.#waitingBytes -= tx.raw.length;
  }

  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action);
    this.#turn = result.catch(() => {}).then(this.#giveWay);
    return result;
  }
}

function hashOf(raw: Bytes): string {
  return toHex(sha256(raw));
}
