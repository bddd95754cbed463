// The places of reads under way, in two classes: lists and searches have few, so that they never take all of the node
// from those who ask for one thing. They are also the first to be turned away when the node is late.
//
// With the embedded store a read is done within one turn of the event loop, unless it is long and gives way: only then
// are there two at once. Taking a place at once costs a comparison.

import { Admission } from "./admission.ts";
import type { Limits } from "./limits.ts";

export type Places = { readonly single: Admission; readonly scans: Admission };

export function placesOf(limits: Limits, loopDelayMs: () => number = () => 0): Places {
  const { maxReads, maxScans, maxQueue, queueWaitMs } = limits;
  const shedDelay = limits.shedDelayMs ?? Number.POSITIVE_INFINITY;
  return {
    single: new Admission(maxReads, maxQueue, queueWaitMs),
    scans: new Admission(maxScans, maxQueue, queueWaitMs, () => loopDelayMs() > shedDelay),
  };
}
