// The newest block, for those who only want to know how far the chain is.

import type { Store } from "../store/store.ts";
import { readBlock } from "./rpc-blocks.ts";

/** Null before the first block. */
export async function readHead(store: Store): Promise<{ readonly height: bigint; readonly time: Date } | null> {
  const height = store.head();
  if (height === null) return null;
  const view = store.at(height);
  try {
    const { block } = await readBlock(view, height);
    const { seconds, nanos } = block.header.time;
    return { height, time: new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6)) };
  } finally {
    view.close();
  }
}
