// The parameters of the operations, from their request messages, with the rule of each in words.

import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { AnyNeighbour } from "../api/neighbours.ts";
import type { AnyOperation } from "../api/operations.ts";
import { type Schema, scalarSchema } from "./openapi-schema.ts";

export type Parameter = {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
};

/** `path` is the path of the spelling under which the operation is shown. */
export function parametersOf(operation: AnyOperation | AnyNeighbour, path: string): Parameter[] {
  if (operation.method === "POST") return operation.id === "simulateTx" ? [SKIP_SEQUENCE_CHECK] : [];
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return queryFields(operation.rpc.input).map(({ name, field }) => ({
    name,
    in: inPath.has(name) ? "path" : "query",
    required: inPath.has(name) || operation.required.some((required) => required === name),
    description: RULES[name] ?? "",
    schema: parameterSchema(field),
  }));
}

/** A nested message gives parameters with its name before theirs, as api/request.ts reads them. */
function queryFields(desc: DescMessage): { name: string; field: DescField }[] {
  return desc.fields.flatMap((field) => {
    if (field.fieldKind !== "message") return [{ name: field.name, field }];
    return field.message.fields.map((inner) => ({ name: `${field.name}.${inner.name}`, field: inner }));
  });
}

function parameterSchema(field: DescField): Schema {
  if (field.fieldKind === "list") return { type: "array", items: { type: "string" } };
  if (field.fieldKind === "enum") return { type: "string", enum: field.enum.values.map(({ name }) => name) };
  const { scalar } = field;
  // Of a number's sign and leading zeros the request is laxer and stricter than an answer: digits only, any number.
  if (scalar === ScalarType.INT64 || scalar === ScalarType.UINT64) return { type: "string", pattern: "^[0-9]*$" };
  if (scalar === ScalarType.BYTES) return { type: "string" };
  return scalarSchema(scalar as ScalarType);
}

const SKIP_SEQUENCE_CHECK: Parameter = {
  name: "skip_sequence_check",
  in: "query",
  required: false,
  description: "When true, any sequence is taken for the right one.",
  schema: { type: "boolean" },
};

const RULES: Readonly<Record<string, string>> = {
  "pagination.key":
    "`pagination.next_key` of the page before, base64: the cheapest way to the next page. Not together with `pagination.offset`.",
  "pagination.offset": "How many entries to leave out. Not together with `pagination.key`.",
  "pagination.limit": "Entries in a page: 100 when empty or 0, at most 1,000 (more is cut to that).",
  "pagination.count_total":
    "When true, `pagination.total` is the exact number of all entries. Ignored with `pagination.key`. Without a limit the total is counted anyway.",
  "pagination.reverse": "When true, in descending order.",
  did: "A DID, without path, query and fragment.",
  key_id: "The id of a verification method, a DID, or key material: a multibase key, an account id, a JWK thumbprint.",
  service_id: "The id of a service, or a DID.",
  network_id: "A network name such as `testnet`, or a CAIP-2 chain id such as `cosmos:orrery-1`.",
  method_id: "A DID method such as `orr` or `did:orr`, or the id of a verification method.",
  aka_id: "An alias, exactly as the document lists it under `also_known_as`.",
  denom: "The denom of a token in its smallest unit. It may hold slashes, raw or escaped.",
  denoms: "Denoms; may be given more than once.",
  address: "An account's address, bech32.",
  address_string:
    "An account's address, bech32: its bytes are the answer. Or bytes in base64: the answer is their address.",
  id: "An account's number.",
  account_id: "An account's number, as newer clients name it; goes before `id`.",
  path: "Such as `/store/bank/key`.",
  data: "The key, base64.",
  prove: "When true, with the proof of what is there or is not.",
  height: "A block height: decimal digits, at least 1.",
  name: "The name of a module.",
  hash: "A transaction's hash, hex.",
  query: "A search such as `message.sender='…' AND tx.height>5`.",
  events: "One condition of a search, such as `message.sender='…'`; may be given more than once.",
  order_by: "The order of what is found.",
  page: "Which page, from 1.",
  limit: "Entries in a page.",
};
