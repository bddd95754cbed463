// How much of a block is left for transactions once everything else in it has its largest possible size.

import type { ConsensusParams } from "../codec/consensus-params.ts";

// The reference's bounds, in bytes: the fields around the parts, the header, the commit, and each signature in it.
const AROUND = 11;
const HEADER = 626;
const COMMIT = 94;
const SIGNATURE = 109 + 2;

export function roomForTxs({ block }: ConsensusParams, validators: number): number {
  return Math.max(0, Number(block.maxBytes) - AROUND - HEADER - COMMIT - SIGNATURE * validators);
}
