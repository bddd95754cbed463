// For tests: a tree's nodes kept as the versioned store keeps them, every version readable.

import { type Bytes, toHex } from "../../src/codec/bytes.ts";
import { applyChanges, openTree, type SavedTree, type Tree } from "../../src/state/tree.ts";
import type { Change } from "../../src/store/store.ts";

export class NodeHistory {
  version = 0n;
  loads = 0;
  readonly roots: (Bytes | null)[] = [null];
  readonly #nodes = new Map<string, { record: Bytes; removedAt: bigint | null }>();

  /** How many nodes the newest version has. */
  get size(): number {
    return [...this.#nodes.values()].filter(({ removedAt }) => removedAt === null).length;
  }

  async load(ref: Bytes, version = this.version): Promise<Bytes | null> {
    this.loads++;
    const node = this.#nodes.get(toHex(ref));
    return node !== undefined && (node.removedAt === null || node.removedAt > version) ? node.record : null;
  }

  open(version = this.version): Promise<Tree> {
    return openTree((ref) => this.load(ref), this.roots[Number(version)]!);
  }

  async commit(changes: readonly Change[]): Promise<SavedTree> {
    const tree = await this.open();
    await applyChanges(tree, changes);
    return this.keep(tree.save(this.version + 1n));
  }

  /** Writes a saved tree; refuses a key that is used twice and a removal of nothing. */
  keep(saved: SavedTree): SavedTree {
    this.version++;
    for (const ref of saved.deletes) {
      const node = this.#nodes.get(toHex(ref));
      if (node === undefined || node.removedAt !== null) throw new Error(`node ${toHex(ref)} removed, but not there`);
      node.removedAt = this.version;
    }
    for (const [ref, record] of saved.writes) {
      if (this.#nodes.has(toHex(ref))) throw new Error(`node ${toHex(ref)} written twice`);
      this.#nodes.set(toHex(ref), { record, removedAt: null });
    }
    this.roots.push(saved.rootRef);
    return saved;
  }
}
