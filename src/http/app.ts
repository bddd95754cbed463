// The HTTP door: routes from the operations table, one request pipeline (choose, decode, answer, print), one place
// where errors become answers. It receives the queries as values and never sees who made them.

import type { Message } from "@bufbuild/protobuf";
import { Hono } from "hono";
import { chooseOperation } from "../api/choose.ts";
import type { ResolveDid } from "../api/did-resolution.ts";
import { ApiError, CODE } from "../api/errors.ts";
import type { NeighbourQueries } from "../api/neighbours.ts";
import type { Answer, AnyOperation, HeightAtTime, KeptRange, Queries } from "../api/operations.ts";
import { parseQuery, type QueryParameter } from "../api/query-string.ts";
import type { Log } from "../log.ts";
import type { Admission } from "./admission.ts";
import { AnsweredQuestions, asksForHeight } from "./answered.ts";
import { askedHeight, chosenHeight, type HeightParts } from "./asked-height.ts";
import { readBody } from "./body.ts";
import type { RegistryFacts } from "./chain-registry.ts";
import { directRoutes } from "./direct-routes.ts";
import { answerHead } from "./head-request.ts";
import { answerHeaders, PREFLIGHT_HEADERS } from "./headers.ts";
import type { Health } from "./health.ts";
import { HeightWait } from "./height-wait.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { Meter } from "./metrics.ts";
import { ownRoutes } from "./own-routes.ts";
import { ALL_ROUTES, permits, type RoutePatterns } from "./permitted-routes.ts";
import { type Places, placesOf } from "./places.ts";
import type { BodyPrinter } from "./print-body.ts";
import { type ByteWork, type ReadAnswer, readAnswers } from "./read-answer.ts";
import { refuse } from "./refusal.ts";
import { type Route, routesOf, type ServedOperation } from "./routes.ts";
import { type Sized, shorterPage } from "./shorter-page.ts";

export type HttpApp = { fetch(request: Request): Response | Promise<Response> };

export type HttpParts = {
  readonly queries: Queries;
  readonly neighbours: NeighbourQueries;
  readonly resolveDid: ResolveDid;
  /** The kept range now, or null before the first block. */
  readonly range: () => KeptRange | null;
  readonly heightAtTime: HeightAtTime;
  readonly byteWork: ByteWork;
  readonly log: Log;
  /** The probes; none without it. */
  readonly health?: Health;
  readonly registry?: RegistryFacts;
  readonly meter?: Meter;
  readonly limits?: Limits;
  readonly places?: Places;
  readonly permitted?: RoutePatterns;
};

export function createHttpApp(parts: HttpParts): HttpApp {
  const { queries, neighbours, range, heightAtTime, log } = parts;
  const { meter = new Meter(), limits = DEFAULT_LIMITS, permitted = ALL_ROUTES } = parts;
  const { places = placesOf(limits) } = parts;
  const app = new Hono();
  const direct = new Map<string, HttpApp["fetch"]>();
  const routes = routesOf().filter((route) => permits(permitted, namesOf(route)));
  const fail = (error: unknown): Response => {
    if (error instanceof ApiError) return refuse(error, range());
    log.error(`request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return refuse(new ApiError(CODE.internal, "internal error"), range());
  };
  const heights = { range, heightAtTime, wait: new HeightWait(() => range()?.latest ?? null) };
  const answerRead = readAnswers(parts.byteWork);
  const pipeline = { heights, answered: new AnsweredQuestions(), answerRead, fail, meter, limits, places };
  for (const route of routes) {
    const answer = pipelineOf(route, { ...queries, ...neighbours }, pipeline);
    app.on(route.method, route.path, (context) => answer(context.req.raw, context.req.param() as PathParameters));
    if (route.method === "GET" && !route.path.includes(":")) direct.set(route.path, (request) => answer(request, {}));
  }
  const own = ownRoutes({ ...parts, heights, answerRead, fetch: (request) => app.fetch(request) }).filter(
    ({ path, probe }) => probe === true || permits(permitted, [path]),
  );
  for (const { path, answer } of own) app.get(path, (context) => metered(meter, path, answer(context.req.raw)));
  app.options("*", () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
  for (const { path } of routes) {
    const allow = allowed(routes.filter((route) => route.path === path));
    app.all(path, () => refuse(wrongMethod(allow), range(), { allow }));
  }
  for (const { path } of own) app.all(path, () => refuse(wrongMethod(READS), range(), { allow: READS }));
  app.notFound((context) => refuse(unknownRoute(context.req.path), range()));
  app.onError(fail);
  const fetch: HttpApp["fetch"] = directRoutes(direct, (request) =>
    request.method === "HEAD" ? answerHead(request, fetch) : app.fetch(request),
  );
  return { fetch };
}

type PathParameters = Readonly<Record<string, string>>;
type HasHeight = Message & { readonly height?: bigint };
type AnyQuery = (request: Message, height: bigint | undefined) => Promise<Answer>;

type Pipeline = {
  readonly heights: HeightParts;
  readonly answered: AnsweredQuestions;
  readonly answerRead: ReadAnswer;
  readonly fail: (error: unknown) => Response;
  readonly meter: Meter;
  readonly limits: Limits;
  readonly places: Places;
};

function pipelineOf(route: Route, queries: Queries & NeighbourQueries, pipeline: Pipeline) {
  const { heights, answered, answerRead, fail, meter, limits, places } = pipeline;
  const choose = chooserOf(route.served);
  const hasOwnHeight = route.served.some((served) => served.hasOwnHeight);
  const answer = async (request: Request, given: PathParameters): Promise<Response> => {
    const began = performance.now();
    // Where the question does not even choose an operation, it counts for the first that it might have meant.
    let id: string = (route.served[0] as ServedOperation).operation.id;
    let held: Admission | null = null;
    meter.inFlight += 1;
    try {
      const parameters = parseQuery(queryOf(request.url));
      const asked = askedHeight(request.headers, parameters, hasOwnHeight, heights.range);
      const { operation, decode, decodeBody, print, isHistory, isScan, isList } = choose(parameters);
      id = operation.id;
      const path = route.emptyParameter === null ? given : { [route.emptyParameter]: "" };
      const message =
        decodeBody === null
          ? decode(parameters, path)
          : decodeBody(await readBody(request, limits), parameters, limits.maxDepth);
      const height = asked === null ? undefined : await chosenHeight(asked, heights, request);
      // The table ties each id to its request type; the compiler cannot follow an id that is chosen at run time.
      const query = queries[operation.id] as AnyQuery;
      // Whoever brings a body has a place among those already.
      if (decodeBody === null) {
        const place = isScan ? places.scans : places.single;
        if (!place.take()) await place.wait();
        held = place;
      }
      let found = await query(message, height);
      let text = print(found.body);
      if (text.bytes.length > limits.maxAnswer && isList) {
        const ask = async (shorter: Message) => sized(await query(shorter, height), print);
        found = await shorterPage(message, sized(found, print), limits.maxAnswer, ask);
        // Printed once more: a text is a view that others print over while this one waits.
        text = print(found.body);
      }
      const isFixed = isHistory && (isGiven(height) || (hasOwnHeight && isGiven((message as HasHeight).height)));
      const headers = answerHeaders(found.height, heights.range() as KeptRange, isFixed);
      const response = decodeBody === null ? answerRead(request, text, headers) : new Response(text.bytes, { headers });
      const { status } = response;
      if (decodeBody === null && asked === null && isHistory && !isFixed) {
        answered.set(request.url, { height: found.height, id, body: found.body, print, text });
      }
      meter.record(id, status, performance.now() - began, status === 304 ? 0 : text.bytes.length, found.rows);
      return response;
    } catch (error) {
      const refusal = fail(error);
      meter.record(id, refusal.status, performance.now() - began, 0);
      return refusal;
    } finally {
      held?.leave();
      meter.inFlight -= 1;
    }
  };
  if (route.method !== "GET") return answer;
  return (request: Request, given: PathParameters): Response | Promise<Response> =>
    answeredBefore(request, pipeline) ?? answer(request, given);
}

/** Null for a question that has not been asked since the last block, or not lately. */
function answeredBefore(request: Request, { heights, answered, answerRead, meter }: Pipeline): Response | null {
  const began = performance.now();
  const range = heights.range();
  const known = range === null ? undefined : answered.get(request.url, range.latest);
  if (known === undefined || asksForHeight(request.headers)) return null;
  const { height, id } = known;
  const text = known.text();
  const response = answerRead(request, text, answerHeaders(height, range as KeptRange));
  const { status } = response;
  meter.record(id, status, performance.now() - began, status === 304 ? 0 : text.bytes.length);
  return response;
}

function sized(answer: Answer, print: BodyPrinter): Sized {
  const { body } = answer;
  const entries = "runs" in body ? body.runs.reduce((sum, { start, end }) => sum + end - start, 0) : null;
  return { answer, bytes: print(body).bytes.length, entries };
}

/** Zero means the newest. */
function isGiven(height: bigint | undefined): boolean {
  return height !== undefined && height !== 0n;
}

/** Only operations of the interface document share a path. */
function chooserOf(served: readonly ServedOperation[]): (query: readonly QueryParameter[]) => ServedOperation {
  const [only] = served;
  if (only !== undefined && served.length === 1) return () => only;
  const operations = served.map(({ operation }) => operation as AnyOperation);
  const byId = new Map(served.map((each) => [each.operation.id, each]));
  return (query) => byId.get(chooseOperation(operations, query).id) as ServedOperation;
}

function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** The routes beside the operations: their bodies are not held against the size of answers. */
async function metered(meter: Meter, path: string, answer: Response | Promise<Response>): Promise<Response> {
  const began = performance.now();
  const response = await answer;
  meter.record(path, response.status, performance.now() - began, 0);
  return response;
}

function namesOf({ path, served }: Route): string[] {
  return [path, ...served.map(({ operation }) => operation.id)];
}

/** Clients of the ecosystem tell an absent module by 501; elsewhere an unknown route is not found. */
function unknownRoute(path: string): ApiError {
  if (path.startsWith("/cosmos/")) return new ApiError(CODE.unimplemented, "Not Implemented");
  return new ApiError(CODE.notFound, `unknown route: ${path}`);
}

function wrongMethod(allow: string): ApiError {
  return new ApiError(CODE.unimplemented, `this path answers ${allow} only`, 405);
}

const READS = "GET, HEAD, OPTIONS";

function allowed(routes: readonly Route[]): string {
  const methods = new Set(routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : ["POST"])));
  return [...methods, "OPTIONS"].join(", ");
}
