// Request decoding, derived from the request descriptor: each scalar field is a parameter of its name, a nested
// message gives parameters with its name as prefix (`pagination.limit`). Every refusal names the parameter.

import { create, type DescEnum, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { type Bytes, fromBase64Lenient } from "../codec/bytes.ts";
import { type ApiError, invalid } from "./errors.ts";
import { decodeValue, type QueryParameter } from "./query-string.ts";

/** Decodes the request of one operation from query parameters and, under the ecosystem's spelling, path parameters. */
export type RequestDecoder = (query: readonly QueryParameter[], path: Readonly<Record<string, string>>) => Message;

/** An operation, or one of its neighbours. */
type Decodable = { readonly rpc: { readonly input: DescMessage }; readonly required: readonly string[] };

export function compileRequest(operation: Decodable): RequestDecoder {
  const { input } = operation.rpc;
  const parameters = parametersOf(input);
  return (query, path) => {
    const request = create(input) as Fields;
    const seen = new Set<string>();
    for (const name in path) {
      seen.add(name);
      if (path[name] === "") refuseEmpty(input, name);
      parameters.get(name)?.set(request, path[name] as string);
    }
    for (const given of query) {
      const parameter = parameters.get(given.name);
      if (parameter === undefined || parameter.name in path) continue;
      if (seen.has(parameter.name) && !parameter.repeated) throw invalid(parameter.name, "given more than once");
      seen.add(parameter.name);
      parameter.set(request, decodeValue(given));
    }
    for (const name of operation.required) if (!seen.has(name)) refuseMissing(input, name);
    return request;
  };
}

/** Text that is not there is empty text, which the operation itself judges. */
function refuseMissing(desc: DescMessage, name: string): void {
  const field = desc.fields.find((candidate) => candidate.name === name);
  if (field?.scalar !== ScalarType.STRING) throw invalid(name, `missing parameter ${name}`);
}

/** In a path nothing is never "not given": a number that is not there is no number. */
function refuseEmpty(desc: DescMessage, name: string): void {
  const field = desc.fields.find((candidate) => candidate.name === name);
  if (field !== undefined) parserOf(field)?.("", name);
}

type Fields = Message & { [localName: string]: unknown };
type Parameter = { readonly name: string; readonly repeated: boolean; set(request: Fields, text: string): void };

/** By proto name and by lowerCamel name, both of which the ecosystem's gateway accepts. */
function parametersOf(desc: DescMessage): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const field of desc.fields) {
    if (field.fieldKind === "message") addNested(parameters, field, field.message);
    else add(parameters, field.name, field.jsonName, setterOf(field, field.name), field.fieldKind === "list");
  }
  return parameters;
}

function addNested(parameters: Map<string, Parameter>, outer: DescField, desc: DescMessage): void {
  for (const field of desc.fields) {
    const name = `${outer.name}.${field.name}`;
    const set = setterOf(field, name);
    add(parameters, name, `${outer.jsonName}.${field.jsonName}`, (request, text) => {
      request[outer.localName] ??= create(desc);
      set(request[outer.localName] as Fields, text);
    });
  }
}

function add(
  parameters: Map<string, Parameter>,
  name: string,
  alias: string,
  set: Parameter["set"],
  repeated = false,
): void {
  parameters.set(name, { name, repeated, set });
  parameters.set(alias, { name, repeated, set });
}

/** Empty text counts as not given, except for a string field, where the operation itself judges it. */
function setterOf(field: DescField, name: string): Parameter["set"] {
  if (field.fieldKind === "list" && field.scalar === ScalarType.STRING) {
    return (request, text) => {
      if (text !== "") (request[field.localName] as string[]).push(text);
    };
  }
  const parse = parserOf(field);
  if (parse === undefined) return () => {};
  return (request, text) => {
    if (text !== "" || parse === parseText) request[field.localName] = parse(text, name);
  };
}

type Parse = (text: string, name: string) => unknown;

function parserOf(field: DescField): Parse | undefined {
  if (field.fieldKind === "enum") return (text, name) => parseEnum(field.enum, text, name);
  if (field.name === "height") return parseHeight;
  return field.fieldKind === "scalar" ? PARSERS[field.scalar] : undefined;
}

/** By name or by number. */
function parseEnum(desc: DescEnum, text: string, name: string): number {
  const found = desc.values.find((value) => value.name === text || String(value.number) === text);
  if (found === undefined) throw invalid(name, `${JSON.stringify(text)} is not valid`);
  return found.number;
}

const PARSERS: Partial<Record<ScalarType, Parse>> = {
  [ScalarType.STRING]: parseText,
  [ScalarType.UINT64]: (text, name) => parseInteger(text, name, MAX_UINT64),
  [ScalarType.INT64]: (text, name) => parseInteger(text, name, MAX_INT64),
  [ScalarType.BOOL]: parseBool,
  [ScalarType.BYTES]: parseBytes,
};

function parseText(text: string): string {
  return text;
}

/** Of a height below zero the reference says more than that it is no number. */
function parseHeight(text: string, name: string): bigint {
  if (/^-[0-9]+$/.test(text)) throw invalid(name, `${name} must be greater than 0, but got ${text}`);
  return parseInteger(text, name, MAX_INT64);
}

/** Decimal digits only; leading zeros are allowed. The sentences are those that the reference's parser says. */
export function parseInteger(text: string, name: string, max: bigint): bigint {
  if (!DIGITS.test(text)) throw invalid(name, `${parsing(text, max)}: invalid syntax`);
  // A number of more digits than any 64-bit integer has is refused before it is converted.
  const digits = text.replace(/^0+(?=\d)/, "");
  const value = digits.length > 20 ? max + 1n : BigInt(digits);
  if (value > max) throw invalid(name, `${parsing(text, max)}: value out of range`);
  return value;
}

function parsing(text: string, max: bigint): string {
  return `strconv.${max === MAX_INT64 ? "ParseInt" : "ParseUint"}: parsing ${JSON.stringify(text)}`;
}

export const MAX_INT64 = (1n << 63n) - 1n;
const MAX_UINT64 = (1n << 64n) - 1n;

const DIGITS = /^[0-9]+$/;
const TRUE = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const FALSE = new Set(["0", "f", "F", "FALSE", "false", "False"]);

export function parseBool(text: string, name: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw invalid(name, `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseBytes(text: string, name: string): Bytes {
  const bytes = fromBase64Lenient(text);
  if (bytes === null) throw illegalBase64(text, name, OUTSIDE_BOTH_ALPHABETS);
  return bytes;
}

/** The refusal tells the place, as the reference does: of the first stray character, else where the last group begins. */
export function illegalBase64(text: string, name: string, outside = OUTSIDE_ALPHABET): ApiError {
  const stray = text.search(outside);
  const place = stray === -1 ? text.length - (text.length % 4) : stray;
  return invalid(name, `illegal base64 data at input byte ${place}`);
}

const OUTSIDE_ALPHABET = /[^A-Za-z0-9+/]/;
/** A space is what became of a plus sign that was not escaped. */
const OUTSIDE_BOTH_ALPHABETS = /[^A-Za-z0-9+/_ -]/;
