// JSON-RPC over POST: one request, or a batch of them.

import { givingWay } from "../give-way.ts";
import type { Log } from "../log.ts";
import { argumentsFromJson } from "./arguments.ts";
import { type Answer, answerTo, callMethod, errorObject, parseJson, type Request, readRequest } from "./call.ts";
import { INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, RpcError, SERVER_ERROR } from "./errors.ts";
import { jsonResponse, jsonTextResponse } from "./http-response.ts";
import type { RpcNode } from "./method.ts";
import { methodsOf } from "./methods.ts";

/** The reference's limit of a body, in bytes. */
export const BODY_LIMIT = 1_000_000;
/** The most requests of one batch. */
const BATCH_LIMIT = 100;
/** How much the answers to a batch may hold together, in characters; the one that goes beyond it still counts. */
const BATCH_ANSWER_LIMIT = 8_000_000;
const BATCH_FULL = {
  ...SERVER_ERROR,
  data: `not done: the answers before this one hold more than ${BATCH_ANSWER_LIMIT} bytes; ask in smaller batches`,
};

/** `body` is not empty. */
export async function answerPost(node: RpcNode, body: string, log: Log): Promise<Response> {
  let requests: Request[];
  try {
    requests = readBody(body);
  } catch (error) {
    const object = errorObject(error, log);
    return jsonResponse({ jsonrpc: "2.0", error: object }, object.code === PARSE_ERROR.code ? 500 : 400);
  }
  const answers = await answerAll(node, requests, log);
  const [only] = answers;
  if (only === undefined) return new Response("", { headers: { "access-control-allow-origin": "*" } });
  return jsonTextResponse(answers.length === 1 ? only : `[${answers.join(",")}]`, 200);
}

/**
 * As JSON texts, one after the other. Between two of them others are served; once they are large enough together,
 * nothing more of the batch is done.
 */
async function answerAll(node: RpcNode, requests: readonly Request[], log: Log): Promise<string[]> {
  const giveWay = givingWay();
  const texts: string[] = [];
  let length = 0;
  for (const request of requests) {
    if (request.id === null) continue;
    await giveWay();
    const full = length > BATCH_ANSWER_LIMIT;
    const answer = full ? answerTo(request.id, { error: BATCH_FULL }) : await answerRequest(node, request, log);
    const text = JSON.stringify(answer);
    length += text.length;
    texts.push(text);
  }
  return texts;
}

/** Methods of subscriptions are not among those that this knows. */
export async function answerRequest(node: RpcNode, { id, method: name, params }: Request, log: Log): Promise<Answer> {
  const method = methodsOf(node).get(name);
  if (method === undefined) return answerTo(id, { error: METHOD_NOT_FOUND });
  try {
    return answerTo(id, await callMethod(node, method, argumentsFromJson(method.parameters, params), log));
  } catch (error) {
    return answerTo(id, { error: errorObject(error, log) });
  }
}

function readBody(body: string): Request[] {
  const json = parseJson(body);
  if (!Array.isArray(json)) return [readRequest(json)];
  if (json.length > BATCH_LIMIT) {
    throw new RpcError(INVALID_REQUEST, `a batch of ${json.length} requests; at most ${BATCH_LIMIT} are possible`);
  }
  return json.map(readRequest);
}
