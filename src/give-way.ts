// Long work in a process with one thread: between its steps the event loop must turn, or every reader waits for all of
// it. Promises that are settled do not turn it.

/** To be awaited between the steps of long work, where nothing half done can be seen. */
export type GiveWay = () => Promise<void>;

/** Short enough that a reader does not feel it, long enough that the turns cost little. */
export const SHARE_MS = 5;

/**
 * Turns the event loop when the work has had its share since it last did. `onTurn` is told then how many milliseconds
 * the work has taken by now, and may throw to end it.
 */
export function givingWay(shareMs = SHARE_MS, onTurn: (elapsedMs: number) => void = () => {}): GiveWay {
  const began = performance.now();
  let since = began;
  return async () => {
    if (performance.now() - since < shareMs) return;
    await turnEventLoop();
    since = performance.now();
    onTurn(since - began);
  };
}

/** For work that must not be interrupted. */
export const inOneGo: GiveWay = async () => {};

/** Whatever has come in by now is served before this resolves. */
export function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
