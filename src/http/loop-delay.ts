// How late the event loop is: the sign of overload in a process with one thread. One long step is not overload, so the
// median of the last second and a half counts.

const EVERY_MS = 250;
const SAMPLES = 6;

export type LoopDelay = {
  /** In milliseconds. */
  readonly median: number;
  stop(): void;
};

export function watchLoopDelay(): LoopDelay {
  const samples: number[] = [];
  let median = 0;
  let expected = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    samples.push(Math.max(0, now - expected));
    if (samples.length > SAMPLES) samples.shift();
    median = medianOf(samples);
    expected = now + EVERY_MS;
  }, EVERY_MS);
  // Looking at the clock must not keep a process alive that has nothing else to do.
  (timer as { unref?: () => void }).unref?.();
  return {
    get median() {
      return median;
    },
    stop: () => clearInterval(timer),
  };
}

/** Of fewer samples than a full window: zero, because a start is slow by nature. */
export function medianOf(samples: readonly number[]): number {
  if (samples.length < SAMPLES) return 0;
  return samples.toSorted((a, b) => a - b)[Math.floor((SAMPLES - 1) / 2)] as number;
}
