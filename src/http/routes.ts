// The routes, derived from the operations table: each operation under the interface document's path and, where the
// ecosystem has one, under the ecosystem's own path with path parameters. Its neighbours have the latter alone.

import type { Message } from "@bufbuild/protobuf";
import { decodeJsonBody } from "../api/json-body.ts";
import { type AnyNeighbour, NEIGHBOURS } from "../api/neighbours.ts";
import { type AnyOperation, OPERATIONS } from "../api/operations.ts";
import type { QueryParameter } from "../api/query-string.ts";
import { compileRequest, type RequestDecoder } from "../api/request.ts";
import { decodeSimulation } from "../api/simulate-request.ts";
import { type BodyPrinter, compileBody } from "./print-body.ts";

export type Spelling = "primary" | "ecosystem";

/** An operation ready to serve under one spelling: how its request is read and its response is printed. */
export type ServedOperation = {
  readonly operation: AnyOperation | AnyNeighbour;
  readonly decode: RequestDecoder;
  /** Takes the place of `decode` where the request has a body. */
  readonly decodeBody: BodyDecoder | null;
  readonly print: BodyPrinter;
  /** The operation has a `height` of its own, which means a block and not the state to read. */
  readonly hasOwnHeight: boolean;
  /** It walks a list or an index: a place among few. */
  readonly isScan: boolean;
  /** It answers a page of the state. What belongs to one block is as large as that, and answered whole. */
  readonly isList: boolean;
  /** What it answers of a height never changes. */
  readonly isHistory: boolean;
};

export type BodyDecoder = (body: string, query: readonly QueryParameter[], maxDepth: number) => Message;

export type Route = {
  readonly method: "GET" | "POST";
  /** In the router's notation. */
  readonly path: string;
  /** Path parameters that this route leaves empty: the ecosystem's path with nothing behind its last slash. */
  readonly emptyParameter: string | null;
  readonly spelling: Spelling;
  /** Several where a parameter of the request chooses among them. */
  readonly served: readonly ServedOperation[];
};

/** Paths without parameters come first, so that `blocks/latest` is not taken for a height. */
export function routesOf(): Route[] {
  const routes = [...primaryRoutes(OPERATIONS), ...[...OPERATIONS, ...NEIGHBOURS].flatMap(ecosystemRoutes)];
  return routes.sort((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")));
}

function primaryRoutes(operations: readonly AnyOperation[]): Route[] {
  const paths = new Map<string, AnyOperation[]>();
  for (const operation of operations) paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
  return [...paths].map(([path, sharing]) => ({
    method: (sharing[0] as AnyOperation).method,
    path,
    emptyParameter: null,
    spelling: "primary",
    served: sharing.map((operation) => serve(operation, "primary")),
  }));
}

function ecosystemRoutes(operation: AnyOperation | AnyNeighbour): Route[] {
  const template = operation.ecosystemPath;
  if (template === null) return [];
  const served = [serve(operation, "ecosystem")];
  const shared = { method: operation.method, spelling: "ecosystem", served } as const;
  const parameter = PARAMETER.exec(template)?.[1];
  if (parameter === undefined) return [{ ...shared, path: template, emptyParameter: null }];
  const form = FORMS[parameter];
  const pattern = form === undefined ? `:${parameter}` : `:${parameter}{${form}}`;
  const route = { ...shared, path: template.replace(PARAMETER, pattern), emptyParameter: null };
  if (!template.endsWith("}")) return [route];
  return [route, { ...shared, path: template.replace(PARAMETER, ""), emptyParameter: parameter }];
}

/** Denoms and base64 may hold slashes, raw or escaped: they are the rest of the path, line ends included. */
const FORMS: Readonly<Record<string, string>> = {
  denom: "[\\s\\S]+",
  address_bytes: "[\\s\\S]+",
  address_string: "(?:[a-z]+1[0-9a-z]+|[A-Z]+1[0-9A-Z]+)",
};

const PARAMETER = /\{(\w+)\}/;

function serve(operation: AnyOperation | AnyNeighbour, spelling: Spelling): ServedOperation {
  return {
    operation,
    decode: compileRequest(operation),
    decodeBody: bodyDecoder(operation, spelling),
    print: compileBody(operation.rpc.output, spelling),
    hasOwnHeight: hasField(operation, "height"),
    isScan: hasField(operation, "pagination"),
    isList: hasField(operation, "pagination") && !hasField(operation, "height"),
    isHistory: operation.method === "GET" && !OF_THE_NODE.has(operation.id),
  };
}

function hasField(operation: AnyOperation | AnyNeighbour, wanted: string): boolean {
  return operation.rpc.input.fields.some(({ name }) => name === wanted);
}

/** What they tell is of the node as it is now; a raw key of a store is here for its refusals, which are answers. */
const OF_THE_NODE: ReadonlySet<(AnyOperation | AnyNeighbour)["id"]> = new Set([
  "getNodeInfo",
  "getNodeConfig",
  "getNodeStatus",
  "getSyncing",
  "queryStore",
]);

function bodyDecoder(operation: AnyOperation | AnyNeighbour, spelling: Spelling): BodyDecoder | null {
  if (operation.method === "GET") return null;
  if (operation.id === "simulateTx") {
    return (body, query, maxDepth) => decodeSimulation(body, query, spelling, maxDepth);
  }
  return (body, _query, maxDepth) => decodeJsonBody(operation.rpc.input, body, maxDepth);
}
