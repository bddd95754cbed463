// Holds answers against the schemas of the OpenAPI document, and stricter than it: in a test no answer may have a
// member that the document does not name.

import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../harness/door.ts";

export type OpenApi = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Entry>>>>;
  readonly components: { readonly schemas: JsonObject };
};

export type Entry = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
  readonly "x-operations"?: readonly ListedOperation[];
};

export type ListedOperation = {
  readonly id: string;
  readonly parameters: readonly string[];
  readonly example: { readonly parameters: Record<string, string>; readonly body: string | null } | null;
};

export type Check = (schema: Json, value: unknown) => string[];

/** The complaints of a strict validator; none when the value fits. */
export function checkerOf(document: OpenApi): Check {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: BASE, ...(closed(document as unknown as Json) as object) });
  return (schema, value) => {
    const validate = ajv.compile(rebased(schema) as object);
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
      return `${instancePath}: ${message} ${JSON.stringify(params)}`;
    });
  };
}

const BASE = "http://node/document";

/** Every object with named members has no others. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  const isObjectSchema = value.type === "object" && "properties" in value && !("additionalProperties" in value);
  return isObjectSchema ? { ...members, additionalProperties: false } : members;
}

/** References of the document, from a schema that stands beside it. */
function rebased(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${BASE}#/components/`)) as Json;
}

/** The entry that a request is described by; undefined for a path that the document does not know. */
export function entryOf(document: OpenApi, method: string, url: string): Entry | undefined {
  const path = url.split("?")[0] as string;
  const templates = Object.keys(document.paths).sort((a, b) => Number(a.includes("{")) - Number(b.includes("{")));
  const found = templates.find((template) => matches(template, path));
  return found === undefined ? undefined : document.paths[found]?.[method.toLowerCase()];
}

/** A denom may hold slashes. */
function matches(template: string, path: string): boolean {
  const escaped = template.replaceAll(".", "\\.");
  const pattern = escaped.replaceAll("{denom}", ".+").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(path);
}

export function answerSchema(entry: Entry): Json {
  const content = (entry.responses["200"] as JsonObject).content as JsonObject;
  return (content["application/json"] as JsonObject).schema as Json;
}
