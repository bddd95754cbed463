// Blocks go as the states of their heights do, so that a node which keeps N heights needs bounded storage. A removal is a
// change like any other: at an old height that is still kept, the blocks of its own time can be read.

import { firstBlockHeight } from "../state/block.ts";
import type { Change, Reader, Retention } from "../store/store.ts";
import { withoutBlock } from "./block-records.ts";

/** A chain that shall keep less than it has is shortened over many commits: none of them may take long. */
const MOST_PER_COMMIT = 20n;

/** The next block is made from the last one and from the validator updates of the one before it. */
const FEWEST_BLOCKS = 2n;

/** What the commit at `height` removes. `reader` shows the state before it. */
export async function forgetBlocks(reader: Reader, height: bigint, keep: Retention): Promise<Change[]> {
  if (keep === "all") return [];
  const kept = BigInt(keep) > FEWEST_BLOCKS ? BigInt(keep) : FEWEST_BLOCKS;
  const first = await firstBlockHeight(reader);
  const changes: Change[] = [];
  for (let old = first; old <= height - kept && old < first + MOST_PER_COMMIT; old++) {
    changes.push(...(await withoutBlock(reader, old)));
  }
  return changes;
}
