// An error as an answer: the JSON body, the status, and the headers that let a page of any origin read it.

import { type ApiError, errorBody } from "../api/errors.ts";
import type { KeptRange } from "../api/operations.ts";
import { errorHeaders } from "./headers.ts";

export function refuse(
  error: ApiError,
  range: KeptRange | null,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(errorBody(error), { status: error.status, headers: { ...errorHeaders(range), ...more } });
}
