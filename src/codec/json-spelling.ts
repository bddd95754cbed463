// What a field is called, and what stands in its place when it is not set: the two spellings of the paths differ in a
// few names, in empty bytes and in times.

import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { AnySchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { empty_as_null, nullable, primary_name } from "../gen/orrery/options_pb.ts";

/** primary: the paths of the interface document. ecosystem: the `/cosmos` paths, exactly as the reference answers. */
export type Spelling = "primary" | "ecosystem";

/** Deeper than any message of the chain; a bound for those that a stranger makes up. */
export const MAX_DEPTH = 64;

export function jsonName(field: DescField, spelling: Spelling): string {
  return spelling === "primary" && hasOption(field, primary_name) ? getOption(field, primary_name) : field.name;
}

/** Members of a oneof and `optional` fields: set or not is part of their meaning, so an unset one is not written. */
function hasPresence(field: DescField): boolean {
  return field.oneof !== undefined || field.proto.proto3Optional;
}

/** Where presence counts, and in lists, an empty byte string is a value like others. */
export function isNullWhenEmpty(field: DescField, spelling: Spelling): boolean {
  if (field.fieldKind !== "scalar" || hasPresence(field)) return false;
  return spelling === "ecosystem" || getOption(field, empty_as_null);
}

/** The JSON of a field that is not set; undefined when nothing is written for it. */
export function absentJson(field: DescField, spelling: Spelling, depth = 0): string | undefined {
  if (hasPresence(field)) return undefined;
  switch (field.fieldKind) {
    case "list":
      return "[]";
    case "map":
      return "{}";
    case "enum":
      return JSON.stringify(field.enum.values[0]!.name);
    case "message":
      return getOption(field, nullable) ? "null" : absentMessage(field.message, spelling, depth);
    case "scalar":
      if (field.scalar === ScalarType.BYTES) return isNullWhenEmpty(field, spelling) ? "null" : '""';
      return scalarZero(field.scalar);
  }
}

export function scalarZero(type: ScalarType): string {
  if (type === ScalarType.BOOL) return "false";
  if (type === ScalarType.INT32 || type === ScalarType.UINT32) return "0";
  return type === ScalarType.INT64 || type === ScalarType.UINT64 ? '"0"' : '""';
}

function absentMessage(desc: DescMessage, spelling: Spelling, depth: number): string {
  if (depth > MAX_DEPTH) throw new Error(`${desc.typeName} contains itself: the field needs (orrery.nullable)`);
  // The reference's unset time is the first instant of year 1, not of 1970.
  if (desc.typeName === TimestampSchema.typeName) {
    return spelling === "primary" ? '"0001-01-01T00:00:00.000Z"' : '"0001-01-01T00:00:00Z"';
  }
  // There is no default for a typed object.
  if (desc.typeName === AnySchema.typeName) return "null";
  const members = desc.fields.flatMap((field) => {
    const value = absentJson(field, spelling, depth + 1);
    return value === undefined ? [] : [`${JSON.stringify(jsonName(field, spelling))}:${value}`];
  });
  return `{${members.join(",")}}`;
}
