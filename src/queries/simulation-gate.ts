// The gate before simulations: one costs as much as very many reads, and all of them share one thread. One is under way
// at a time, some more wait for their turn, and the rest is told at once to come again.

import { ApiError, CODE } from "../api/errors.ts";
import { type GiveWay, turnEventLoop } from "../give-way.ts";

export type GateLimits = {
  readonly atOnce: number;
  readonly waiting: number;
  /** How long one may wait for its turn. */
  readonly waitMs: number;
};

/** One: whoever reads meanwhile waits, at each turn of the event loop, for a share of every one that is under way. */
const SIMULATIONS: GateLimits = { atOnce: 1, waiting: 16, waitMs: 2000 };
/** With the time in which it gives way to others: what takes longer is the node's load more than the caller's mistake. */
const LONGEST_MS = 2000;

/** Runs what is given to it, in the order of coming and few at once; throws a 503 for what finds no turn in time. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

export function createSimulationGate({ atOnce, waiting, waitMs }: GateLimits = SIMULATIONS): Gate {
  const queue = new Set<() => void>();
  let underWay = 0;

  const turn = (): Promise<void> => {
    if (queue.size >= waiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(begin);
        reject(tooMany());
      }, waitMs);
      queue.add(begin);
    });
  };

  /** The place goes to whoever has waited longest, and is free only where nobody waits. */
  const passOn = () => {
    const [next] = queue;
    if (next === undefined) {
      underWay -= 1;
      return;
    }
    queue.delete(next);
    next();
  };

  return async (run) => {
    if (underWay < atOnce) underWay += 1;
    else {
      await turn();
      // What the one before made is still to be sent: readers come between.
      await turnEventLoop();
    }
    try {
      return await run();
    } finally {
      passOn();
    }
  };
}

/** Gives way as before, and throws a 503 once the simulation has had its time. */
export function withinTime(giveWay: GiveWay, longestMs = LONGEST_MS): GiveWay {
  const end = performance.now() + longestMs;
  return async () => {
    await giveWay();
    if (performance.now() > end) {
      throw new ApiError(
        CODE.unavailable,
        `the simulation was not done within ${longestMs} ms; please try again later`,
      );
    }
  };
}

function tooMany(): ApiError {
  return new ApiError(CODE.unavailable, "too many simulations are under way; please try again later");
}
