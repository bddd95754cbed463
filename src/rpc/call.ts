// One request of JSON-RPC, from its JSON to its answer: what all transports share.

import { ApiError } from "../api/errors.ts";
import { nestsDeeper } from "../api/json-depth.ts";
import { RpcRefusal } from "../api/rpc-queries.ts";
import { TxNotTaken } from "../api/tx-entry.ts";
import type { Json } from "../codec/comet-block-json-writer.ts";
import type { Log } from "../log.ts";
import type { Arguments, Parameters } from "./arguments.ts";
import { type ErrorObject, INTERNAL_ERROR, PARSE_ERROR, RpcError } from "./errors.ts";
import type { Method, RpcNode } from "./method.ts";

export type Id = string | number;

/** `id` is null for a notification, which gets no answer. */
export type Request = { readonly id: Id | null; readonly method: string; readonly params: unknown };

/** The id is missing where the request could not be read so far. */
export type Answer = { readonly jsonrpc: "2.0"; readonly id?: Id } & (
  | { readonly result: Json }
  | { readonly error: ErrorObject }
);

/** Throws RpcError. The version of the protocol is not looked at, as in the reference. */
export function readRequest(json: unknown): Request {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw unreadable("a request is an object");
  const { id = null, method = "", params } = json as Record<string, unknown>;
  if (id !== null && typeof id !== "string" && typeof id !== "number") {
    throw unreadable("an id is a string or a number");
  }
  if (typeof method !== "string") throw unreadable("a method is a string");
  return { id: typeof id === "number" ? Math.trunc(id) : id, method, params };
}

/** Deeper than the arguments of any method. */
const MAX_DEPTH = 32;

export function parseJson(text: string): unknown {
  if (nestsDeeper(text, MAX_DEPTH)) throw unreadable(`nesting deeper than ${MAX_DEPTH}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

/** The result, or the error that its caller is told. Faults of our own go to the log, and are named without detail. */
export async function callMethod(
  node: RpcNode,
  method: Method,
  given: Arguments<Parameters>,
  log: Log,
): Promise<{ result: Json } | { error: ErrorObject }> {
  try {
    return { result: await method.answer(node, given) };
  } catch (error) {
    return { error: errorObject(error, log) };
  }
}

export function errorObject(error: unknown, log: Log): ErrorObject {
  if (error instanceof RpcError) return error.object;
  if (error instanceof RpcRefusal || error instanceof TxNotTaken || error instanceof ApiError) {
    return { ...INTERNAL_ERROR, data: error.message };
  }
  log.error(`RPC request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return { ...INTERNAL_ERROR, data: "internal error" };
}

export function answerTo(id: Id | null, outcome: { result: Json } | { error: ErrorObject }): Answer {
  return { jsonrpc: "2.0", ...(id !== null && { id }), ...outcome };
}

function unreadable(reason: string): RpcError {
  return new RpcError(PARSE_ERROR, `error unmarshaling request: ${reason}`);
}
