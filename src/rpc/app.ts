// The RPC door: JSON-RPC by POST, by URI, and on a WebSocket, as the CometBFT 0.37 line speaks it. It receives the node
// as values and never sees who made them.

import type { Log } from "../log.ts";
import { INVALID_REQUEST } from "./errors.ts";
import { jsonResponse, PREFLIGHT_HEADERS } from "./http-response.ts";
import type { RpcNode } from "./method.ts";
import { methodListResponse } from "./method-list.ts";
import { answerPost, BODY_LIMIT } from "./post.ts";
import { openSocket, type Socket } from "./socket.ts";
import { Subscriptions } from "./subscriptions.ts";
import { answerUri } from "./uri.ts";

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
    case "POST": {
      if (url.pathname !== "/") return notFound();
      const body = await readBody(request);
      if (body === null) return tooLarge();
      return body === "" ? methodListResponse(node) : answerPost(node, body, log);
    }
    case "GET":
    case "HEAD":
      if (url.pathname === "/") return methodListResponse(node);
      return (await answerUri(node, url, log)) ?? notFound();
    default:
      return new Response("405 method not allowed\n", { status: 405, headers: { allow: "GET, HEAD, POST, OPTIONS" } });
  }
}

/** Null for a body above the limit. */
async function readBody(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_LIMIT) return null;
  const bytes = await request.bytes();
  return bytes.length > BODY_LIMIT ? null : new TextDecoder().decode(bytes);
}

function tooLarge(): Response {
  const data = "error reading request body: http: request body too large";
  return jsonResponse({ jsonrpc: "2.0", error: { ...INVALID_REQUEST, data } }, 400);
}

function notFound(): Response {
  return new Response("404 page not found\n", { status: 404, headers: { "access-control-allow-origin": "*" } });
}
