// The tree nodes that commits touch again and again, kept in memory: a reference never names another node, so what was
// read once stays true at every height.

import type { Bytes } from "../codec/bytes.ts";
import { toHex } from "../codec/bytes.ts";
import type { LoadNode, SavedTree } from "./tree.ts";

export class NodeCache {
  readonly #limit: number;
  // A map keeps the order of insertion; a node that is used moves to its end, so the first is the longest unused.
  readonly #records = new Map<string, Bytes>();

  /** One cache for each store: two trees may give the same reference to different nodes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#records.size;
  }

  /** The same source, asked only for what is not in memory. */
  over(load: LoadNode): LoadNode {
    return async (ref) => {
      const name = toHex(ref);
      const known = this.#records.get(name);
      if (known !== undefined) this.#records.delete(name);
      const record = known ?? (await load(ref));
      if (record !== null) this.#put(name, record);
      return record;
    };
  }

  /** After the commit of a saved tree: its new nodes are the ones the next commit will read. */
  remember({ writes, deletes }: SavedTree): void {
    for (const ref of deletes) this.#records.delete(toHex(ref));
    // Later writes stand higher in the tree: when not all fit, these are the ones to keep.
    for (const [ref, record] of writes.slice(-this.#limit)) this.#put(toHex(ref), record);
  }

  #put(name: string, record: Bytes): void {
    this.#records.set(name, record);
    if (this.#records.size <= this.#limit) return;
    for (const oldest of this.#records.keys()) {
      this.#records.delete(oldest);
      return;
    }
  }
}
