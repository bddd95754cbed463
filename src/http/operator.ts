// What an operator sees and sets of a running node, in one place for all of its doors: numbers, probes, limits, and the
// moment from which the node is about to end.

import type { ApiError } from "../api/errors.ts";
import type { Log } from "../log.ts";
import { Admission } from "./admission.ts";
import { type Fetch, type GuardedFetch, guard } from "./guard.ts";
import { createHealth, type Health, type HealthSource, type ReadyLimits } from "./health.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { watchLoopDelay } from "./loop-delay.ts";
import { Meter } from "./metrics.ts";
import { type Places, placesOf } from "./places.ts";

export type OperatorOptions = {
  readonly limits?: Partial<Limits>;
  readonly ready?: Partial<ReadyLimits>;
  /** A line for every request; default false. */
  readonly accessLog?: boolean;
};

export type Operator = {
  readonly meter: Meter;
  readonly health: Health;
  readonly limits: Limits;
  readonly places: Places;
  /** How late the event loop is, in milliseconds. */
  loopDelayMs(): number;
  /** `refuse` makes a refusal in the shape of the door that listens on `host`. */
  guard(fetch: Fetch, host: string, refuse: Refuse): GuardedFetch;
  /** Not ready from now on; answers go on. */
  beginStop(): void;
  close(): void;
};

type Refuse = (error: ApiError, headers: Readonly<Record<string, string>>) => Response;

export function createOperator(
  { limits: asked, ready, accessLog = false }: OperatorOptions,
  source: Omit<HealthSource, "stopping">,
  log: Log,
): Operator {
  const limits = { ...DEFAULT_LIMITS, ...asked };
  const delay = watchLoopDelay();
  let stopping = false;
  return {
    meter: new Meter(),
    health: createHealth({ ...source, stopping: () => stopping }, { maxAgeSeconds: null, maxLag: null, ...ready }),
    limits,
    places: placesOf(limits, () => delay.median),
    loopDelayMs: () => delay.median,
    guard: (fetch, host, refuse) => {
      const admission = new Admission(limits.maxInFlight, limits.maxQueue, limits.queueWaitMs);
      return guard(fetch, { limits, host, delay, admission, refuse, log, accessLog });
    },
    beginStop: () => {
      stopping = true;
    },
    close: () => delay.stop(),
  };
}
