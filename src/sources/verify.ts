// Checks all that a home holds: every record, everything that is derived from others, and the chain of blocks.

import { openSqliteStore } from "../store/sqlite.ts";
import { verifySqliteStore } from "../store/sqlite-verify.ts";
import { HeightNotKept, type Store } from "../store/store.ts";
import { homeFile } from "./home.ts";
import { storedChain } from "./home-chain.ts";
import { verifyBlocks } from "./verify-blocks.ts";
import { verifyIndex } from "./verify-index.ts";
import { verifyNames } from "./verify-names.ts";
import { verifyAccountNumbers, verifyLists, verifySupply } from "./verify-state.ts";
import { verifyTrees } from "./verify-tree.ts";
import type { Findings } from "./verify-walk.ts";

export type VerifyOptions = {
  readonly home: string;
  /** What is being looked at, in a few words; called often. */
  readonly onProgress?: (step: string) => void;
};

/** Besides the newest and the oldest height, this many between them are checked in full. */
const SAMPLED_HEIGHTS = 6n;
/** Enough to see what has happened. */
const MOST_FINDINGS = 100;

/** One sentence for each thing that is wrong; none for a healthy home. Nothing is changed, and a writer may go on. */
export async function verifyHome({ home, onProgress = () => {} }: VerifyOptions): Promise<string[]> {
  onProgress("records");
  const path = homeFile(home, "store");
  const findings = [...verifySqliteStore(path).problems];
  try {
    const store = openSqliteStore({ path, readonly: true });
    try {
      for await (const finding of verifyChain(home, store, onProgress)) {
        if (findings.push(finding) >= MOST_FINDINGS) break;
      }
    } finally {
      await store.close();
    }
  } catch (error) {
    findings.push(error instanceof Error ? error.message : String(error));
  }
  return findings;
}

/** Everything above the records themselves. */
export async function* verifyChain(home: string, store: Store, onProgress: (step: string) => void): Findings {
  const info = await storedChain(home, store);
  const head = store.head()!;
  yield* guarded(
    "blocks",
    verifyBlocks(store, info, head, (height) => onProgress(`block ${height} of ${head}`)),
  );
  for (const height of heightsToCheck(store.earliest()!, head)) {
    onProgress(`state of height ${height}`);
    if (height < store.earliest()!) continue;
    const view = store.at(height);
    yield* guarded(`lists of height ${height}`, verifyLists(view));
    yield* guarded(`trees of height ${height}`, verifyTrees(view, height, height === head));
    yield* guarded(`index of height ${height}`, verifyIndex(view));
    yield* guarded(`names of height ${height}`, verifyNames(view));
    yield* guarded(`supply of height ${height}`, verifySupply(view));
    yield* guarded(`account numbers of height ${height}`, verifyAccountNumbers(view));
  }
}

/** A record that cannot be read ends its own check, and no other. A height may cease to be kept while it is checked. */
async function* guarded(name: string, findings: Findings): Findings {
  try {
    yield* findings;
  } catch (error) {
    if (error instanceof HeightNotKept) return;
    yield `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function heightsToCheck(earliest: bigint, head: bigint): bigint[] {
  const between = Array.from({ length: Number(SAMPLED_HEIGHTS) }, (_, i) => {
    return earliest + ((head - earliest) * BigInt(i + 1)) / (SAMPLED_HEIGHTS + 1n);
  });
  return [...new Set([head, ...between.reverse(), earliest])];
}
