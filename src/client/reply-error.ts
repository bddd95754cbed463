// Replies that are no answer, as errors.

import { ERROR_CODE, type ErrorDetail, OrreryError } from "./error.ts";
import type { Operation } from "./operations.ts";
import { HEIGHT_HEADER, type Reply } from "./send.ts";

/** Too many requests, or not now: the same request may succeed later, or elsewhere. */
export function isBusy({ status }: Reply): boolean {
  return status === 429 || status === 503;
}

/** The error that the reply spells; where a proxy answered instead of a node, the status has to do. */
export function errorOf(reply: Reply, operation: Operation): OrreryError {
  const { status, endpoint, retryAfterMs } = reply;
  const { code, message, details } = bodyOf(reply.text);
  if (typeof code !== "number" || typeof message !== "string") {
    return new OrreryError(`${endpoint} answered with status ${status}`, {
      code: CODES[status] ?? ERROR_CODE.unknown,
      status,
      endpoint,
      retryAfterMs,
    });
  }
  return new OrreryError(message, {
    code,
    status,
    details: Array.isArray(details) ? (details as ErrorDetail[]) : [],
    parameter: parameterIn(message, operation),
    endpoint,
    retryAfterMs,
  });
}

/** A reply that must not be used, whatever it holds. */
export function unusable({ endpoint }: Reply, reason: string, code: number = ERROR_CODE.internal): OrreryError {
  return new OrreryError(`${endpoint} ${reason}`, { code, endpoint });
}

const CODES: { readonly [status: number]: number } = {
  400: ERROR_CODE.invalidArgument,
  404: ERROR_CODE.notFound,
  410: ERROR_CODE.outOfRange,
  429: ERROR_CODE.resourceExhausted,
  501: ERROR_CODE.unimplemented,
  503: ERROR_CODE.unavailable,
};

function bodyOf(text: string): { readonly code?: unknown; readonly message?: unknown; readonly details?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** "address: …": a word before a colon counts only when it is a parameter of this operation. */
function parameterIn(message: string, { query, body }: Operation): string | null {
  const name = message.slice(0, Math.max(0, message.indexOf(": ")));
  return [...query, ...body, "body", HEIGHT_HEADER].includes(name) ? name : null;
}
