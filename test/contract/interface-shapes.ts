// Parts 2.1 to 2.8 of the interface document as shapes that a JSON value has or has not. Written by hand from the
// document, on purpose: shapes that came from our own types would agree with whatever we serve.

import type { Json, JsonObject } from "../harness/door.ts";

/** Calls `wrong` with a place and a reason for everything that is not as it should be. */
export type Shape = (value: Json | undefined, place: string, look: Look) => void;

/** What a check has come upon: the places that were seen filled, and what was wrong. */
export type Look = { readonly seen: Set<string>; readonly wrong: string[] };

export const string: Shape = primitive("string", "a string");
export const number: Shape = primitive("number", "a number");
export const boolean: Shape = primitive("boolean", "a boolean");
/** 64 bits: decimal digits in a string. */
export const integer: Shape = matching(/^-?(0|[1-9][0-9]*)$/, "a 64-bit integer in a string");
/** Bytes are strings in the document; ours are padded base64. */
export const bytes: Shape = matching(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "base64");
export const timestamp: Shape = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, "a time with three digits");

export function enumeration(name: RegExp): Shape {
  return matching(name, `a name like ${name.source}`);
}

export function list(element: Shape): Shape {
  return (value, place, look) => {
    if (!Array.isArray(value)) return fail(look, place, "an array", value);
    if (value.length > 0) look.seen.add(`${place}[]`);
    for (const item of value) element(item, `${place}[]`, look);
  };
}

export const stringMap: Shape = (value, place, look) => {
  if (!isObject(value)) return fail(look, place, "a map", value);
  if (Object.keys(value).length > 0) look.seen.add(`${place}{}`);
  for (const member of Object.values(value)) string(member, `${place}{}`, look);
};

/** Allowed for few fields only; design.md lists them. */
export function nullable(shape: Shape): Shape {
  return (value, place, look) => (value === null ? look.seen.add(`${place}=null`) : shape(value, place, look));
}

/** Every field of the document, and none besides. */
export function object(fields: Record<string, Shape>): Shape {
  return (value, place, look) => {
    if (!isObject(value)) return fail(look, place, "an object", value);
    checkFields(value, fields, place, look);
    for (const name of Object.keys(value))
      if (!(name in fields)) look.wrong.push(`${place}.${name}: not in the document`);
  };
}

/** One of the fields and no other: the document's "and/or". */
export function oneOf(fields: Record<string, Shape>): Shape {
  return (value, place, look) => {
    if (!isObject(value)) return fail(look, place, "an object", value);
    const [name, ...more] = Object.keys(value);
    const shape = name === undefined ? undefined : fields[name];
    if (name === undefined || shape === undefined || more.length > 0) {
      return fail(look, place, `one of ${Object.keys(fields).join(", ")}`, value);
    }
    checkFields(value, { [name]: shape }, place, look);
  };
}

/** The fields behind `@type` are those of its type, which the document does not show. */
export const typed: Shape = (value, place, look) => {
  if (!isObject(value)) return fail(look, place, "a typed object", value);
  matching(/^\/[A-Za-z0-9_.]+$/, "a type URL")(value["@type"], `${place}.@type`, look);
};

function checkFields(value: JsonObject, fields: Record<string, Shape>, place: string, look: Look): void {
  for (const [name, shape] of Object.entries(fields)) {
    if (!(name in value)) look.wrong.push(`${place}.${name}: missing`);
    else shape(value[name], `${place}.${name}`, look);
  }
}

function primitive(type: string, kind: string): Shape {
  return (value, place, look) => {
    look.seen.add(place);
    if (typeof value !== type) fail(look, place, kind, value);
  };
}

function matching(form: RegExp, kind: string): Shape {
  return (value, place, look) => {
    look.seen.add(place);
    if (typeof value !== "string" || !form.test(value)) fail(look, place, kind, value);
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fail(look: Look, place: string, kind: string, value: Json | undefined): void {
  look.wrong.push(`${place}: not ${kind}: ${JSON.stringify(value)?.slice(0, 80)}`);
}
