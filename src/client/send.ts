// One request to one endpoint, and its reply with what the headers say.

import { ERROR_CODE, OrreryError } from "./error.ts";
import type { PreparedRequest } from "./request.ts";

export const HEIGHT_HEADER = "x-cosmos-block-height";

/** The part of the fetch function that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type SendOptions = {
  readonly fetch: Fetch;
  readonly headers: Readonly<Record<string, string>>;
  /** The height to read at; the newest when undefined. */
  readonly pin: bigint | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

export type Reply = {
  readonly endpoint: string;
  readonly status: number;
  readonly text: string;
  /** The height that an answer was read at; errors have none. */
  readonly height: bigint | null;
  /** The endpoint's newest height. */
  readonly latest: bigint | null;
  readonly chainId: string | null;
  readonly retryAfterMs: number | null;
};

/** Throws what the caller's signal says when it ends the call, and an OrreryError without status when nobody answers. */
export async function send(endpoint: string, request: PreparedRequest, options: SendOptions): Promise<Reply> {
  const { signal, timeoutMs, pin } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await options.fetch(endpoint + request.path, {
      method: request.body === null ? "GET" : "POST",
      headers: {
        ...options.headers,
        ...(request.body === null ? {} : { "content-type": "application/json" }),
        ...(pin === undefined ? {} : { [HEIGHT_HEADER]: String(pin) }),
      },
      body: request.body,
      // A browser may keep the block of a height for good, but with it the newest height of that time, which is used here.
      cache: pin === undefined ? "no-cache" : "default",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return replyOf(endpoint, response, await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted) {
      const facts = { code: ERROR_CODE.deadlineExceeded, endpoint, cause };
      throw new OrreryError(`${endpoint} did not answer within ${timeoutMs} ms`, facts);
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OrreryError(`${endpoint} cannot be reached: ${reason}`, {
      code: ERROR_CODE.unavailable,
      endpoint,
      cause,
    });
  }
}

function replyOf(endpoint: string, { status, headers }: Response, text: string): Reply {
  return {
    endpoint,
    status,
    text,
    height: integer(headers.get(HEIGHT_HEADER)),
    latest: integer(headers.get("x-latest-height")),
    chainId: headers.get("x-chain-id"),
    retryAfterMs: retryAfter(headers.get("retry-after")),
  };
}

function integer(text: string | null): bigint | null {
  return text !== null && /^\d+$/.test(text) ? BigInt(text) : null;
}

/** Seconds or a date. */
function retryAfter(text: string | null): number | null {
  if (text === null) return null;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}
