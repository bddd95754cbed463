// The headers of every answer: where and when it was read, and what a browser may see of it.

import { inFuture, invalid, notKept } from "../api/errors.ts";
import type { KeptRange } from "../api/operations.ts";
import { MAX_INT64, parseInteger } from "../api/request.ts";

const HEIGHT = "x-cosmos-block-height";
const HEIGHT_PRIMARY = "x-core-block-height";

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
  "access-control-allow-headers": `content-type, ${HEIGHT}, ${HEIGHT_PRIMARY}, x-request-id`,
  "access-control-max-age": "86400",
};

/** The height that the request asks for, or undefined for the newest. A refusal names the header that was used. */
export function requestedHeight(headers: Headers, keptRange: () => KeptRange | null): bigint | undefined {
  const cosmos = headers.get(HEIGHT);
  const core = headers.get(HEIGHT_PRIMARY);
  if (cosmos !== null && core !== null && cosmos !== core) throw invalid(HEIGHT, `differs from ${HEIGHT_PRIMARY}`);
  const given = cosmos ?? core;
  if (given === null) return undefined;
  const name = cosmos === null ? HEIGHT_PRIMARY : HEIGHT;
  const height = parseInteger(given, name, MAX_INT64);
  const range = keptRange();
  if (range !== null && height > range.latest) throw inFuture(name, range.earliest, range.latest);
  if (range !== null && height !== 0n && height < range.earliest) {
    throw notKept(name, height, range.earliest, range.latest);
  }
  return height;
}

/** Made once for all answers of the same height and range: a Response copies them in half the time of a plain object. */
export function answerHeaders(height: bigint, range: KeptRange): Headers {
  if (latest === null || !isSame(latest, height, range)) {
    const text = String(height);
    const headers = new Headers({ ...COMMON_HEADERS, [HEIGHT]: text, [HEIGHT_PRIMARY]: text, ...rangeHeaders(range) });
    latest = { height, range, headers };
  }
  return latest.headers;
}

type Made = { readonly height: bigint; readonly range: KeptRange; readonly headers: Headers };

let latest: Made | null = null;

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
