// Which height a request of the RPC door means: the reference's rules, and its sentences.

import { RpcRefusal } from "../api/rpc-queries.ts";
import type { GiveWay } from "../give-way.ts";
import { firstBlockHeight } from "../state/block.ts";
import type { Snapshot, Store } from "../store/store.ts";
import { readNewest } from "./snapshot-read.ts";

/** Runs `read` on the newest state, from which every stored block can be read. */
export function atHead<T>(store: Store, read: (view: Snapshot, giveWay: GiveWay) => Promise<T>): Promise<T> {
  return readNewest(() => {
    const head = store.head();
    if (head === null) throw new RpcRefusal("there is no block yet");
    return store.at(head);
  }, read);
}

/** `latest` is the newest height that the method knows: for some that is the one after the newest block. */
export async function chosenHeight(view: Snapshot, wanted: bigint | null, latest = view.height): Promise<bigint> {
  if (wanted === null) return latest;
  if (wanted <= 0n) throw new RpcRefusal(`height must be greater than 0, but got ${wanted}`);
  if (wanted > latest) {
    throw new RpcRefusal(`height ${wanted} must be less than or equal to the current blockchain height ${latest}`);
  }
  const lowest = await firstBlockHeight(view);
  if (wanted < lowest) throw new RpcRefusal(`height ${wanted} is not available, lowest height is ${lowest}`);
  return wanted;
}
