// What stands before a door: limits, request ids, and a line in the log for what went wrong. It costs an answer that
// nothing is wrong with a few comparisons and one header look-up; what costs more happens only when it is called for.

import { ApiError, CODE } from "../api/errors.ts";
import type { Log } from "../log.ts";
import type { Admission } from "./admission.ts";
import { pathOf } from "./direct-routes.ts";
import type { Limits } from "./limits.ts";
import type { LoopDelay } from "./loop-delay.ts";
import { isLoopback, RateLimit } from "./rate-limit.ts";
import { requestIdFor } from "./request-id.ts";

export type Fetch = (request: Request) => Response | Promise<Response>;
/** The address that a connection comes from; null where the runtime does not know. */
export type AddressOf = (request: Request) => string | null;
export type GuardedFetch = (request: Request, addressOf: AddressOf) => Response | Promise<Response>;

export type GuardParts = {
  readonly limits: Limits;
  /** Where the door listens: on loopback nobody else can call. */
  readonly host: string;
  readonly delay: LoopDelay;
  readonly admission: Admission;
  /** A refusal in the shape of this door. */
  readonly refuse: (error: ApiError, headers: Readonly<Record<string, string>>) => Response;
  readonly log: Log;
  /** A line for every request, and an id and a time on every answer. */
  readonly accessLog: boolean;
};

/** What an overloaded or closing node must still say. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** With this many times the delay from which bodies are turned away, everything is. */
const SHED_ALL = 5;
const SLASH = 47;
/** Answers to what was not read to its end: what is left of it must not be taken for another request. */
const CUT_OFF: ReadonlySet<number> = new Set([408, 413, 414]);

export function guard(fetch: Fetch, parts: GuardParts): GuardedFetch {
  const { limits, log, accessLog, delay, refuse } = parts;
  const refusalFor = rules(parts);
  const shedDelay = limits.shedDelayMs ?? Number.POSITIVE_INFINITY;
  const answer = (request: Request, addressOf: AddressOf): Response | Promise<Response> => {
    if (request.url.length > limits.maxUrl) {
      return refuse(new ApiError(CODE.resourceExhausted, `url: longer than ${limits.maxUrl} characters`, 414), {});
    }
    if (refusalFor !== null || delay.median > shedDelay) {
      const refusal = refusalFor?.(request, addressOf) ?? overload(request, delay.median / shedDelay);
      if (refusal !== null) return refuse(refusal.error, { "retry-after": String(refusal.seconds) });
    }
    return request.method === "POST" ? admitted(fetch, request, parts) : fetch(request);
  };
  const finish = (request: Request, response: Response, began: number): Response => {
    const given = request.headers.get("x-request-id");
    if (given === null && response.status < 400 && !accessLog) return response;
    const id = requestIdFor(given);
    const milliseconds = performance.now() - began;
    response.headers.set("x-request-id", id);
    if (CUT_OFF.has(response.status)) response.headers.set("connection", "close");
    response.headers.set("server-timing", `total;dur=${milliseconds.toFixed(3)}`);
    const fields = () => ({ id, method: request.method, path: pathOf(request.url), status: response.status });
    if (response.status >= 500 && response.status !== 501 && response.status !== 503) log.error("failed", fields());
    else if (accessLog) log.info("request", { ...fields(), ms: Number(milliseconds.toFixed(3)) });
    return response;
  };
  return (received, addressOf) => {
    const began = performance.now();
    const request = received.url.charCodeAt(0) === SLASH ? withHost(received) : received;
    const response = answer(request, addressOf);
    if (!(response instanceof Promise)) return finish(request, response, began);
    return response.then((settled) => finish(request, settled, began));
  };
}

type Refusal = { readonly error: ApiError; readonly seconds: number };
type Rule = (request: Request, addressOf: AddressOf) => Refusal | null;

/** Null where no client can be told from another: then none is looked at. */
function rules({ limits, host }: GuardParts): Rule | null {
  const { rate, rateBurst, clientAddressHeader: header } = limits;
  if (rate === null || (isLoopback(host) && header === null)) return null;
  const buckets = new RateLimit(rate, rateBurst);
  return (request, addressOf) => {
    const address = (header === null ? null : request.headers.get(header)) ?? addressOf(request);
    if (address === null || isLoopback(address) || PROBES.has(pathOf(request.url))) return null;
    const seconds = buckets.secondsToWait(address);
    if (seconds === null) return null;
    return { error: new ApiError(CODE.resourceExhausted, "too many requests from this address"), seconds };
  };
}

/** Simulations first: one costs as much as many reads. */
function overload(request: Request, load: number): Refusal | null {
  if (!(load > 1) || PROBES.has(pathOf(request.url))) return null;
  if (load <= SHED_ALL && request.method !== "POST") return null;
  return { error: new ApiError(CODE.unavailable, "the node is overloaded"), seconds: load > SHED_ALL ? 5 : 2 };
}

async function admitted(fetch: Fetch, request: Request, { admission, refuse }: GuardParts): Promise<Response> {
  try {
    if (!admission.take()) await admission.wait();
  } catch (error) {
    return refuse(error as ApiError, { "retry-after": "1" });
  }
  try {
    return await fetch(request);
  } finally {
    admission.leave();
  }
}

/** A request of HTTP/1.0, or one with a host that is none, has a path in the place of its URL. */
function withHost(request: Request): Request {
  return new Request(`http://localhost${request.url}`, request);
}
