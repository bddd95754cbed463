// Waiting for a height that is said to come: for a caller who has seen it elsewhere, such as where a transaction was
// sent. One timer serves all who wait, and none runs while nobody does.

type Waiting = { readonly height: bigint; reached(): void };

const LOOK_EVERY_MS = 20;
/** More than this many are not waited for: they are told to come back. */
const MOST_WAITING = 1024;

export class HeightWait {
  readonly #head: () => bigint | null;
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(head: () => bigint | null) {
    this.#head = head;
  }

  /** False when the height has not come in time, or the caller has gone. */
  async until(height: bigint, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (this.#isReached(height)) return true;
    if (milliseconds === 0 || signal.aborted || this.#waiting.size >= MOST_WAITING) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { height, reached: () => resolve(true) };
    const giveUp = () => resolve(false);
    const deadline = setTimeout(giveUp, milliseconds);
    signal.addEventListener("abort", giveUp);
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener("abort", giveUp);
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  #look(): void {
    for (const waiting of this.#waiting) if (this.#isReached(waiting.height)) waiting.reached();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #isReached(height: bigint): boolean {
    return (this.#head() ?? 0n) >= height;
  }
}
