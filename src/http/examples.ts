// A real example for each operation: asked of this node, with values that its chain holds.

import { type AnyNeighbour, NEIGHBOURS } from "../api/neighbours.ts";
import { type AnyOperation, OPERATIONS } from "../api/operations.ts";
import type { Spelling } from "../codec/json-spelling.ts";
import type { Ask, Json } from "./ask.ts";
import { parametersOf } from "./openapi-parameters.ts";
import { findSamples, type Samples } from "./samples.ts";

export type Example = {
  /** Path and query, as they are asked. */
  readonly url: string;
  /** By name, not escaped. */
  readonly parameters: Readonly<Record<string, string>>;
  /** JSON text; null for an operation without a body. */
  readonly body: string | null;
  readonly answer: Json;
};

/** By spelling and id, with a space between; the node's own paths by path. */
export type Examples = ReadonlyMap<string, Example>;

/** Short lists: an example shall be read. */
const PAGE = { "pagination.limit": "2" };

export async function findExamples(ask: Ask): Promise<Examples> {
  const samples = await findSamples(ask);
  const examples = new Map<string, Example>();
  for (const operation of [...OPERATIONS, ...NEIGHBOURS]) {
    for (const spelling of ["primary", "ecosystem"] as const) {
      const example = await exampleOf(operation, spelling, samples, ask);
      if (example !== null) examples.set(`${spelling} ${operation.id}`, example);
    }
  }
  for (const { path, url } of ownPaths(samples)) {
    const answer = await ask(url);
    if (answer !== null) examples.set(path, { url, parameters: {}, body: null, answer });
  }
  return examples;
}

/** But for the greeting and the document itself, which show what is found here. */
function ownPaths({ did }: Samples): { readonly path: string; readonly url: string }[] {
  const plain = ["/chain.json", "/assetlist.json"].map((path) => ({ path, url: path }));
  return did === undefined ? plain : [...plain, { path: "/1.0/identifiers/{did}", url: `/1.0/identifiers/${did}` }];
}

/** Null where the operation has no such spelling, or the chain nothing to show. */
async function exampleOf(
  operation: AnyOperation | AnyNeighbour,
  spelling: Spelling,
  samples: Samples,
  ask: Ask,
): Promise<Example | null> {
  const path = spelling === "ecosystem" ? operation.ecosystemPath : "path" in operation ? operation.path : null;
  if (path === null) return null;
  const body = bodyOf(operation, spelling, samples);
  if (operation.method === "POST" && body === null) return null;
  const parameters = valuesOf(operation, path, samples);
  if (parameters === null) return null;
  const url = urlOf(path, parameters);
  const answer = await ask(url, body ?? undefined);
  return answer === null ? null : { url, parameters, body, answer };
}

/** Nothing comes of sending an example: it is a transaction that a block has executed, and is refused. */
function bodyOf({ id }: AnyOperation | AnyNeighbour, spelling: Spelling, samples: Samples): string | null {
  const { tx, sent = tx, sent_bytes, spent_bytes } = samples;
  if (id === "simulateTx" && tx !== undefined) {
    return JSON.stringify(spelling === "primary" ? { tx, tx_bytes: "" } : { tx: JSON.parse(tx) });
  }
  if (id === "encodeTx" && sent !== undefined) return JSON.stringify({ tx: JSON.parse(sent) });
  if (id === "decodeTx" && sent_bytes !== undefined) return JSON.stringify({ tx_bytes: sent_bytes });
  if (id !== "broadcastTx" || spent_bytes === undefined) return null;
  return JSON.stringify({ tx_bytes: spent_bytes, mode: "BROADCAST_MODE_SYNC" });
}

/** Null when the chain holds no value for a parameter that the operation cannot do without. */
function valuesOf(
  operation: AnyOperation | AnyNeighbour,
  path: string,
  samples: Samples,
): Record<string, string> | null {
  if (operation.id === "simulateTx") return { skip_sequence_check: "true" };
  const values: Record<string, string> = {};
  for (const { name, required } of parametersOf(operation, path)) {
    const value = samples[name];
    const isWanted = required || IDENTIFYING.has(name);
    if (!isWanted) continue;
    if (value === undefined) return null;
    values[name] = value;
  }
  return "lists" in operation && operation.lists ? { ...values, ...PAGE } : values;
}

/** Parameters that an answer hangs on, whether the operation requires them or not. */
const IDENTIFYING = new Set([
  "key_id",
  "service_id",
  "network_id",
  "method_id",
  "aka_id",
  "denom",
  "query",
  "path",
  "data",
]);

function urlOf(template: string, values: Readonly<Record<string, string>>): string {
  const rest = new Map(Object.entries(values));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name) ?? "";
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const query = [...rest].map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%3A", ":")}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}
