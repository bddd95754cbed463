// The endpoints of a client and what is known of them: who rests after a failure, which chain they serve, and the
// highest height that any of them has answered at.

import type { OrreryError } from "./error.ts";

export type Endpoint = {
  readonly url: string;
  /** On the clock of Date.now(). */
  restsUntil: number;
  /** Why it rests. */
  reason: OrreryError | null;
  /** Whether the rest is the endpoint's own wish (Retry-After) or our guess; only a guess may be cut short. */
  wished: boolean;
  /** Failures since its last answer. */
  failures: number;
};

/** Shared by a client and the clients that it pins to heights. */
export type Endpoints = {
  /** In the order of preference. */
  readonly list: readonly Endpoint[];
  /** The highest height of any answer; null before the first. */
  highest: bigint | null;
  /** Of the first answer; null before it. */
  chainId: string | null;
};

const FIRST_REST_MS = 250;
const LONGEST_REST_MS = 5000;

/** Throws a TypeError for anything that is not an absolute HTTP address. */
export function endpointsOf(given: string | readonly string[]): Endpoints {
  const urls = [given].flat().map((text) => {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`not an HTTP address: ${text}`);
    return (url.origin + url.pathname).replace(/\/+$/, "");
  });
  if (urls.length === 0) throw new TypeError("a client needs at least one endpoint");
  const list = urls.map((url) => ({ url, restsUntil: 0, reason: null, wished: false, failures: 0 }));
  return { list, highest: null, chainId: null };
}

/** The first that does not rest, else the one whose rest ends first; undefined when all are excluded. */
export function choose({ list }: Endpoints, excluded: ReadonlySet<Endpoint>): Endpoint | undefined {
  const now = Date.now();
  const wait = (endpoint: Endpoint) => Math.max(0, endpoint.restsUntil - now);
  return list.filter((endpoint) => !excluded.has(endpoint)).toSorted((a, b) => wait(a) - wait(b))[0];
}

/** After a failure: as long as the endpoint wishes, else longer from failure to failure, and never in step with others. */
export function restAfterFailure(endpoint: Endpoint, reason: OrreryError): void {
  const guess = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** endpoint.failures) * (0.5 + Math.random() / 2);
  endpoint.failures++;
  rest(endpoint, reason, reason.retryAfterMs ?? guess, reason.retryAfterMs !== null);
}

export function rest(endpoint: Endpoint, reason: OrreryError, milliseconds: number, wished = false): void {
  endpoint.restsUntil = Date.now() + milliseconds;
  endpoint.reason = reason;
  endpoint.wished = wished;
}
