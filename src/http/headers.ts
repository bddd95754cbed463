// The headers of every answer: where and when it was read, and what a browser may see of it.

import type { KeptRange } from "../api/operations.ts";

export const HEIGHT = "x-cosmos-block-height";
export const HEIGHT_PRIMARY = "x-core-block-height";
export const TIME = "x-cosmos-block-time";
export const MIN_HEIGHT = "x-min-height";
export const MIN_HEIGHT_WAIT = "x-min-height-wait";

export const COMMON_HEADERS = {
  "content-type": "application/json",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": `${HEIGHT}, ${HEIGHT_PRIMARY}, x-chain-id, x-earliest-height, x-latest-height, etag, retry-after, x-request-id, server-timing`,
  "x-content-type-options": "nosniff",
};

/** The answers to a preflight: reads are open to every page, with the headers that pick a height. */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
  "access-control-allow-headers": `content-type, ${HEIGHT}, ${HEIGHT_PRIMARY}, ${TIME}, ${MIN_HEIGHT}, ${MIN_HEIGHT_WAIT}, if-none-match, cache-control, x-request-id`,
  "access-control-max-age": "86400",
};

/** What chooses among the answers of one address. */
export const VARY = `accept-encoding, ${HEIGHT}, ${HEIGHT_PRIMARY}, ${TIME}`;

/** An answer that will never be another, and one that has to be asked for again. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
export const REVALIDATED = "no-cache";

/**
 * Made once for all answers of the same height and range: a Response copies them in half the time of a plain object.
 * `isFixed`: the answer is one of a height that was asked for, which never changes.
 */
export function answerHeaders(height: bigint, range: KeptRange, isFixed = false): Headers {
  const made = isFixed ? latestFixed : latest;
  if (made !== null && isSame(made, height, range)) return made.headers;
  const text = String(height);
  const headers = new Headers({
    ...COMMON_HEADERS,
    [HEIGHT]: text,
    [HEIGHT_PRIMARY]: text,
    ...rangeHeaders(range),
    "cache-control": isFixed ? IMMUTABLE : REVALIDATED,
    vary: VARY,
  });
  if (isFixed) latestFixed = { height, range, headers };
  else latest = { height, range, headers };
  return headers;
}

type Made = { readonly height: bigint; readonly range: KeptRange; readonly headers: Headers };

let latest: Made | null = null;
let latestFixed: Made | null = null;

function isSame(made: Made, height: bigint, { chainId, earliest, latest }: KeptRange): boolean {
  const { range } = made;
  return made.height === height && range.latest === latest && range.earliest === earliest && range.chainId === chainId;
}

export function errorHeaders(range: KeptRange | null): Record<string, string> {
  return { ...COMMON_HEADERS, "cache-control": "no-store", ...(range === null ? {} : rangeHeaders(range)) };
}

function rangeHeaders(range: KeptRange): Record<string, string> {
  return {
    "x-chain-id": range.chainId,
    "x-earliest-height": String(range.earliest),
    "x-latest-height": String(range.latest),
  };
}
