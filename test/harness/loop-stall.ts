// How long work keeps the event loop from turning: what every reader would have to wait.

export type Stall = {
  /** The longest time between two turns, in milliseconds. */
  readonly longest: number;
  readonly total: number;
};

const LOOK_MS = 2;

export async function stallDuring(work: () => Promise<unknown>): Promise<Stall> {
  const begin = performance.now();
  let last = begin;
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - LOOK_MS);
    last = now;
  };
  const timer = setInterval(look, LOOK_MS);
  await work();
  // The turn after the work belongs to it: a stall up to its very end would not be seen otherwise.
  await Bun.sleep(LOOK_MS);
  look();
  clearInterval(timer);
  return { longest, total: performance.now() - begin };
}
