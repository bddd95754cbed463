// The OpenAPI 3.1 document, derived from the operations table, the neighbours table and the message descriptors.
// OpenAPI knows one GET for each path: operations that share a path become one entry, which says what chooses among
// them and lists them under `x-operations`.

import { type AnyNeighbour, NEIGHBOURS } from "../api/neighbours.ts";
import { type AnyOperation, OPERATIONS } from "../api/operations.ts";
import type { Spelling } from "../codec/json-spelling.ts";
import type { Example, Examples } from "./examples.ts";
import { requestBody } from "./openapi-body.ts";
import { ownPaths } from "./openapi-own-paths.ts";
import { type Parameter, parametersOf } from "./openapi-parameters.ts";
import { SchemaBook } from "./openapi-schema.ts";
import {
  answerHeaderRefs,
  ERROR_SCHEMA,
  errorResponses,
  NOT_MODIFIED,
  SHARED,
  sharedParameters,
} from "./openapi-shared.ts";
import { ECOSYSTEM_TAG, NEIGHBOUR_TAG, TAGS, topicOf } from "./openapi-topics.ts";

export type Facts = { readonly version: string; readonly chainId: string };

type Described = AnyOperation | AnyNeighbour;
type PathItems = Record<string, Record<string, object>>;

/** One of the operations of an entry, for programs that show them one by one. */
export type ListedOperation = {
  readonly id: string;
  readonly summary: string;
  readonly chosenBy: string | null;
  readonly parameters: readonly string[];
  readonly example: Pick<Example, "parameters" | "body"> | null;
};

export function openApiDocument(facts: Facts, examples: Examples): object {
  const book = new SchemaBook();
  const paths: PathItems = {};
  for (const group of byPath(OPERATIONS)) add(paths, describe(group, "primary", book, examples));
  for (const group of byForm([...OPERATIONS, ...NEIGHBOURS])) add(paths, describe(group, "ecosystem", book, examples));
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://spec.openapis.org/oas/3.1/dialect/base",
    info: {
      title: "Orrery",
      version: facts.version,
      summary: "A query node for Cosmos-style blockchains: the chain's state at every height, over HTTP and JSON.",
      description: description(facts.chainId),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This node" }],
    security: [],
    tags: TAGS,
    paths: { ...paths, ...ownPaths(examples) },
    components: { ...SHARED, schemas: { Error: ERROR_SCHEMA, ...book.schemas } },
  };
}

function byPath(operations: readonly AnyOperation[]): AnyOperation[][] {
  const groups = new Map<string, AnyOperation[]>();
  for (const operation of operations) groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  return [...groups.values()];
}

/** Paths that differ in the name of a parameter alone are one path here: what is given tells which is meant. */
function byForm(operations: readonly Described[]): Described[][] {
  const groups = new Map<string, Described[]>();
  for (const operation of operations) {
    if (operation.ecosystemPath === null) continue;
    const form = `${operation.method} ${operation.ecosystemPath.replaceAll(/\{\w+\}/g, "{}")}`;
    groups.set(form, [...(groups.get(form) ?? []), operation]);
  }
  return [...groups.values()];
}

type Entry = { readonly path: string; readonly method: string; readonly entry: object };

function add(paths: PathItems, { path, method, entry }: Entry): void {
  paths[path] = { ...paths[path], [method]: entry };
}

/** `group` has more than one member only where a parameter chooses among them, or the form of one that they share. */
function describe(group: readonly Described[], spelling: Spelling, book: SchemaBook, examples: Examples): Entry {
  const first = group[0] as Described;
  const path = spelling === "primary" ? (first as AnyOperation).path : (first.ecosystemPath as string);
  const exampleOf = ({ id }: Described) => examples.get(`${spelling} ${id}`) ?? null;
  const chosenAmong = spelling === "primary" ? group : [first];
  const body = requestBody(first, spelling, book, exampleOf(first));
  const entry = {
    operationId: spelling === "primary" ? operationIdOf(group) : `${first.id}Ecosystem`,
    tags: tagsOf(first, spelling),
    summary: group
      .map(({ summary }) => summary)
      .join("; or ")
      .replaceAll(/; or (\w)/g, (_, letter) => `; or ${letter.toLowerCase()}`),
    ...(chosenAmong.length > 1 ? { description: choiceOf(group) } : {}),
    parameters: [
      ...mergedParameters(chosenAmong, path, exampleOf),
      ...sharedParameters(first.method, hasOwnHeight(first)),
    ],
    ...(body === null ? {} : { requestBody: body }),
    responses: {
      "200": answer(group, spelling, book, exampleOf),
      ...(first.method === "GET" ? { "304": NOT_MODIFIED } : {}),
      ...errorResponses(first.method),
    },
    ...(isOperation(first) ? { "x-operations": group.map((each) => listed(each, path, exampleOf(each))) } : {}),
  };
  return { path, method: first.method.toLowerCase(), entry };
}

function answer(
  group: readonly Described[],
  spelling: Spelling,
  book: SchemaBook,
  exampleOf: (operation: Described) => Example | null,
): object {
  const outputs = [...new Set(group.map(({ rpc }) => rpc.output))];
  const schemas = outputs.map((output) => book.message(output, spelling));
  const shown = group.flatMap((operation) => {
    const example = exampleOf(operation);
    return example === null ? [] : [[operation.id, { summary: example.url, value: example.answer }] as const];
  });
  return {
    description: "The answer, as of the height in its headers.",
    headers: answerHeaderRefs((group[0] as Described).method),
    content: {
      "application/json": {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }),
      },
    },
  };
}

/** Of operations that share a path none can require a parameter: giving it is what chooses one of them. */
function mergedParameters(
  group: readonly Described[],
  path: string,
  exampleOf: (operation: Described) => Example | null,
): object[] {
  const merged = new Map<string, object>();
  for (const operation of group) {
    for (const parameter of parametersOf(operation, path)) {
      const value = exampleOf(operation)?.parameters[parameter.name];
      const shown = value === undefined || group.length > 1 ? {} : { example: value };
      merged.set(parameter.name, { ...(group.length > 1 ? chosen(parameter, operation) : parameter), ...shown });
    }
  }
  return [...merged.values()];
}

function chosen(parameter: Parameter, operation: Described): Parameter {
  const { chosenBy } = operation as AnyOperation;
  const note = chosenBy === null ? `Of ${operation.id} alone.` : `Giving it chooses ${operation.id}.`;
  return { ...parameter, required: false, description: `${parameter.description} ${note}` };
}

function choiceOf(group: readonly Described[]): string {
  const lines = (group as readonly AnyOperation[]).map(({ id, chosenBy, summary }) => {
    const when = chosenBy === null ? "without the parameter of any other" : `with \`${chosenBy}\``;
    return `- \`${id}\`, ${when}: ${summary}.`;
  });
  return [`${group.length} operations share this path; the parameters choose:`, "", ...lines].join("\n");
}

function listed(operation: Described, path: string, example: Example | null): ListedOperation {
  const names = parametersOf(operation, path).map(({ name }) => name);
  const shown = example === null ? null : { parameters: example.parameters, body: example.body };
  const { chosenBy } = operation as AnyOperation;
  return { id: operation.id, summary: operation.summary, chosenBy, parameters: names, example: shown };
}

function hasOwnHeight({ rpc }: Described): boolean {
  return rpc.input.fields.some(({ name }) => name === "height");
}

function isOperation(operation: Described): operation is AnyOperation {
  return "path" in operation;
}

const SHARED_PATH_IDS: Readonly<Record<string, string>> = {
  listDocuments: "listOrGetDocuments",
  getDocumentByKey: "findDocument",
  listTokens: "listOrGetTokens",
};

function operationIdOf(group: readonly Described[]): string {
  const { id } = group[0] as Described;
  return group.length === 1 ? id : (SHARED_PATH_IDS[id] ?? `${id}OrOther`);
}

function tagsOf(operation: Described, spelling: Spelling): string[] {
  if (spelling === "primary") return [topicOf(operation as AnyOperation)];
  return [isOperation(operation) ? ECOSYSTEM_TAG : NEIGHBOUR_TAG];
}

function description(chainId: string): string {
  return [
    `Chain \`${chainId}\`. The examples are answers of this node.`,
    "",
    "64-bit integers are text; so are bytes, in base64. Every read can be asked at any kept height, by a header or the parameter `height`, or at a moment, by `at`; it says at which height it was answered. Reads carry a strong `ETag`, and answers at a height that was asked for never change. Unknown query parameters are ignored, a known one may be given once; names in lowerCamelCase are accepted too.",
    "",
    'A mistake of the caller is always 4xx: `{"code": 3, "message": "address: …", "details": []}`, where the message begins with the parameter\'s name.',
  ].join("\n");
}
