// A map that forgets what has not been used lately. Two generations: what is used while the younger one fills is carried
// over into it, and the rest goes with the older one. No entry pays for the order of all, as in a list by age.

export class Generations<K, V> {
  readonly #limit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #size = 0;
  readonly #sizeOf: (key: K, value: V) => number;

  /** Holds at most `limit`, of what `sizeOf` says. */
  constructor(limit: number, sizeOf: (key: K, value: V) => number) {
    this.#limit = limit / 2;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    const recent = this.#young.get(key);
    if (recent !== undefined) return recent;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    const size = this.#sizeOf(key, value);
    if (size > this.#limit) return;
    this.#size += size;
    if (this.#size > this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = size;
    }
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#size = 0;
  }
}
