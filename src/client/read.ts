// One call, over as many endpoints and tries as it takes. A reply is used only when it is one of this chain, and not
// older than what the client has seen before the call began: a call never goes back in height.

import { choose, type Endpoint, type Endpoints, rest, restAfterFailure } from "./endpoints.ts";
import { ERROR_CODE, OrreryError } from "./error.ts";
import type { Operation } from "./operations.ts";
import { pause } from "./pause.ts";
import { errorOf, isBusy, unusable } from "./reply-error.ts";
import type { PreparedRequest } from "./request.ts";
import { type Reply, type SendOptions, send } from "./send.ts";

export type ReadOptions = SendOptions & {
  /** How many more requests may be sent after failures. */
  readonly retries: number;
  /** The longest wait for an endpoint that asks to be left alone. */
  readonly longestWaitMs: number;
  /** How long endpoints may take to reach a height that is known to exist. */
  readonly catchUpMs: number;
};

/** A reply with status 200, at a height that is known. */
export type GoodReply = Reply & { readonly height: bigint; readonly chainId: string };

/** All 18 operations read, simulation too: each may be sent again. Throws OrreryError, or what the signal says. */
export async function read(
  endpoints: Endpoints,
  operation: Operation,
  request: PreparedRequest,
  options: ReadOptions,
): Promise<GoodReply> {
  const wanted = options.pin ?? endpoints.highest;
  const known = wanted !== null && endpoints.highest !== null && wanted <= endpoints.highest;
  const call: Call = { endpoints, operation, wanted, known, pin: options.pin };
  const excluded = new Set<Endpoint>();
  const lagging = { since: 0, times: 0 };
  let failures = 0;
  for (let sent = 0; ; sent++) {
    const endpoint = choose(endpoints, excluded)!;
    await untilRested(endpoint, sent === 0, options);
    const outcome = await attempt(call, endpoint, request, options);
    if (outcome.kind === "good") return outcome.reply;
    const { kind, error } = outcome;
    if (kind === "refused") throw error;
    if (kind === "failed") {
      restAfterFailure(endpoint, error);
      if (++failures > options.retries) throw error;
    } else if (kind === "lagging") {
      if (lagging.times === 0) lagging.since = Date.now();
      if (Date.now() - lagging.since >= options.catchUpMs) throw error;
      rest(endpoint, error, Math.min(1000, 100 * 2 ** Math.floor(lagging.times++ / endpoints.list.length)));
    } else {
      excluded.add(endpoint);
      if (excluded.size === endpoints.list.length) throw error;
    }
  }
}

type Call = {
  readonly endpoints: Endpoints;
  readonly operation: Operation;
  /** The least height that an endpoint must have reached; null when any will do. */
  readonly wanted: bigint | null;
  /** Whether that height exists for certain, so that waiting for it makes sense. */
  readonly known: boolean;
  readonly pin: bigint | undefined;
};

/**
 * refused: an error that the caller has to see. failed: no answer, or not now. lagging: this endpoint has not reached
 * the height yet. unfit: this endpoint will not answer this call, another one may.
 */
type Outcome =
  | { readonly kind: "good"; readonly reply: GoodReply }
  | { readonly kind: "refused" | "failed" | "lagging" | "unfit"; readonly error: OrreryError };

async function attempt(
  call: Call,
  endpoint: Endpoint,
  request: PreparedRequest,
  options: SendOptions,
): Promise<Outcome> {
  let reply: Reply;
  try {
    reply = await send(endpoint.url, request, options);
  } catch (error) {
    if (!(error instanceof OrreryError)) throw error;
    return { kind: "failed", error };
  }
  const outcome = judge(call, reply);
  if (outcome.kind !== "failed") endpoint.failures = 0;
  return outcome;
}

function judge(call: Call, reply: Reply): Outcome {
  const { endpoints, operation, wanted, known, pin } = call;
  if (isBusy(reply)) return { kind: "failed", error: errorOf(reply, operation) };
  const { height, chainId } = reply;
  if (chainId !== null && endpoints.chainId !== null && chainId !== endpoints.chainId) {
    return { kind: "unfit", error: unusable(reply, `serves the chain ${chainId}, not ${endpoints.chainId}`) };
  }
  const reached = reply.latest ?? height;
  if (wanted !== null && reached !== null && reached < wanted) {
    if (!known) return { kind: "unfit", error: errorOf(reply, operation) };
    const behind = `has reached height ${reached}, but ${wanted} was seen before`;
    return { kind: "lagging", error: unusable(reply, behind, ERROR_CODE.unavailable) };
  }
  // Another endpoint may keep more heights.
  if (reply.status === 410) return { kind: "unfit", error: errorOf(reply, operation) };
  if (reply.status !== 200) return { kind: "refused", error: errorOf(reply, operation) };
  if (height === null || chainId === null) {
    return {
      kind: "refused",
      error: unusable(reply, "answers without height and chain: its headers do not come through"),
    };
  }
  if (pin !== undefined && height !== pin) {
    return { kind: "refused", error: unusable(reply, `answers at height ${height} where ${pin} was asked for`) };
  }
  endpoints.chainId = chainId;
  if (endpoints.highest === null || height > endpoints.highest) endpoints.highest = height;
  return { kind: "good", reply: { ...reply, height, chainId } };
}

/** The first request of a call does not wait for a rest that was only our guess. */
async function untilRested(endpoint: Endpoint, first: boolean, options: ReadOptions): Promise<void> {
  const wait = endpoint.restsUntil - Date.now();
  if (wait <= 0 || (first && !endpoint.wished)) return;
  if (endpoint.wished && wait > options.longestWaitMs) throw endpoint.reason;
  await pause(wait, options.signal);
}
