// Places for requests that take time: so many at once, some more waiting for a place, and no longer than they may.

import { ApiError, CODE } from "../api/errors.ts";

export class Admission {
  readonly #places: number;
  readonly #queue: number;
  readonly #waitMs: number;
  readonly #isClosed: () => boolean;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  /** While `isClosed`, nobody gets a place and nobody waits for one. */
  constructor(places: number, queue: number, waitMs: number, isClosed: () => boolean = () => false) {
    this.#places = places;
    this.#queue = queue;
    this.#waitMs = waitMs;
    this.#isClosed = isClosed;
  }

  get taken(): number {
    return this.#taken;
  }

  /** True when there was a place at once, which `leave` must give back. */
  take(): boolean {
    if (this.#taken >= this.#places || this.#isClosed()) return false;
    this.#taken += 1;
    return true;
  }

  /** Resolves once there is a place, which `leave` must give back; throws a 503 when there is none in time. */
  async wait(): Promise<void> {
    if (this.#isClosed()) throw new ApiError(CODE.unavailable, "the node is overloaded");
    if (this.take()) return;
    if (this.#waiting.size >= this.#queue) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(admit);
        reject(tooMany());
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

function tooMany(): ApiError {
  return new ApiError(CODE.unavailable, "too many requests are under way");
}
