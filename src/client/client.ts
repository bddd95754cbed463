// The typed client of a node: one method for each operation, in browsers, Node and Bun.

import type { Answers, Integer, Items } from "./answers.ts";
import { type Endpoints, endpointsOf } from "./endpoints.ts";
import { ERROR_CODE, OrreryError } from "./error.ts";
import { INTEGERS, toBigints } from "./integers.ts";
import { OPERATIONS, type Operation, type OperationId } from "./operations.ts";
import type { IntegerInput, Parameters } from "./parameters.ts";
import { type ReadOptions, read } from "./read.ts";
import { prepareRequest } from "./request.ts";
import type { Fetch } from "./send.ts";
import { itemsOf, pagesOf, type ReadPage } from "./walk.ts";

export type ClientOptions<Form extends IntegerForm = "string"> = {
  /** How answers hold integers of 64 bits and more; default "string", as they are sent. */
  readonly integers?: Form | undefined;
  /** Default: the fetch function of the platform. */
  readonly fetch?: Fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For one request; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** How many more requests a call may send after 429, 503 or no answer; default: the number of endpoints + 2. */
  readonly retries?: number | undefined;
  /** The longest wait that a `Retry-After` is given; one that asks for more ends the call. Default 30,000. */
  readonly longestWaitMs?: number | undefined;
  /** How long all endpoints together may stay behind a height that was seen before; default 5,000. */
  readonly catchUpMs?: number | undefined;
};

export type IntegerForm = "string" | "bigint";

export type CallOptions = {
  /** Ends the call; what it throws is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's own. */
  readonly timeoutMs?: number | undefined;
};

/** An answer with where it comes from. */
export type Reading<Answer> = {
  readonly answer: Answer;
  /** The height that it was read at. */
  readonly height: bigint;
  readonly chainId: string;
  readonly endpoint: string;
};

type Given<P> =
  Record<never, never> extends P
    ? [parameters?: P | undefined, options?: CallOptions]
    : [parameters: P, options?: CallOptions];

/** Throws OrreryError; or a TypeError, before anything is sent, for parameters that the operation does not take. */
export type Method<P, Answer> = {
  (...given: Given<P>): Promise<Answer>;
  read(...given: Given<P>): Promise<Reading<Answer>>;
};

/** Walks read every page at the height of the first. */
export type ListMethod<P, Answer, Item> = Method<P, Answer> & {
  pages(...given: Given<P>): AsyncGenerator<Reading<Answer>, void, undefined>;
  all(...given: Given<P>): AsyncGenerator<Item, void, undefined>;
};

export type Client<N extends Integer = string> = {
  readonly [Id in OperationId]: Id extends keyof Items
    ? ListMethod<Parameters[Id], Answers<N>[Id], Items<N>[Id]>
    : Method<Parameters[Id], Answers<N>[Id]>;
} & {
  /** The same client, reading at one height. */
  at(height: IntegerInput): Client<N>;
  /** The highest height of any answer so far; no later call reads an older state, unless it is pinned. */
  readonly height: bigint | null;
};

/** `endpoints` in the order of preference; all of the same chain. */
export function createClient<Form extends IntegerForm = "string">(
  endpoints: string | readonly string[],
  options: ClientOptions<Form> = {},
): Client<Form extends "bigint" ? bigint : string> {
  return clientAt(endpointsOf(endpoints), options, undefined) as Client<Form extends "bigint" ? bigint : string>;
}

export type * from "./account.ts";
export type * from "./answers.ts";
export type * from "./block.ts";
export type * from "./document.ts";
export type { ErrorDetail, SimulationFailure } from "./error.ts";
export type * from "./parameters.ts";
export type { Fetch } from "./send.ts";
export type * from "./transaction.ts";
export type * from "./typed-object.ts";
export { ERROR_CODE, OrreryError };

type AnyMethod = ListMethod<object, object, unknown>;

/** The table says what each method is; the compiler cannot follow a table, so the types stand beside it. */
function clientAt(endpoints: Endpoints, options: ClientOptions<IntegerForm>, pin: bigint | undefined): object {
  const client: Record<string, unknown> = {
    at: (height: IntegerInput) => clientAt(endpoints, options, heightOf(height)),
    get height() {
      return endpoints.highest;
    },
  };
  for (const id of Object.keys(OPERATIONS) as OperationId[]) client[id] = methodOf(id, endpoints, options, pin);
  return client;
}

function methodOf(
  id: OperationId,
  endpoints: Endpoints,
  options: ClientOptions<IntegerForm>,
  pin: bigint | undefined,
): AnyMethod {
  const operation: Operation = OPERATIONS[id];
  const places = options.integers === "bigint" ? INTEGERS[id] : undefined;
  const readAt: ReadPage = async (parameters, call, height) => {
    const request = prepareRequest(operation, parameters);
    const reply = await read(endpoints, operation, request, readOptions(endpoints, options, call, height));
    const answer = toBigints(parse(reply.text, reply.endpoint), places) as object;
    return { answer, height: reply.height, chainId: reply.chainId, endpoint: reply.endpoint };
  };
  const reading = (parameters: object = {}, call: CallOptions = {}) => readAt(parameters, call, pin);
  const method = async (parameters?: object, call?: CallOptions) => (await reading(parameters, call)).answer;
  const { items } = operation;
  if (items === null) return Object.assign(method, { read: reading }) as AnyMethod;
  const pages = (parameters: object = {}, call: CallOptions = {}) => pagesOf(readAt, parameters, call, pin);
  const all = (parameters?: object, call?: CallOptions) => itemsOf(pages(parameters, call), items);
  return Object.assign(method, { read: reading, pages, all });
}

function readOptions(
  { list }: Endpoints,
  options: ClientOptions<IntegerForm>,
  call: CallOptions,
  pin: bigint | undefined,
): ReadOptions {
  return {
    // Not the function itself: browsers insist on `fetch` being called as their own.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    headers: options.headers ?? {},
    timeoutMs: call.timeoutMs ?? options.timeoutMs ?? 10_000,
    retries: options.retries ?? list.length + 2,
    longestWaitMs: options.longestWaitMs ?? 30_000,
    catchUpMs: options.catchUpMs ?? 5000,
    signal: call.signal,
    pin,
  };
}

function parse(text: string, endpoint: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OrreryError(`${endpoint} answered something that is not JSON`, {
      code: ERROR_CODE.internal,
      status: 200,
      endpoint,
      cause,
    });
  }
}

function heightOf(given: IntegerInput): bigint {
  const height = BigInt(given);
  if (height < 1n) throw new RangeError(`not a height: ${given}`);
  return height;
}
