// The height that the chain was at, at a moment: the newest block whose time is not after it.

import { ApiError, CODE, invalid, notFound, notKept } from "../api/errors.ts";
import type { HeightAtTime } from "../api/operations.ts";
import { compareTimes, formatTime, type Time } from "../codec/time.ts";
import { firstBlockHeight, getBlockMeta, getChainInfo } from "../state/block.ts";
import type { Snapshot, Store } from "../store/store.ts";

export function createHeightAtTime(store: Store): HeightAtTime {
  return async (time, name) => {
    const [earliest, head] = [store.earliest(), store.head()];
    if (earliest === null || head === null) throw new ApiError(CODE.unavailable, "there is no block yet");
    const view = store.at(head);
    try {
      const first = await firstBlockHeight(view);
      const [oldest, newest] = [await timeOf(view, first), await timeOf(view, head)];
      const ends = `the blocks here are from ${text(oldest)} (height ${first}) to ${text(newest)} (height ${head})`;
      // The next block may yet get a time before it, so what the newest height at that moment will be is open.
      if (compareTimes(time, newest) > 0) throw invalid(name, `is after the newest block; ${ends}`);
      if (compareTimes(time, oldest) < 0) {
        const initial = (await getChainInfo(view))?.initialHeight ?? 1n;
        if (first <= initial) throw notFound(`${name}: is before the first block; ${ends}`);
        throw new ApiError(CODE.outOfRange, `${name}: the block of that time is not kept any more; ${ends}`);
      }
      const height = await newestAt(view, time, first, head);
      if (height < earliest) throw notKept(name, height, earliest, head);
      return height;
    } finally {
      view.close();
    }
  };
}

/** Times grow from block to block, so halving finds it. The block at `low` is not after the time. */
async function newestAt(view: Snapshot, time: Time, first: bigint, head: bigint): Promise<bigint> {
  let [low, high] = [first, head];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (compareTimes(await timeOf(view, middle), time) <= 0) low = middle;
    else high = middle - 1n;
  }
  return low;
}

async function timeOf(view: Snapshot, height: bigint): Promise<Time> {
  return (await getBlockMeta(view, height)).time;
}

function text(time: Time): string {
  return formatTime(time, "minimal");
}
