// What a refusal looks like: our own, and that of the runtime's parser.

import { expect } from "bun:test";
import type { RawReply } from "../harness/raw-socket.ts";

/** One answer, the one body, and headers that keep it out of caches and open to pages. */
export function expectRefusal(reply: RawReply, status: number, code: number, message: RegExp = /./): void {
  expect(reply.statuses).toEqual([status]);
  const body = JSON.parse(reply.body);
  expect(Object.keys(body)).toEqual(["code", "message", "details"]);
  expect(body.code).toBe(code);
  expect(body.message).toMatch(message);
  expect(Buffer.byteLength(body.message)).toBeLessThanOrEqual(512);
  expect(reply.body).not.toMatch(/[\r\n]/);
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  expect(reply.headers.has("set-cookie")).toBe(false);
}

/** The runtime's: a refusal or none, nothing behind it, and no connection any more. */
export function expectRuntimeRefusal(reply: RawReply, ...statuses: readonly number[]): void {
  expect(reply.closed).toBe(true);
  expect(reply.statuses.length).toBeLessThanOrEqual(1);
  for (const status of reply.statuses) expect(statuses).toContain(status);
}
