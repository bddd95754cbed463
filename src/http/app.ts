// The HTTP door: routes from the operations table, one request pipeline (choose, decode, answer, print), one place
// where errors become answers. It receives the queries as values and never sees who made them.

import type { Message } from "@bufbuild/protobuf";
import { Hono } from "hono";
import { chooseOperation } from "../api/choose.ts";
import { ApiError, CODE, errorBody } from "../api/errors.ts";
import type { Answer, KeptRange, Queries } from "../api/operations.ts";
import { parseQuery } from "../api/query-string.ts";
import type { Log } from "../log.ts";
import { readBody } from "./body.ts";
import { answerHeaders, errorHeaders, PREFLIGHT_HEADERS, requestedHeight } from "./headers.ts";
import { type Route, routesOf, type ServedOperation } from "./routes.ts";

export type HttpApp = { fetch(request: Request): Response | Promise<Response> };

export type HttpParts = {
  readonly queries: Queries;
  /** The kept range now, or null before the first block. */
  readonly range: () => KeptRange | null;
  readonly log: Log;
};

export function createHttpApp({ queries, range, log }: HttpParts): HttpApp {
  const app = new Hono();
  const routes = routesOf();
  for (const route of routes) {
    const answer = pipelineOf(route, queries, range);
    app.on(route.method, route.path, (context) => answer(context.req.raw, context.req.param() as PathParameters));
  }
  app.options("*", () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
  for (const route of routes) app.all(route.path, () => refuse(wrongMethod(route), range(), { allow: allowed(route) }));
  app.notFound((context) => refuse(unknownRoute(context.req.path), range()));
  app.onError((error) => {
    if (error instanceof ApiError) return refuse(error, range());
    log.error(`request failed: ${error.stack ?? error.message}`);
    return refuse(new ApiError(CODE.internal, "internal error"), range());
  });
  return app;
}

type PathParameters = Readonly<Record<string, string>>;
type AnyQuery = (request: Message, height: bigint | undefined) => Promise<Answer>;

function pipelineOf(route: Route, queries: Queries, range: HttpParts["range"]) {
  const operations = route.served.map(({ operation }) => operation);
  const byId = new Map(route.served.map((served) => [served.operation.id, served]));
  return async (request: Request, given: PathParameters): Promise<Response> => {
    const query = parseQuery(queryOf(request.url));
    const { operation, decode, decodeBody, print } = byId.get(chooseOperation(operations, query).id) as ServedOperation;
    const path = route.emptyParameter === null ? given : { [route.emptyParameter]: "" };
    const message = decodeBody === null ? decode(query, path) : decodeBody(await readBody(request), query);
    // The table ties each id to its request type; the compiler cannot follow an id that is chosen at run time.
    const answer = await (queries[operation.id] as AnyQuery)(message, requestedHeight(request.headers, range()));
    const kept = range() as KeptRange;
    return new Response(print(answer.body), { headers: answerHeaders(answer.height, kept) });
  };
}

function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

function refuse(error: ApiError, range: KeptRange | null, more: Record<string, string> = {}): Response {
  return new Response(errorBody(error), { status: error.status, headers: { ...errorHeaders(range), ...more } });
}

/** Clients of the ecosystem tell an absent module by 501; elsewhere an unknown route is not found. */
function unknownRoute(path: string): ApiError {
  if (path.startsWith("/cosmos/")) return new ApiError(CODE.unimplemented, "Not Implemented");
  return new ApiError(CODE.notFound, `unknown route: ${path}`);
}

function wrongMethod(route: Route): ApiError {
  return new ApiError(CODE.unimplemented, `this path answers ${allowed(route)} only`, 405);
}

function allowed(route: Route): string {
  return route.method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
}
