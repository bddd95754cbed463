// The routes beside the operations: the greeting at `/`, the OpenAPI document, the docs page, and DID resolution.

import { create, fromBinary } from "@bufbuild/protobuf";
import { bodyBytes } from "../api/answer-body.ts";
import type { ResolveDid } from "../api/did-resolution.ts";
import type { KeptRange, Queries } from "../api/operations.ts";
import { utf8Encode } from "../codec/bytes.ts";
import { GetNodeInfoRequestSchema, GetNodeInfoResponseSchema } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import { askAt, type Fetch } from "./ask.ts";
import type { HeightParts } from "./asked-height.ts";
import { assetListJson, chainJson, type RegistryFacts } from "./chain-registry.ts";
import { answerDid, IDENTIFIERS } from "./did-route.ts";
import { docsPage } from "./docs/docs-page.ts";
import { type Greeting, greetingPage } from "./docs/greeting-page.ts";
import { contentPolicy, htmlOf, type Page } from "./docs/html.ts";
import { type Examples, findExamples } from "./examples.ts";
import { COMMON_HEADERS, REVALIDATED } from "./headers.ts";
import type { Health } from "./health.ts";
import { openApiDocument } from "./openapi.ts";
import { prefersHtml } from "./prefers-html.ts";
import { textOf } from "./print-body.ts";
import type { ReadAnswer } from "./read-answer.ts";

export type OwnParts = {
  readonly queries: Queries;
  readonly resolveDid: ResolveDid;
  readonly range: () => KeptRange | null;
  readonly heights: HeightParts;
  readonly answerRead: ReadAnswer;
  readonly health?: Health;
  /** What the chain registry is to be told; nothing without it. */
  readonly registry?: RegistryFacts;
  /** The door itself: what the documents show is asked through it. */
  readonly fetch: Fetch;
};

export type OwnRoute = {
  readonly path: string;
  /** Served whatever an operator denies. */
  readonly probe?: true;
  answer(request: Request): Response | Promise<Response>;
};

export function ownRoutes(parts: OwnParts): OwnRoute[] {
  const { range, fetch } = parts;
  const examples = onceForHeight<Examples>(range, async (latest) =>
    latest === null ? new Map() : await findExamples(askAt(fetch, latest)),
  );
  const openApi = onceForHeight(range, async () => json(openApiDocument(await factsOf(parts), await examples())));
  const greet = async (): Promise<Greeting> => greetingOf(await factsOf(parts), await examples());
  const give: Give = (request, { text, headers }) =>
    parts.answerRead(
      request,
      textOf(utf8Encode(text)),
      new Headers({ ...COMMON_HEADERS, ...SHARED_HEADERS, ...headers }),
    );
  return [
    {
      path: "/",
      answer: async (request) => {
        const greeting = await greet();
        const isPage = prefersHtml(request.headers.get("accept"));
        return give(request, isPage ? page(greetingPage(greeting)) : json(greeting));
      },
    },
    { path: "/docs", answer: async (request) => give(request, page(docsPage(await factsOf(parts)))) },
    { path: `${IDENTIFIERS}/*`, answer: (request) => answerDid(request, parts) },
    { path: "/openapi.json", answer: async (request) => give(request, await openApi()) },
    ...(parts.registry === undefined ? [] : registryRoutes(parts.registry, parts.queries, give)),
    ...(parts.health === undefined ? [] : probesOf(parts.health)),
  ];
}

function registryRoutes(facts: RegistryFacts, queries: Queries, give: Give): OwnRoute[] {
  return [
    { path: "/chain.json", answer: async (request) => give(request, json(await chainJson(facts, queries))) },
    { path: "/assetlist.json", answer: async (request) => give(request, json(await assetListJson(queries))) },
  ];
}

function probesOf(health: Health): OwnRoute[] {
  return [
    { path: "/healthz", probe: true, answer: () => health.live() },
    { path: "/readyz", probe: true, answer: (request) => health.ready(request) },
  ];
}

/** Made again only when there is a new height: what an old one showed might not be kept any more. */
function onceForHeight<T>(range: OwnParts["range"], make: (latest: bigint | null) => Promise<T>): () => Promise<T> {
  let height: bigint | null | undefined;
  let known: Promise<T>;
  return () => {
    const latest = range()?.latest ?? null;
    if (latest !== height) {
      height = latest;
      known = make(latest);
      // What failed once is tried again by the next who asks.
      known.catch(() => {
        height = undefined;
      });
    }
    return known;
  };
}

type Facts = { readonly version: string; readonly chainId: string; readonly range: KeptRange | null };

async function factsOf({ queries, range }: OwnParts): Promise<Facts> {
  const { body } = await queries.getNodeInfo(create(GetNodeInfoRequestSchema), undefined);
  const { applicationVersion, defaultNodeInfo } = fromBinary(GetNodeInfoResponseSchema, bodyBytes(body));
  return { version: applicationVersion?.version ?? "", chainId: defaultNodeInfo?.network ?? "", range: range() };
}

/** What a newcomer tries first; where the chain has nothing to show for one, the list in its place. */
const FIRST_QUERIES = [
  { id: "getDocumentByAlias", otherwise: "/vendor/project/identity/did" },
  { id: "listBalances", otherwise: "/core/bank/v1beta1/supply" },
  { id: "getToken", otherwise: "/core/bank/v1beta1/denoms_metadata" },
  { id: "listAccounts", otherwise: "/core/auth/v1beta1/accounts" },
  { id: "getLatestBlock", otherwise: "/core/base/consensus/v1beta1/blocks/latest" },
];

function greetingOf({ version, chainId, range }: Facts, examples: Examples): Greeting {
  return {
    name: "Orrery",
    version,
    chain_id: chainId,
    earliest_height: range === null ? null : String(range.earliest),
    latest_height: range === null ? null : String(range.latest),
    links: { docs: "/docs", openapi: "/openapi.json" },
    first_queries: FIRST_QUERIES.map(({ id, otherwise }) => examples.get(`primary ${id}`)?.url ?? otherwise),
  };
}

type Give = (request: Request, content: Content) => Response | Promise<Response>;

type Content = { readonly text: string; readonly headers: Readonly<Record<string, string>> };

const SHARED_HEADERS = { "cache-control": REVALIDATED, vary: "accept, accept-encoding" };

function json(value: object): Content {
  return { text: JSON.stringify(value), headers: {} };
}

function page(content: Page): Content {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicy(content),
    "referrer-policy": "no-referrer",
  };
  return { text: htmlOf(content), headers };
}
