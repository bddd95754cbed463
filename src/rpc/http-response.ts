// What every answer over HTTP carries.

import type { ApiError } from "../api/errors.ts";
import type { Answer } from "./call.ts";
import { INTERNAL_ERROR } from "./errors.ts";

const DAY = "public, max-age=86400";

/** `cached`: an answer that will never be another. */
export function jsonResponse(body: Answer, status: number, cached = false): Response {
  return jsonTextResponse(JSON.stringify(body), status, cached);
}

export function jsonTextResponse(text: string, status: number, cached = false): Response {
  return new Response(text, {
    status,
    headers: {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "cache-control": cached ? DAY : "no-store",
      "x-content-type-options": "nosniff",
      "x-server-time": String(Math.floor(Date.now() / 1000)),
    },
  });
}

/** A refusal that has nothing to do with what was asked. */
export function refuseRpc(error: ApiError, more: Readonly<Record<string, string>>): Response {
  const answer = { jsonrpc: "2.0", error: { ...INTERNAL_ERROR, data: error.message } } as const;
  const response = jsonResponse(answer, error.status);
  for (const [name, value] of Object.entries(more)) response.headers.set(name, value);
  return response;
}

/** Pages of any origin may ask: there is nothing here that a session or a cookie would open. */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": "86400",
};
