// A map that forgets what has not been used lately. Two generations: what is used while the younger one fills is carried
// over into it, and the rest goes with the older one. No entry pays for the order of all, as in a list by age.

/** How what is kept at hand is shared out: parts of one. */
export const SHARE_OF = { records: 0.1, seeks: 0.05, leaves: 0.2, texts: 0.25, items: 0.15, answers: 0.25 } as const;

let allBytes = 512 * 1024 * 1024;

/** For all maps of this process together; each has its share. */
export function limitKept(bytes: number): void {
  allBytes = bytes;
}

export class Generations<K, V> {
  readonly #share: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #size = 0;
  readonly #sizeOf: (key: K, value: V) => number;

  /** `sizeOf` is in bytes. Both generations together hold no more than the share of what all may keep. */
  constructor(share: number, sizeOf: (key: K, value: V) => number) {
    this.#share = share;
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
    const limit = (allBytes * this.#share) / 2;
    if (size > limit) return;
    this.#size += size;
    if (this.#size > limit) {
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
