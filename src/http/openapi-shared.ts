// What every operation of the OpenAPI document shares: the headers of requests and answers, and the errors.

import type { Schema } from "./openapi-schema.ts";

const HEIGHT_TEXT: Schema = { type: "string", pattern: "^[0-9]+$" };

export const ERROR_SCHEMA: Schema = {
  type: "object",
  required: ["code", "message", "details"],
  properties: {
    code: { type: "integer", description: "The gRPC code.", minimum: 1, maximum: 16 },
    message: { type: "string", description: "One sentence. Of bad input it begins with the parameter's name." },
    details: {
      type: "array",
      description: "Typed objects for programs, such as what a failed simulation came to.",
      items: { type: "object", required: ["@type"], properties: { "@type": { type: "string" } } },
    },
  },
  examples: [{ code: 3, message: "height: missing parameter height", details: [] }],
};

/** What every operation can be asked with: at which height, and whether the answer is known already. */
export function sharedParameters(method: "GET" | "POST", hasOwnHeight: boolean): { $ref: string }[] {
  const names = Object.keys(PARAMETERS).filter(
    (name) => (name !== "height" || !hasOwnHeight) && (name !== "if-none-match" || method === "GET"),
  );
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Those of a path whose query string is not ours to add to. */
export function headerParameters(): { $ref: string }[] {
  return sharedParameters("GET", true).filter(({ $ref }) => !$ref.endsWith("/at"));
}

const PARAMETERS = {
  "x-cosmos-block-height": header(
    "x-cosmos-block-height",
    "The height to read at; the newest one without it, and for 0. All ways to name a height must agree.",
    HEIGHT_TEXT,
  ),
  "x-core-block-height": header("x-core-block-height", "The same under another name.", HEIGHT_TEXT),
  height: {
    name: "height",
    in: "query",
    required: false,
    description: "The height to read at, as `x-cosmos-block-height`.",
    schema: HEIGHT_TEXT,
  },
  "x-cosmos-block-time": header(
    "x-cosmos-block-time",
    "A moment, RFC 3339: reads at the newest height whose block is not after it. After the newest block is 400.",
  ),
  at: {
    name: "at",
    in: "query",
    required: false,
    description: "A moment, as `x-cosmos-block-time`.",
    schema: { type: "string" },
  },
  "x-min-height": header(
    "x-min-height",
    "A height that the node must have reached: it is waited for, and 503 with `Retry-After` when it does not come.",
    HEIGHT_TEXT,
  ),
  "x-min-height-wait": header(
    "x-min-height-wait",
    "How long `x-min-height` may wait, in milliseconds: 2000 without it, at most 5000.",
    HEIGHT_TEXT,
  ),
  "if-none-match": header("if-none-match", "Tags of answers that the caller has: 304 when one of them still holds."),
};

function header(name: string, description: string, schema: Schema = { type: "string" }): object {
  return { name, in: "header", required: false, description, schema };
}

const HEIGHT_NOTES = {
  "x-cosmos-block-height": "The height that was read.",
  "x-core-block-height": "The same.",
  "x-chain-id": "The chain.",
  "x-earliest-height": "The lowest height that can be asked at.",
  "x-latest-height": "The newest height.",
};

const CACHE_NOTES = {
  etag: "A strong tag of the content: the same as long as the answer is, whatever blocks come. One for each encoding.",
  "cache-control": "`immutable` at a height that was asked for; otherwise to be asked for again.",
  vary: "The request headers that choose among the answers of one address.",
};

const HEADER_NOTES = { ...HEIGHT_NOTES, ...CACHE_NOTES };

export function answerHeaderRefs(method: "GET" | "POST"): Record<string, { $ref: string }> {
  return headerRefs(Object.keys(method === "GET" ? HEADER_NOTES : HEIGHT_NOTES));
}

export const NOT_MODIFIED = { description: "The answer is one of those that `if-none-match` lists." };

/** Before the first block there is no range to tell. */
const ERROR_HEADERS = headerRefs(["x-chain-id", "x-earliest-height", "x-latest-height"]);

function headerRefs(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Status to the words for it. */
const ERRORS: Readonly<Record<string, string>> = {
  "400": "Bad input: code 3, and the message begins with the parameter's name. Also a height in the future.",
  "404": "There is no such thing: code 5.",
  "410": "The height was kept once and is not any more: code 11.",
  "413": "The body is larger than 256 KiB: code 8.",
  "415": "The body says that it is neither JSON nor text: code 3.",
  "500": "A fault of this node: code 13.",
  "503":
    "Not now: code 14, and `Retry-After`. The node is not ready, is overloaded, or has not reached `x-min-height`.",
};

const OF_A_BODY = ["413", "415"];

export function errorResponses(method: "GET" | "POST"): Record<string, { $ref: string }> {
  const statuses = Object.keys(ERRORS).filter((status) => method === "POST" || !OF_A_BODY.includes(status));
  const refs = statuses.map((status): [string, { $ref: string }] => [status, errorRef(status)]);
  return { ...Object.fromEntries(refs), default: errorRef("default") };
}

function errorRef(status: string): { $ref: string } {
  return { $ref: `#/components/responses/Error${status}` };
}

function errorResponse(description: string): object {
  return {
    description,
    headers: ERROR_HEADERS,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

/** The components beside the schemas. */
export const SHARED = {
  parameters: PARAMETERS,
  headers: Object.fromEntries(
    Object.entries(HEADER_NOTES).map(([name, description]) => [
      name,
      { description, schema: name.endsWith("-height") ? HEIGHT_TEXT : { type: "string" } },
    ]),
  ),
  responses: Object.fromEntries([
    ...Object.entries(ERRORS).map(([status, text]) => [`Error${status}`, errorResponse(text)]),
    ["Errordefault", errorResponse("Any other error, with the same body.")],
  ]),
};
