// An error as an answer: the JSON body, the status, and the headers that let a page of any origin read it.

import { type ApiError, errorBody } from "../api/errors.ts";
import type { KeptRange } from "../api/operations.ts";
import { errorHeaders } from "./headers.ts";

/** 503 passes: when to come back is part of it. */
const RETRY_SECONDS = "1";

export function refuse(
  error: ApiError,
  range: KeptRange | null,
  more: Readonly<Record<string, string>> = {},
): Response {
  const retry = error.status === 503 ? { "retry-after": RETRY_SECONDS } : {};
  const headers = { ...errorHeaders(range), ...retry, ...more };
  return new Response(errorBody(error), { status: error.status, headers });
}
