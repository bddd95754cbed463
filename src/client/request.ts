// The parameters of a call as the query string and the body of its request.

import { toBase64 } from "../codec/bytes.ts";
import type { Operation } from "./operations.ts";

/** `path` with the query string behind it; `body` is null for a GET. */
export type PreparedRequest = { readonly path: string; readonly body: string | null };

/** Throws a TypeError for a parameter that is missing or unknown: it would ask for something else than was meant. */
export function prepareRequest(operation: Operation, parameters: object): PreparedRequest {
  const given = flatten(parameters, "");
  for (const name of operation.required) if (!given.has(name)) throw new TypeError(`${name} is required`);
  const query = new URLSearchParams();
  for (const [name, text] of given) {
    if (operation.query.includes(name)) query.append(name, text);
    else if (!operation.body.includes(name)) throw new TypeError(`${name} is not a parameter of this operation`);
  }
  const path = String(query) === "" ? operation.path : `${operation.path}?${query}`;
  if (operation.method === "GET") return { path, body: null };
  return {
    path,
    body: JSON.stringify(Object.fromEntries(operation.body.map((name) => [name, given.get(name) ?? ""]))),
  };
}

/** `{ pagination: { limit: 5 } }` gives `pagination.limit`; what is undefined counts as not given. */
function flatten(parameters: object, prefix: string): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [member, value] of Object.entries(parameters)) {
    const name = prefix + member;
    if (value === undefined) continue;
    if (value instanceof Uint8Array) flat.set(name, toBase64(value));
    else if (typeof value === "object" && value !== null) {
      for (const [inner, text] of flatten(value, `${name}.`)) flat.set(inner, text);
    } else flat.set(name, String(value));
  }
  return flat;
}
