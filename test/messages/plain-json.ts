// The JSON of a message the plain way: decode it into an object, then print the object. Slow and easy to check; the
// transcoder must say the same.

import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  getOption,
  hasOption,
  ScalarType,
} from "@bufbuild/protobuf";
import { type Any, AnySchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { messageOfTypeUrl } from "../../src/codec/any.ts";
import { empty_as_null, nullable, primary_name } from "../../src/gen/orrery/options_pb.ts";

type Spelling = "primary" | "ecosystem";
type Values = Record<string, unknown>;

export function plainJson(desc: DescMessage, bytes: Uint8Array, spelling: Spelling): string {
  return messageJson(desc, fromBinary(desc, bytes) as unknown as Values, spelling);
}

function messageJson(desc: DescMessage, message: Values, spelling: Spelling): string {
  if (desc.typeName === AnySchema.typeName) return anyJson(message as unknown as Any, spelling);
  if (desc.typeName === TimestampSchema.typeName) return timeJson(message as unknown as Timestamp, spelling);
  return `{${membersJson(desc, message, spelling).join(",")}}`;
}

function membersJson(desc: DescMessage, message: Values, spelling: Spelling): string[] {
  const members: string[] = [];
  for (const field of desc.fields) {
    const rename = spelling === "primary" && hasOption(field, primary_name);
    const name = rename ? getOption(field, primary_name) : field.name;
    const oneof = field.oneof && (message[field.oneof.localName] as { case?: string; value: unknown });
    if (oneof !== undefined && oneof.case !== field.localName) continue;
    const value = oneof === undefined ? message[field.localName] : oneof.value;
    if (field.proto.proto3Optional && value === undefined) continue;
    members.push(`${JSON.stringify(name)}:${fieldJson(field, value, spelling)}`);
  }
  return members;
}

function fieldJson(field: DescField, value: unknown, spelling: Spelling): string {
  if (field.fieldKind === "list")
    return `[${(value as unknown[]).map((item) => oneJson(field, item, spelling)).join(",")}]`;
  if (field.fieldKind === "map") {
    const entries = Object.entries(value as Values).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${oneJson(field, item, spelling)}`).join(",")}}`;
  }
  if (field.fieldKind === "message" && value === undefined) {
    if (getOption(field, nullable) || field.message.typeName === AnySchema.typeName) return "null";
    if (field.message.typeName !== TimestampSchema.typeName) {
      return messageJson(field.message, create(field.message) as unknown as Values, spelling);
    }
    return spelling === "primary" ? '"0001-01-01T00:00:00.000Z"' : '"0001-01-01T00:00:00Z"';
  }
  const isPlainBytes = field.scalar === ScalarType.BYTES && field.oneof === undefined && !field.proto.proto3Optional;
  if (isPlainBytes && (value as Uint8Array).length === 0) {
    return spelling === "ecosystem" || getOption(field, empty_as_null) ? "null" : '""';
  }
  return oneJson(field, value, spelling);
}

function oneJson(field: DescField, value: unknown, spelling: Spelling): string {
  if (field.message !== undefined) return messageJson(field.message, value as Values, spelling);
  if (field.enum !== undefined) {
    const known = field.enum.value[value as number];
    return known === undefined ? String(value) : JSON.stringify(known.name);
  }
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("base64"));
  return JSON.stringify(typeof value === "bigint" ? value.toString() : value);
}

function anyJson(any: Any, spelling: Spelling): string {
  const desc = messageOfTypeUrl(any.typeUrl);
  const type = `"@type":${JSON.stringify(any.typeUrl)}`;
  if (desc === undefined) return `{${type},"value":${JSON.stringify(Buffer.from(any.value).toString("base64"))}}`;
  const message = fromBinary(desc, any.value) as unknown as Values;
  return `{${[type, ...membersJson(desc, message, spelling)].join(",")}}`;
}

function timeJson({ seconds, nanos }: Timestamp, spelling: Spelling): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const digits = String(nanos).padStart(9, "0");
  if (spelling === "primary") return `"${whole}.${digits.slice(0, 3)}Z"`;
  const groups = digits.replace(/(000){1,3}$/, "");
  return groups === "" ? `"${whole}Z"` : `"${whole}.${groups}Z"`;
}
