// Places for requests that take time: so many at once, some more waiting for a place, and no longer than they may.

export class Admission {
  readonly #places: number;
  readonly #queue: number;
  readonly #waitMs: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(places: number, queue: number, waitMs: number) {
    this.#places = places;
    this.#queue = queue;
    this.#waitMs = waitMs;
  }

  get taken(): number {
    return this.#taken;
  }

  /** True once there is a place, which `leave` must give back; false when there is none in time. */
  async enter(): Promise<boolean> {
    if (this.#taken < this.#places) {
      this.#taken += 1;
      return true;
    }
    if (this.#waiting.size >= this.#queue) return false;
    return await new Promise((resolve) => {
      const admit = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(admit);
        resolve(false);
      }, this.#waitMs);
      this.#waiting.add(admit);
    });
  }

  /** The place goes to the one that has waited longest. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
