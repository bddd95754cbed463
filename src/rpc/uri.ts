// The form in which a browser's address line calls a method: `/block?height=5`.

import type { Log } from "../log.ts";
import { argumentsFromUri } from "./arguments.ts";
import { answerTo, callMethod, errorObject } from "./call.ts";
import { METHOD_NOT_FOUND } from "./errors.ts";
import { jsonResponse } from "./http-response.ts";
import type { Method, RpcNode } from "./method.ts";
import { isSubscriptionMethod, methodsOf } from "./methods.ts";

/** The id of every answer here. */
const NO_ID = -1;

/** Null for a path that is no method's. */
export async function answerUri(node: RpcNode, { pathname, searchParams }: URL, log: Log): Promise<Response | null> {
  const name = pathname.slice(1);
  if (isSubscriptionMethod(name)) return jsonResponse(answerTo(NO_ID, { error: METHOD_NOT_FOUND }), 404);
  const method = methodsOf(node).get(name);
  if (method === undefined) return null;
  try {
    const given = argumentsFromUri(method.parameters, searchParams);
    const outcome = await callMethod(node, method, given, log);
    const cached = "result" in outcome && isImmutable(method, searchParams);
    return jsonResponse(answerTo(NO_ID, outcome), "error" in outcome ? 500 : 200, cached);
  } catch (error) {
    return jsonResponse(answerTo(NO_ID, { error: errorObject(error, log) }), 500);
  }
}

function isImmutable({ immutable }: Method, query: URLSearchParams): boolean {
  return immutable === "always" || (immutable === "with height" && (query.get("height") ?? "") !== "");
}
