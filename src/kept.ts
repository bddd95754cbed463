// What is kept at hand: maps that forget what is not asked for, and hold no more than their share of what the whole
// process may keep, as far as sizes can be told: what the runtime takes for an object is estimated. Each entry has a second chance: it goes when it comes to be the oldest, unless it was asked for
// since it last was. So a use costs a mark, and not a place in an order of all.

/** How it is shared out: parts of one. */
export const SHARE_OF = { records: 0.1, seeks: 0.05, leaves: 0.25, texts: 0.25, nodes: 0.05, answers: 0.3 } as const;

let allBytes = 512 * 1024 * 1024;

/** For all maps of this process together; each has its share. */
export function limitKept(bytes: number): void {
  allBytes = bytes;
}

/** How many entries of a size a share has room for. */
export function roomFor(share: number, size: number): number {
  return Math.floor((allBytes * share) / size);
}

/** So many second chances are given for one newcomer: it must not wait until all have had theirs. */
const MOST_CHANCES = 64;

type Held<V> = { readonly value: V; readonly size: number; used: boolean };

export class Kept<K, V> {
  readonly #share: number;
  readonly #sizeOf: (key: K, value: V) => number;
  /** In the order of coming, or of the last second chance. */
  readonly #held = new Map<K, Held<V>>();
  #size = 0;

  /** `sizeOf` is in bytes. */
  constructor(share: number, sizeOf: (key: K, value: V) => number) {
    this.#share = share;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    held.used = true;
    return held.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const size = this.#sizeOf(key, value);
    const limit = allBytes * this.#share;
    if (size > limit) return;
    this.#held.set(key, { value, size, used: false });
    this.#size += size;
    while (this.#size > limit) this.#forgetOne();
  }

  delete(key: K): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    this.#size -= held.size;
  }

  clear(): void {
    this.#held.clear();
    this.#size = 0;
  }

  #forgetOne(): void {
    let chances = MOST_CHANCES;
    for (const [key, held] of this.#held) {
      this.#held.delete(key);
      if (!held.used || chances-- === 0) {
        this.#size -= held.size;
        return;
      }
      held.used = false;
      this.#held.set(key, held);
    }
  }
}
