// Tells of new blocks where another process writes them: by looking at the head from time to time.

import type { NewBlock } from "../api/rpc-queries.ts";
import { getBlockOutcome } from "../state/block-outcome.ts";
import type { Store } from "../store/store.ts";
import { readBlock } from "./rpc-blocks.ts";

export type HeadWatch = {
  onBlock(listener: (block: NewBlock) => void): () => void;
  stop(): void;
};

/** After a long sleep only the newest are told of: events are a call to look, not a record. */
const MOST_AT_ONCE = 100n;

export function watchHead(store: Store, everyMs: number, onError: (error: unknown) => void): HeadWatch {
  const listeners = new Set<(block: NewBlock) => void>();
  let seen = store.head() ?? 0n;
  let busy = false;
  const look = async (): Promise<void> => {
    const head = store.head() ?? 0n;
    if (busy || head === seen) return;
    busy = true;
    try {
      for (const lost of [head - MOST_AT_ONCE, store.earliest()! - 1n]) if (seen < lost) seen = lost;
      for (; seen < head; seen++) announce(await read(store, seen + 1n));
    } finally {
      busy = false;
    }
  };
  const announce = (block: NewBlock) => {
    for (const listener of listeners) listener(block);
  };
  const timer = setInterval(() => look().catch(onError), everyMs);
  timer.unref();
  return {
    onBlock(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => clearInterval(timer),
  };
}

async function read(store: Store, height: bigint): Promise<NewBlock> {
  const view = store.at(store.head() ?? height);
  try {
    return { block: (await readBlock(view, height)).block, results: await getBlockOutcome(view, height) };
  } finally {
    view.close();
  }
}
