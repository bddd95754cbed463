// The arguments of a method: what kinds there are, and how each is read from JSON and from a URI.
//
// The two forms differ: in JSON, integers are strings, bytes base64 and hex plain; in a URI, strings stand in quotes,
// bytes are 0x-hex or a quoted text, and integers stand bare or in quotes.

import { type Bytes, EMPTY, fromBase64, fromHex, utf8Encode } from "../codec/bytes.ts";
import { INVALID_PARAMS, RpcError } from "./errors.ts";

/** height: an integer, or null when it is not given. */
type ArgumentValues = {
  height: bigint | null;
  int: bigint;
  string: string;
  bool: boolean;
  bytes: Bytes;
  hex: Bytes;
};

export type Kind = keyof ArgumentValues;

/** Names with their kinds, in the order in which a list of arguments gives them. */
export type Parameters = { readonly [name: string]: Kind };

export type Arguments<P extends Parameters> = { readonly [Name in keyof P]: ArgumentValues[P[Name]] };

const ZERO: ArgumentValues = { height: null, int: 0n, string: "", bool: false, bytes: EMPTY, hex: EMPTY };

/** `params` is an object by name, a list of all arguments, or nothing. Unknown names are ignored. */
export function argumentsFromJson<P extends Parameters>(parameters: P, params: unknown): Arguments<P> {
  const names = Object.keys(parameters);
  if (params === undefined || params === null) return readAll(parameters, () => undefined, "json", fromJson);
  if (Array.isArray(params)) {
    // An empty list is taken for no arguments: clients send it for methods whose arguments all have defaults.
    if (params.length !== names.length && params.length !== 0) {
      const given = params.map((value) => JSON.stringify(value)).join(" ");
      throw unreadable(
        "json",
        `expected ${names.length} parameters ([${names.join(" ")}]), got ${params.length} ([${given}])`,
      );
    }
    return readAll(parameters, (name) => params[names.indexOf(name)], "json", fromJson);
  }
  if (typeof params !== "object") throw unreadable("json", `params must be an object or a list, got ${typeof params}`);
  const object = params as Record<string, unknown>;
  return readAll(parameters, (name) => (Object.hasOwn(object, name) ? object[name] : undefined), "json", fromJson);
}

/** An argument that is missing or empty has its zero value. */
export function argumentsFromUri<P extends Parameters>(parameters: P, query: URLSearchParams): Arguments<P> {
  return readAll(parameters, (name) => query.get(name) || undefined, "http", fromUri);
}

function readAll<P extends Parameters, T>(
  parameters: P,
  given: (name: string) => T | undefined,
  form: "json" | "http",
  read: (kind: Kind, value: T) => unknown,
): Arguments<P> {
  const values: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(parameters)) {
    const value = given(name);
    if (value === undefined || value === null) values[name] = ZERO[kind];
    else {
      try {
        values[name] = read(kind, value);
      } catch (error) {
        throw unreadable(form, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return values as Arguments<P>;
}

function fromJson(kind: Kind, value: unknown): unknown {
  if (kind === "bool") {
    if (typeof value !== "boolean")
      throw new Error(`json: cannot unmarshal ${goKind(value)} into Go value of type bool`);
    return value;
  }
  if (kind === "height" || kind === "int") {
    if (typeof value !== "string") {
      throw new Error(`invalid 64-bit integer encoding ${JSON.stringify(String(value))}, expected string`);
    }
    return integer(value);
  }
  if (typeof value !== "string")
    throw new Error(`json: cannot unmarshal ${goKind(value)} into Go value of type string`);
  if (kind === "string") return value;
  return kind === "bytes" ? base64(value) : hex(value);
}

function fromUri(kind: Kind, text: string): unknown {
  const quoted = text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? unquote(text) : null;
  if (kind === "bool") {
    if (text === "true" || text === "false") return text === "true";
    throw new Error(`invalid character ${goCharacter(text)} looking for beginning of value`);
  }
  if (kind === "height" || kind === "int") {
    if (!INTEGER.test(quoted ?? text))
      throw new Error(`invalid 64-bit integer encoding ${JSON.stringify(text)}, expected string`);
    return integer(quoted ?? text);
  }
  const isHex = text.startsWith("0x");
  if (kind === "string") {
    if (isHex) return new TextDecoder().decode(hex(text.slice(2)));
    if (quoted === null) throw new Error(`invalid character ${goCharacter(text)} looking for beginning of value`);
    return quoted;
  }
  if (isHex) return hex(text.slice(2));
  if (quoted === null) throw new Error(`invalid character ${goCharacter(text)} looking for beginning of value`);
  // A quoted text is its own bytes, but for a hex argument, where it is hex.
  return kind === "hex" ? hex(quoted) : utf8Encode(quoted);
}

const INTEGER = /^-?\d+$/;
const MAX_INT64 = (1n << 63n) - 1n;

/** The complaints are those of Go's JSON reader, which reads the text inside the quotes. */
function integer(text: string): bigint {
  if (text === "") throw new Error("unexpected end of JSON input");
  if (!/^-?(?:0|[1-9]\d*)$/.test(text)) {
    const digits = /^-?\d+/.exec(text)?.[0];
    if (digits === undefined) throw new Error(`invalid character ${goCharacter(text)} looking for beginning of value`);
    if (INTEGER.test(text))
      throw new Error(`invalid character ${goCharacter(text.replace("-", "").slice(1))} after top-level value`);
    if (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
      throw new Error(`json: cannot unmarshal number ${text} into Go value of type int64`);
    }
    throw new Error(`invalid character ${goCharacter(text.slice(digits.length))} after top-level value`);
  }
  const value = text.length > 20 ? MAX_INT64 + 1n : BigInt(text);
  if (value > MAX_INT64 || value < -MAX_INT64 - 1n) {
    throw new Error(`json: cannot unmarshal number ${text} into Go value of type int64`);
  }
  return value;
}

function base64(text: string): Bytes {
  try {
    return fromBase64(text);
  } catch {
    const bad = /[^A-Za-z0-9+/]/.exec(text)?.index ?? text.length;
    throw new Error(`illegal base64 data at input byte ${bad}`);
  }
}

function hex(text: string): Bytes {
  try {
    return fromHex(text);
  } catch {
    const bad = /[^0-9a-fA-F]/.exec(text)?.[0];
    throw new Error(
      bad === undefined ? "encoding/hex: odd length hex string" : `encoding/hex: invalid byte: ${goRune(bad)}`,
    );
  }
}

/** Escapes count where the text is valid JSON; a text that is not stands for itself. */
function unquote(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

function unreadable(form: "json" | "http", reason: string): RpcError {
  return new RpcError(INVALID_PARAMS, `error converting ${form} params to arguments: ${reason}`);
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function goCharacter(text: string): string {
  return `'${String.fromCodePoint(text.codePointAt(0) ?? 0)}'`;
}

function goRune(character: string): string {
  const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  return `U+${point} '${character}'`;
}
