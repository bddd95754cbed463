// Whether the node lives and whether it should be sent requests: each check by itself, so that an operator sees which
// one fails. A node that is behind still answers; the limits say from when on others should answer in its place.

import { ApiError, CODE, errorBody, invalid } from "../api/errors.ts";
import { COMMON_HEADERS } from "./headers.ts";
import { refuse } from "./refusal.ts";

export type HealthSource = {
  /** True from the moment the node was asked to end. */
  readonly stopping: () => boolean;
  /** The newest block, or null before the first; throws when the store cannot be read. */
  readonly head: () => Promise<{ readonly height: bigint; readonly time: Date } | null>;
  /** Why the chain has stopped, or null while it goes on. */
  readonly failure: () => Error | null;
  /** How many blocks the node is behind whom it follows; null where it follows nobody. */
  readonly lag: () => bigint | null;
};

/** Null for no limit. */
export type ReadyLimits = { readonly maxAgeSeconds: number | null; readonly maxLag: number | null };

export type Health = {
  live(): Response;
  ready(request: Request): Promise<Response>;
};

type Check = { readonly ok: boolean; readonly [detail: string]: string | number | boolean | null };
type Checks = Readonly<Record<string, Check>>;

export function createHealth(source: HealthSource, limits: ReadyLimits, now: () => number = Date.now): Health {
  return {
    live: () => jsonResponse(JSON.stringify({ status: "ok" }), 200),
    async ready(request) {
      try {
        const checks = await checksOf(source, askedLimits(request.url, limits), now());
        const failing = Object.keys(checks).filter((name) => checks[name]?.ok === false);
        if (failing.length === 0) return jsonResponse(JSON.stringify({ status: "ready", checks }), 200);
        const error = new ApiError(CODE.unavailable, `not ready: ${failing.join(", ")}`);
        const body = { ...JSON.parse(errorBody(error)), status: "not ready", checks };
        return jsonResponse(JSON.stringify(body), 503, { "retry-after": "1" });
      } catch (error) {
        if (error instanceof ApiError) return refuse(error, null);
        throw error;
      }
    },
  };
}

async function checksOf(source: HealthSource, limits: ReadyLimits, now: number): Promise<Checks> {
  const failure = source.failure();
  const own = {
    running: { ok: !source.stopping() },
    chain: failure === null ? { ok: true } : { ok: false, reason: "the chain has stopped" },
  };
  let head: Awaited<ReturnType<HealthSource["head"]>>;
  try {
    head = await source.head();
  } catch {
    return { ...own, storage: { ok: false, reason: "the newest block cannot be read" } };
  }
  if (head === null) return { ...own, storage: { ok: true }, first_block: { ok: false } };
  const age = Math.max(0, (now - head.time.getTime()) / 1000);
  const lag = source.lag();
  return {
    ...own,
    storage: { ok: true },
    first_block: { ok: true, height: String(head.height) },
    age: { ok: age <= (limits.maxAgeSeconds ?? Number.POSITIVE_INFINITY), seconds: age, limit: limits.maxAgeSeconds },
    lag: {
      ok: Number(lag ?? 0n) <= (limits.maxLag ?? Number.POSITIVE_INFINITY),
      blocks: lag === null ? null : Number(lag),
      limit: limits.maxLag,
    },
  };
}

/** `max_age` in seconds and `max_lag` in blocks, in place of what the node was started with. */
function askedLimits(url: string, limits: ReadyLimits): ReadyLimits {
  const query = new URL(url).searchParams;
  return {
    maxAgeSeconds: numberIn(query, "max_age") ?? limits.maxAgeSeconds,
    maxLag: numberIn(query, "max_lag") ?? limits.maxLag,
  };
}

function numberIn(query: URLSearchParams, name: string): number | null {
  const [text = null, ...more] = query.getAll(name);
  if (more.length > 0) throw invalid(name, "given more than once");
  if (text === null || text === "") return null;
  if (!/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) throw invalid(name, "not a number");
  return Number(text);
}

function jsonResponse(text: string, status: number, more: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { ...COMMON_HEADERS, "cache-control": "no-store", ...more } });
}
