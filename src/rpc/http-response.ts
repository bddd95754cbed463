// What every answer over HTTP carries.

import type { Answer } from "./call.ts";

const DAY = "public, max-age=86400";

/** `cached`: an answer that will never be another. */
export function jsonResponse(body: Answer | readonly Answer[], status: number, cached = false): Response {
  return new Response(JSON.stringify(body), {
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

/** Pages of any origin may ask: there is nothing here that a session or a cookie would open. */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": "86400",
};
