// The flags of `orrery query`: each parameter of an operation is one, named after it.

import { type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { AnyOperation } from "../api/operations.ts";
import { OPERATIONS as CLIENT_OPERATIONS, type Operation as ClientOperation } from "../client/operations.ts";
import type { Flag, Flags } from "./flags.ts";
import { parseHeight, parseSwitch, parseText } from "./values.ts";

/** The parameter's name in a request for each of the keys that `flags` has for it. */
export type QueryFlags = { readonly flags: Flags; readonly parameters: ReadonlyMap<string, string> };

/** Reads at a height; absent where `height` is a parameter of the operation itself. */
const height: Flag<bigint, null> = {
  placeholder: "N",
  about: "the state at this height, in place of the newest",
  fallback: null,
  parse: parseHeight,
  variable: false,
};

export function queryFlags(operation: AnyOperation): QueryFlags {
  const { query, body, required }: ClientOperation = CLIENT_OPERATIONS[operation.id];
  const flags: Record<string, Flags[string]> = {};
  const parameters = new Map<string, string>();
  for (const name of [...required, ...query, ...body]) {
    const key = keyOf(name);
    if (parameters.has(key)) continue;
    parameters.set(key, name);
    flags[key] = {
      ...(isSwitch(operation.rpc.input, name)
        ? { placeholder: null, parse: parseSwitch }
        : { placeholder: PLACEHOLDERS[name] ?? "TEXT", parse: parseText }),
      about: ABOUT[name] ?? name,
      fallback: null,
      variable: false,
      needed: required.includes(name),
    };
  }
  return { flags: parameters.has("height") ? flags : { ...flags, height }, parameters };
}

/** `pagination.count_total` is `--count-total`. */
function keyOf(parameter: string): string {
  return parameter.replace("pagination.", "").replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isSwitch(request: DescMessage, parameter: string): boolean {
  const [first, inner] = parameter.split(".");
  const field = request.fields.find(({ name }) => name === first);
  if (inner !== undefined) return field?.fieldKind === "message" && isSwitch(field.message, inner);
  return field?.fieldKind === "scalar" && field.scalar === ScalarType.BOOL;
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  "pagination.key": "KEY",
  "pagination.offset": "N",
  "pagination.limit": "N",
  did: "DID",
  key_id: "KEY",
  service_id: "ID",
  network_id: "NETWORK",
  method_id: "METHOD",
  aka_id: "ALIAS",
  denom: "DENOM",
  address: "ADDRESS",
  height: "N",
  tx: "TX",
  tx_bytes: "BASE64",
};

const ABOUT: Readonly<Record<string, string>> = {
  "pagination.key": "where the page begins: the key that the page before gave",
  "pagination.offset": "how many entries to leave out",
  "pagination.limit": "entries in the page: 100 unless given, at most 1000",
  "pagination.count_total": "count all entries",
  "pagination.reverse": "in descending order",
  did: "a DID, without path, query and fragment",
  key_id: "a verification method's id, a DID, or key material",
  service_id: "a service's id, or a DID",
  network_id: "a network such as testnet, or a chain id such as cosmos:orrery-1",
  method_id: "a DID method such as orr, or a verification method's id",
  aka_id: "an alias, exactly as the document lists it",
  denom: "a token in its smallest unit",
  address: "an account's address",
  height: "a block's height",
  tx: "the transaction as JSON text, or as base64",
  tx_bytes: "the raw transaction",
  skip_sequence_check: "take any sequence for the right one",
};
