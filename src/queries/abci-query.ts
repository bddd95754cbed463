// The state as the RPC door asks for it: services by their path with protobuf in and out, and raw keys with proofs.

import { create, type DescMessage, type DescMethodUnary, fromBinary, type Message } from "@bufbuild/protobuf";
import { bodyBytes } from "../api/answer-body.ts";
import { ApiError, CODE } from "../api/errors.ts";
import { NEIGHBOURS, type NeighbourQueries } from "../api/neighbours.ts";
import { type Answer, OPERATIONS, type Queries } from "../api/operations.ts";
import type { AbciAnswer, AbciQuestion } from "../api/rpc-queries.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import { compileJson } from "../codec/transcode.ts";
import { SimulateRequestSchema, SimulateResponseSchema } from "../gen/cosmos/tx/v1beta1/service_pb.ts";
import type { Store } from "../store/store.ts";
import { AbciError } from "./abci-error.ts";
import { queryStore } from "./abci-store.ts";

export type AbciParts = {
  readonly store: Store;
  readonly queries: Queries;
  readonly neighbours: NeighbourQueries;
  readonly version: string;
};

type AnyQuery = (request: Message, height: bigint | undefined) => Promise<Answer>;
type Method = { readonly input: DescMessage; readonly answer: AnyQuery };

/** Never throws for a mistake of the caller: the answer carries its code. */
export function createAbciQuery(parts: AbciParts): (question: AbciQuestion) => Promise<AbciAnswer> {
  const methods = methodsOf(parts);
  return (question) => answered(parts.store, question, (chosen) => respond(parts, methods, chosen));
}

/** The same for the paths below `/store/` alone. */
export function queryStorePath(store: Store, question: AbciQuestion): Promise<AbciAnswer> {
  return answered(store, question, (chosen) => readStore(store, chosen));
}

type Respond = (question: AbciQuestion) => Promise<AbciAnswer>;

/** At the newest height where none is given. */
async function answered(store: Store, question: AbciQuestion, respond: Respond): Promise<AbciAnswer> {
  const height = question.height === 0n ? (store.head() ?? 0n) : question.height;
  try {
    return await respond({ ...question, height });
  } catch (error) {
    if (!(error instanceof AbciError)) throw error;
    const { code, codespace, message: log } = error;
    return { code, codespace, log, key: null, value: null, proof: null, height: 0n };
  }
}

async function readStore(store: Store, question: AbciQuestion): Promise<AbciAnswer> {
  const view = store.at(keptHeight(store, question));
  try {
    const found = await queryStore(view, question.path.slice("/store".length), question);
    return { code: 0, codespace: "", log: "", ...found, height: question.height };
  } finally {
    view.close();
  }
}

async function respond(parts: AbciParts, methods: Map<string, Method>, question: AbciQuestion): Promise<AbciAnswer> {
  const { path, data, height } = question;
  if (path === "") throw new AbciError(6, "no query path provided");
  const answer = { code: 0, codespace: "", log: "", key: null, value: null, proof: null, height };
  const method = methods.get(path);
  if (method !== undefined) return { ...answer, value: await callMethod(parts, method, path, question) };
  if (path.startsWith("/store/")) return readStore(parts.store, question);
  if (path === "/app/version") return { ...answer, codespace: "sdk", value: utf8Encode(parts.version) };
  if (path === "/app/simulate") {
    const request = create(SimulateRequestSchema, { txBytes: data });
    const { body } = await grpcErrors(path, () => parts.queries.simulateTx(request, height));
    return { ...answer, value: simulationJson(bodyBytes(body)) };
  }
  throw new AbciError(6, "unknown query path");
}

const simulationJson = compileJson(SimulateResponseSchema, "ecosystem");

async function callMethod(parts: AbciParts, method: Method, path: string, question: AbciQuestion): Promise<Bytes> {
  const height = keptHeight(parts.store, question);
  const request = decodeRequest(method.input, question.data);
  return bodyBytes((await grpcErrors(path, () => method.answer(request, height))).body);
}

function decodeRequest(input: DescMessage, data: Bytes): Message {
  try {
    return fromBinary(input, data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AbciError(18, `${input.typeName} cannot be decoded: ${reason}`);
  }
}

function keptHeight(store: Store, { height, prove }: AbciQuestion): bigint {
  const [earliest, latest] = [store.earliest(), store.head()];
  if (earliest === null || latest === null) throw new AbciError(18, "there is no block yet");
  if (height < 0n) throw new AbciError(18, "cannot query with height < 0; please provide a valid height");
  if (height > latest) {
    throw new AbciError(26, "cannot query with height in the future; please provide a valid height");
  }
  if (prove && height <= 1n) {
    throw new AbciError(18, "cannot query with proof when height <= 1; please provide a valid height");
  }
  if (height < earliest) {
    const reason = `it is not kept; the kept heights are ${earliest} to ${latest} (latest height: ${latest})`;
    throw new AbciError(18, `failed to load state at height ${height}; ${reason}`);
  }
  return height;
}

/** What a service refuses, as the reference wraps it on this way. */
async function grpcErrors<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message } = error;
    if (path.endsWith("imulate")) throw new AbciError(6, `rpc error: code = Unknown desc = ${message}`);
    if (error.code === CODE.notFound) throw new AbciError(22, `rpc error: code = NotFound desc = ${message}`);
    if (error.code === CODE.invalidArgument || error.code === CODE.outOfRange) {
      throw new AbciError(18, `rpc error: code = InvalidArgument desc = ${message}`);
    }
    throw new AbciError(6, `rpc error: code = Unknown desc = ${message}`);
  }
}

/** By the path under which the ecosystem calls them. New transactions do not come in on this way. */
function methodsOf({ queries, neighbours }: AbciParts): Map<string, Method> {
  const methods = new Map<string, Method>();
  const add = ({ rpc }: { rpc: DescMethodUnary }, answer: unknown) =>
    methods.set(`/${rpc.parent.typeName}/${rpc.name}`, { input: rpc.input, answer: answer as AnyQuery });
  for (const operation of OPERATIONS) add(operation, queries[operation.id]);
  for (const neighbour of NEIGHBOURS) if (neighbour.id !== "broadcastTx") add(neighbour, neighbours[neighbour.id]);
  return methods;
}
