// The body of operation 18, in the two forms that it has: that of the interface document, where both members are text,
// and the ecosystem's, where `tx` is an object.

import { create, fromBinary } from "@bufbuild/protobuf";
import { type Bytes, EMPTY, equalBytes, fromBase64 } from "../codec/bytes.ts";
import { bytesFromJson, JsonMessageError } from "../codec/from-json.ts";
import type { Spelling } from "../codec/json-spelling.ts";
import { encodeMessage } from "../codec/reference-form.ts";
import { type SimulateRequest, SimulateRequestSchema } from "../gen/cosmos/tx/v1beta1/service_pb.ts";
import { TxSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { invalid } from "./errors.ts";
import { parseJson } from "./json-body.ts";
import { decodeValue, type QueryParameter } from "./query-string.ts";
import { illegalBase64, parseBool } from "./request.ts";

/** Throws a 400 that names the member at fault. The transaction comes out as bytes, however it was given. */
export function decodeSimulation(
  body: string,
  query: readonly QueryParameter[],
  spelling: Spelling,
  maxDepth: number,
): SimulateRequest {
  const skipSequenceCheck = flagOf(query, "skip_sequence_check");
  const json = body.trim() === "" ? null : parseJson(body, "body", maxDepth);
  const txBytes = spelling === "primary" ? primaryTx(membersOf(json), maxDepth) : ecosystemTx(membersOf(json ?? {}));
  if (txBytes === null) throw invalid("tx_bytes", "empty txBytes is not allowed");
  // An object without members is a transaction, if an empty one: it is refused for having no messages.
  return create(SimulateRequestSchema, { ...(txBytes.length > 0 ? { txBytes } : { tx: {} }), skipSequenceCheck });
}

function flagOf(query: readonly QueryParameter[], name: string): boolean {
  const [given, ...more] = query.filter((parameter) => parameter.name === name);
  if (more.length > 0) throw invalid(name, "given more than once");
  const text = given === undefined ? "" : decodeValue(given);
  return text !== "" && parseBool(text, name);
}

type Members = { readonly [name: string]: unknown };

/** For the ecosystem an empty body, and `null`, are an object without members. */
function membersOf(json: unknown): Members {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Members;
  throw invalid("body", "invalid request body: must be a JSON object");
}

/** Both are wanted, and either may be empty. Where both say something, they say the same. */
function primaryTx(members: Members, maxDepth: number): Bytes | null {
  const [tx, txBytes] = ["tx", "tx_bytes"].map((name) => {
    const value = members[name];
    if (value === undefined || value === null) throw invalid(name, "is required");
    if (typeof value !== "string") throw invalid(name, "must be a string");
    return value;
  }) as [string, string];
  const raw = base64(txBytes, "tx_bytes");
  if (tx.trim() === "") return txBytes === "" ? null : raw;
  const given = tx.trimStart().startsWith("{") ? txFromJson(parseJson(tx, "tx", maxDepth)) : base64(tx, "tx");
  if (raw.length === 0) return given;
  if (!equalBytes(given, raw) && !equalBytes(given, inOneForm(raw)))
    throw invalid("tx", "differs from tx_bytes: they must be the same transaction");
  return raw;
}

/** `tx_bytes` counts where it is given, but a `tx` beside it must still be one. */
function ecosystemTx({ tx, tx_bytes, txBytes = tx_bytes }: Members): Bytes | null {
  if (txBytes !== undefined && txBytes !== null && typeof txBytes !== "string") {
    throw invalid("tx_bytes", `json: cannot unmarshal ${kindOf(txBytes)} into Go value of type []uint8`);
  }
  const raw = base64(txBytes ?? "", "tx_bytes");
  if (tx === undefined || tx === null) return raw.length === 0 ? null : raw;
  if (typeof tx !== "object" || Array.isArray(tx)) {
    const reason = `json: cannot unmarshal ${kindOf(tx)} into Go value of type map[string]json.RawMessage`;
    throw invalid("tx", reason);
  }
  const given = txFromJson(tx);
  return raw.length === 0 ? given : raw;
}

/** JSON does not show in which of its forms a transaction was encoded; bytes that are none stay as they are. */
function inOneForm(raw: Bytes): Bytes {
  try {
    return encodeMessage(TxSchema, fromBinary(TxSchema, raw));
  } catch {
    return raw;
  }
}

function txFromJson(json: unknown): Bytes {
  try {
    return bytesFromJson(TxSchema, json);
  } catch (error) {
    if (error instanceof JsonMessageError) throw invalid("tx", error.message);
    throw error;
  }
}

/** Standard alphabet, padded. */
function base64(text: string, name: string): Bytes {
  if (text === "") return EMPTY;
  try {
    return fromBase64(text);
  } catch {
    throw illegalBase64(text, name);
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
