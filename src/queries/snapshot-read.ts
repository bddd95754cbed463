// Reads on a snapshot that may take longer than one turn of the event loop. Blocks come in between, and a node that
// keeps few heights may drop the snapshot's own.

import { type GiveWay, givingWay, inOneGo } from "../give-way.ts";
import { HeightNotKept, type Snapshot } from "../store/store.ts";

/** `open` gives the newest one: when its height is dropped under the read, the next one is read, in one go. */
export async function readNewest<T>(
  open: () => Snapshot,
  read: (view: Snapshot, giveWay: GiveWay) => Promise<T>,
): Promise<T> {
  try {
    return await readSnapshot(open(), (view) => read(view, givingWay()));
  } catch (error) {
    if (!(error instanceof HeightNotKept)) throw error;
    return readSnapshot(open(), (view) => read(view, inOneGo));
  }
}

export async function readSnapshot<T>(view: Snapshot, read: (view: Snapshot) => Promise<T>): Promise<T> {
  try {
    return await read(view);
  } finally {
    view.close();
  }
}
