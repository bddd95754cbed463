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
  examples: [{ code: 3, message: "height: is required", details: [] }],
};

export const HEIGHT_PARAMETERS = [
  { $ref: "#/components/parameters/x-cosmos-block-height" },
  { $ref: "#/components/parameters/x-core-block-height" },
];

const HEADER_NOTES = {
  "x-cosmos-block-height": "The height that was read.",
  "x-core-block-height": "The same.",
  "x-chain-id": "The chain.",
  "x-earliest-height": "The lowest height that can be asked at.",
  "x-latest-height": "The newest height.",
};

export const ANSWER_HEADERS = headerRefs(Object.keys(HEADER_NOTES));

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
  "503": "The node is not ready: code 14.",
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
  parameters: {
    "x-cosmos-block-height": {
      name: "x-cosmos-block-height",
      in: "header",
      required: false,
      description: "The height to read at; the newest one without it, and for 0.",
      schema: HEIGHT_TEXT,
    },
    "x-core-block-height": {
      name: "x-core-block-height",
      in: "header",
      required: false,
      description: "The same under another name. If both are given, they must be equal.",
      schema: HEIGHT_TEXT,
    },
  },
  headers: Object.fromEntries(
    Object.entries(HEADER_NOTES).map(([name, description]) => [
      name,
      { description, schema: name === "x-chain-id" ? { type: "string" } : HEIGHT_TEXT },
    ]),
  ),
  responses: Object.fromEntries([
    ...Object.entries(ERRORS).map(([status, text]) => [`Error${status}`, errorResponse(text)]),
    ["Errordefault", errorResponse("Any other error, with the same body.")],
  ]),
};
