// What the OpenAPI document says of the paths beside the operations: the node's own, and DID resolution.

import { RELATIONSHIPS } from "../codec/w3c-document.ts";
import type { Example, Examples } from "./examples.ts";
import { headerParameters, NOT_MODIFIED } from "./openapi-shared.ts";
import { NODE_TAG, RESOLUTION_TAG } from "./openapi-topics.ts";

const RESULT = {
  type: "object",
  required: ["didResolutionMetadata", "didDocument", "didDocumentMetadata"],
  properties: {
    didResolutionMetadata: { type: "object" },
    didDocument: { type: ["object", "null"] },
    didDocumentMetadata: { type: "object" },
  },
};

const DEREFERENCED = {
  type: "object",
  required: ["dereferencingMetadata", "contentStream", "contentMetadata"],
  properties: {
    dereferencingMetadata: { type: "object" },
    contentStream: { type: ["object", "null"] },
    contentMetadata: { type: "object" },
  },
};

const DOCUMENT = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
const RESULT_OR_PART = { anyOf: [RESULT, DEREFERENCED] };

const RESOLVED = {
  "application/did-resolution": { schema: RESULT },
  "application/did-url-dereferencing": { schema: DEREFERENCED },
  "application/ld+json": { schema: RESULT_OR_PART },
  "application/json": { schema: RESULT_OR_PART },
  "application/did": { schema: DOCUMENT },
  "application/did+ld+json": { schema: DOCUMENT },
  "application/did+json": { schema: DOCUMENT },
};

const OWN_PATHS = {
  "/": {
    get: {
      operationId: "greet",
      tags: [NODE_TAG],
      summary: "Where things are: HTML for browsers, JSON for programs",
      responses: {
        "200": {
          description: "Name, version, chain, kept heights and links.",
          content: { "application/json": { schema: { type: "object" } }, "text/html": { schema: { type: "string" } } },
        },
      },
    },
  },
  "/openapi.json": {
    get: {
      operationId: "getOpenApi",
      tags: [NODE_TAG],
      summary: "This document",
      responses: {
        "200": { description: "OpenAPI 3.1", content: { "application/json": { schema: { type: "object" } } } },
      },
    },
  },
  "/chain.json": ownJson("getChainJson", "This chain in the shape of the chain registry"),
  "/assetlist.json": ownJson("getAssetList", "Its tokens in the shape of the chain registry"),
  "/1.0/identifiers/{did}": {
    get: {
      operationId: "resolveDid",
      tags: [RESOLUTION_TAG],
      summary: "Resolve a DID, or dereference a DID URL",
      parameters: [
        {
          name: "did",
          in: "path",
          required: true,
          description: "A DID or DID URL, raw or escaped; `#` and `?` of a DID URL must be escaped.",
          schema: { type: "string" },
        },
        option("versionId", "A version of the document, counted from 1. Not together with `versionTime`."),
        option("versionTime", "The newest version at or before this time, such as `2026-03-01T00:00:00Z`."),
        option("service", "The id of a service, or its fragment."),
        option("serviceType", "The type of services."),
        option("relativeRef", "Appended to the service's address."),
        option("verificationRelationship", "The relationship that a key must stand in.", [...RELATIONSHIPS]),
        option("accept", "A media type in the place of the Accept header."),
        ...headerParameters(),
      ],
      responses: {
        "200": { description: "What was asked for, in the form that was asked for.", content: RESOLVED },
        "303": { description: "The address of a service, for `Accept: text/uri-list`." },
        "304": NOT_MODIFIED,
        "400": resolutionError("Not a DID or DID URL, or options that are not valid."),
        "404": resolutionError("No such DID, version, key or service."),
        "406": resolutionError("None of the media types is known."),
        "410": resolutionError("The DID is deactivated; older versions can still be asked for."),
        "501": resolutionError("Another DID method than this chain's."),
        default: { $ref: "#/components/responses/Errordefault" },
      },
    },
  },
} as const;

/** Each with the answer that this node gave, where it was asked. */
export function ownPaths(examples: Examples): Record<string, { readonly get: object }> {
  return Object.fromEntries(
    Object.entries(OWN_PATHS).map(([path, { get }]) => {
      const example = examples.get(path);
      return [path, { get: example === undefined ? get : withExample(get, example) }];
    }),
  );
}

function withExample<G extends OwnGet>(get: G, { url, answer }: Example): object {
  const { "200": answered, ...others } = get.responses;
  const { "application/json": json, ...forms } = answered.content;
  const examples = { [get.operationId]: { summary: url, value: answer } };
  const content = { ...forms, "application/json": { ...json, examples } };
  return { ...get, responses: { "200": { ...answered, content }, ...others } };
}

type OwnGet = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly responses: { readonly "200": { readonly content: { readonly "application/json": object } } };
};

function ownJson(operationId: string, summary: string): { readonly get: OwnGet } {
  const content = { "application/json": { schema: { type: "object" } } };
  const responses = {
    "200": { description: summary, content },
    default: { $ref: "#/components/responses/Errordefault" },
  };
  return { get: { operationId, tags: [NODE_TAG], summary, responses } };
}

function option(name: string, description: string, values?: readonly string[]): object {
  const schema = { type: "string", ...(values === undefined ? {} : { enum: values }) };
  return { name, in: "query", required: false, description, schema };
}

function resolutionError(description: string): object {
  const { "application/did-resolution": result, "application/did-url-dereferencing": part } = RESOLVED;
  const legacy = { "application/ld+json": { schema: RESULT_OR_PART }, "application/json": { schema: RESULT_OR_PART } };
  return {
    description,
    content: { "application/did-resolution": result, "application/did-url-dereferencing": part, ...legacy },
  };
}
