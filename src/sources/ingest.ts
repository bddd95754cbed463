// The only writer: checks a final block against the chain so far, adds what follows from it, and commits all of it or
// nothing.

import type { Block } from "../codec/block.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { ConsensusState } from "../codec/consensus-state.ts";
import { givingWay } from "../give-way.ts";
import { deriveAll } from "../state/derive.ts";
import type { Change, Store } from "../store/store.ts";
import { blockRecords, chainRecord } from "./block-records.ts";
import { type ChainGenesis, loadState, NOTHING_STORED } from "./chain-state.ts";
import { checkCommitted, stateAfter } from "./check-committed.ts";
import { forgetBlocks } from "./forget-blocks.ts";
import type { BlockNote, Committed, Source } from "./source.ts";

export type Ingest = {
  /** What the next block must follow. */
  state(): ConsensusState;
  /**
   * Stores one block, or a run of blocks whose states between are not known; then all of it becomes one commit at the
   * last height. Throws InvalidCommitted, and writes nothing, when a block may not follow.
   */
  commit(run: readonly Committed[]): Promise<void>;
};

export type IngestOptions = {
  readonly store: Store;
  readonly source: Source;
  readonly genesis: ChainGenesis;
  /** Called after each commit, with its newest block, which can be read by then. */
  readonly onHead: (block: BlockNote) => void;
};

export async function openIngest({ store, source, genesis, onHead }: IngestOptions): Promise<Ingest> {
  let state = await loadState(store, genesis);
  const giveWay = givingWay();
  return {
    state: () => state,
    async commit(run) {
      const last = run.at(-1);
      if (last === undefined) throw new Error("there is nothing to commit");
      if (run.length > 1 && source.appHashes === "own") {
        throw new Error("a chain with own app hashes is committed one block at a time: each needs the state before it");
      }
      const head = store.head();
      const reader = head === null ? NOTHING_STORED : store.at(head);
      const raw = run.flatMap(({ changes }) => changes);
      let next = state;
      let newest: Block | null = null;
      const records: Change[] = head === null ? [chainRecord(genesis, source)] : [];
      for (const committed of run) {
        const block = checkCommitted(next, committed, source);
        records.push(...blockRecords(committed, block));
        next = stateAfter(next, committed, block, NOT_DERIVED);
        newest = block;
      }
      // Nothing is written yet, and whoever commits waits: readers may have their turn.
      await giveWay();
      const derived = await deriveAll(reader, raw, last.height);
      const gone = head === null ? [] : await forgetBlocks(reader, last.height, store.keep);
      await giveWay();
      await store.commit(last.height, [...raw, ...derived.changes, ...gone, ...records]);
      state = { ...next, appHash: derived.appHash };
      onHead(noteOf(last, newest!));
    },
  };
}

/** Inside a run nobody knows the root between two blocks, and with foreign app hashes nobody asks for it. */
const NOT_DERIVED: Bytes = new Uint8Array(0);

function noteOf({ height, blockId, results }: Committed, block: Block): BlockNote {
  return { height, hash: blockId.hash, time: block.header.time, txs: results.results.length, block, results };
}
