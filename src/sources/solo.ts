// The embedded chain: all of its validators are local, so each block is proposed, signed and committed in one go.
//
// A block is made as soon as a transaction waits, and by the clock. Blocks are all that lasts: a transaction is in the
// store with its block or it is nowhere, and its sequence number keeps it from being executed a second time.

import type { ExecuteBlock } from "../chain/execute-block.ts";
import { blockCodec, blockIdOf } from "../codec/block.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { Commit } from "../codec/commit.ts";
import { type Time, timeFromMillis } from "../codec/time.ts";
import { turnEventLoop } from "../give-way.ts";
import { createBranch } from "../store/branch.ts";
import type { Change, Store } from "../store/store.ts";
import { readCommitted } from "./block-records.ts";
import { roomForTxs } from "./block-room.ts";
import { NOTHING_STORED } from "./chain-state.ts";
import type { Ingest } from "./ingest.ts";
import { makeBlock, signBlock } from "./make-block.ts";
import type { CheckOutcome, Mempool } from "./mempool.ts";
import type { Committed } from "./source.ts";
import type { LocalValidator } from "./validators.ts";

export type SoloOptions = {
  readonly store: Store;
  readonly ingest: Ingest;
  readonly keys: readonly LocalValidator[];
  /** What the genesis puts into the state; called once, before the first block. */
  readonly genesisChanges: () => Promise<readonly Change[]>;
  readonly executeBlock: ExecuteBlock;
  readonly mempool: Pick<Mempool<CheckOutcome>, "reap" | "settle" | "onWaiting">;
  /** From the begin of one block to the begin of the next, when no transaction waits. */
  readonly blockTimeMs: number;
  /** When off, there is no block without a transaction, but for the first one. */
  readonly emptyBlocks: boolean;
  /** When on, there is no block that was not asked for, but for the first one. */
  readonly manual: boolean;
  readonly now?: () => Time;
  /** Called once, when a block could not be made or stored; no block is made after that. */
  readonly onFailure?: (error: Error) => void;
};

export type Solo = {
  /** Makes one block now, of what waits unless told otherwise. Blocks follow each other, however many are asked for. */
  produceBlock(txs?: readonly Bytes[]): Promise<bigint>;
  /** Waits for the block that is being made; none follows. */
  stop(): Promise<void>;
};

/** Makes the first block if there is none yet, and begins the heartbeat. */
export async function startSolo(options: SoloOptions): Promise<Solo> {
  const chain = new SoloChain(options);
  await chain.resume();
  if (!options.manual) chain.runByItself();
  return chain;
}

class SoloChain implements Solo {
  readonly #options: SoloOptions;
  readonly #now: () => Time;
  /** What made the newest block final; it becomes part of the next one. */
  #lastCommit: Commit | null = null;
  /** The end of the block that was asked for last. */
  #queue: Promise<unknown> = Promise.resolve();
  /** A block for what waits is asked for, and has not begun. */
  #asked = false;
  /** Null while no heartbeat is wanted. */
  #heartbeatMs: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  #failure: Error | null = null;

  constructor(options: SoloOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => timeFromMillis(Date.now()));
  }

  async resume(): Promise<void> {
    const { store } = this.#options;
    const head = store.head();
    if (head === null) await this.produceBlock();
    else this.#lastCommit = (await readCommitted(store.at(head), head)).commit;
  }

  runByItself(): void {
    const { mempool, emptyBlocks, blockTimeMs } = this.#options;
    mempool.onWaiting(() => this.#askForBlock());
    if (!emptyBlocks) return;
    this.#heartbeatMs = blockTimeMs;
    this.#scheduleAfter(performance.now());
  }

  produceBlock(txs?: readonly Bytes[]): Promise<bigint> {
    return this.#enqueue(txs, null);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#queue;
  }

  /**
   * `due`: when the block should have begun, for one that was made by the clock. Between two blocks the event loop
   * turns, however many wait: readers come before the next one.
   */
  #enqueue(txs: readonly Bytes[] | undefined, due: number | null): Promise<bigint> {
    const block = this.#queue.then(turnEventLoop).then(() => this.#produce(txs, due ?? performance.now()));
    this.#queue = block.catch(() => {});
    return block;
  }

  /** However many transactions come while a block is being made, one block follows it. */
  #askForBlock(): void {
    if (this.#asked || this.#stopped) return;
    this.#asked = true;
    this.#enqueue(undefined, null).catch(() => {});
  }

  /** A block that took too long is followed at once, but never by two. */
  #scheduleAfter(begin: number): void {
    if (this.#heartbeatMs === null || this.#stopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const due = Math.max(begin + this.#heartbeatMs, performance.now());
    const wait = Math.max(0, due - performance.now());
    this.#timer = setTimeout(() => this.#enqueue(undefined, due).catch(() => {}), wait);
  }

  async #produce(given: readonly Bytes[] | undefined, begin: number): Promise<bigint> {
    if (this.#failure !== null) throw new Error("the chain has stopped", { cause: this.#failure });
    if (this.#stopped) throw new Error("the chain is closed");
    const { ingest, mempool } = this.#options;
    try {
      const txs = given ?? this.#takeWaiting();
      const committed = await this.#next(txs);
      await mempool.settle(() => ingest.commit([committed]), txs, committed.results.results);
      this.#lastCommit = committed.commit;
      this.#scheduleAfter(begin);
      return committed.height;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#options.onFailure?.(this.#failure);
      throw this.#failure;
    }
  }

  #takeWaiting(): Bytes[] {
    this.#asked = false;
    const { params, validators } = this.#options.ingest.state();
    return this.#options.mempool.reap(roomForTxs(params, validators.validators.length), params.block.maxGas);
  }

  async #next(txs: readonly Bytes[]): Promise<Committed> {
    const { store, ingest, keys, executeBlock, genesisChanges } = this.#options;
    const state = ingest.state();
    const made = makeBlock(state, this.#lastCommit, txs);
    const block = blockCodec.encode(made);
    const blockId = blockIdOf(made, block);
    const head = store.head();
    const branch = createBranch(head === null ? NOTHING_STORED : store.at(head));
    // The genesis has no commit of its own: its state becomes readable with the first block.
    if (head === null) branch.apply(await genesisChanges());
    const results = await executeBlock(branch, made.header, txs);
    return {
      height: made.header.height,
      block,
      blockId,
      commit: signBlock(state, made.header, blockId, keys, this.#now),
      results,
      validators: state.validators,
      consensusParams: state.params,
      changes: branch.changes(),
    };
  }
}
