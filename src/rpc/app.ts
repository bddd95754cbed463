// The RPC door: JSON-RPC by POST, by URI, and on a WebSocket, as the CometBFT 0.37 line speaks it. It receives the node
// as values and never sees who made them.

import { readBodyText } from "../api/body.ts";
import { ApiError } from "../api/errors.ts";
import type { Log } from "../log.ts";
import { INVALID_REQUEST } from "./errors.ts";
import { jsonResponse, PREFLIGHT_HEADERS } from "./http-response.ts";
import type { RpcNode } from "./method.ts";
import { methodListResponse } from "./method-list.ts";
import { answerPost, BODY_LIMIT } from "./post.ts";
import { openSocket, type Socket } from "./socket.ts";
import { Subscriptions } from "./subscriptions.ts";
import { answerUri } from "./uri.ts";

/** How long a body may take to come. */
const BODY_TIMEOUT_MS = 10_000;

export type RpcApp = {
  fetch(request: Request): Promise<Response>;
  /** `send` hands a text frame to the connection. */
  connect(send: (text: string) => boolean): Socket;
  /** No more events after this. */
  close(): void;
};

export function createRpcApp(node: RpcNode, log: Log): RpcApp {
  const subscriptions = new Subscriptions();
  const close = node.onBlock((block) => subscriptions.announce(block));
  return {
    fetch: (request) => answer(node, request, log),
    connect: (send) => openSocket({ node, subscriptions, log, send }),
    close,
  };
}

async function answer(node: RpcNode, request: Request, log: Log): Promise<Response> {
  const url = new URL(request.url);
  switch (request.method) {
    case "OPTIONS":
      return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
    case "POST":
      return url.pathname === "/" ? answerBody(node, request, log) : notFound();
    case "GET":
    case "HEAD":
      if (url.pathname === "/") return methodListResponse(node);
      return (await answerUri(node, url, log)) ?? notFound();
    default:
      return new Response("405 method not allowed\n", { status: 405, headers: { allow: "GET, HEAD, POST, OPTIONS" } });
  }
}

async function answerBody(node: RpcNode, request: Request, log: Log): Promise<Response> {
  let body: string;
  try {
    body = await readBodyText(request, { maxBody: BODY_LIMIT, bodyTimeoutMs: BODY_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof ApiError) return unreadable(error);
    throw error;
  }
  return body === "" ? methodListResponse(node) : answerPost(node, body, log);
}

/** In the reference's words where it has some. */
function unreadable({ status, message }: ApiError): Response {
  const reason = status === 413 ? "http: request body too large" : message;
  const error = { ...INVALID_REQUEST, data: `error reading request body: ${reason}` };
  return jsonResponse({ jsonrpc: "2.0", error }, 400);
}

function notFound(): Response {
  return new Response("404 page not found\n", { status: 404, headers: { "access-control-allow-origin": "*" } });
}
