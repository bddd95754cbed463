// Puts the fields of a message into their declared order, with every single field at most once: what protobuf says that
// repeated occurrences mean, done on the bytes.

import { type Bytes, concatBytes } from "./bytes.ts";
import type { FieldPlan } from "./transcode-field.ts";
import { WireWriter } from "./wire.ts";
import { WireCursor } from "./wire-cursor.ts";

/** Where a field lies with its tag, and where the value behind the tag begins. */
type Occurrence = { start: number; valueAt: number; end: number; tag: number };

type Message = { readonly fields: readonly FieldPlan[]; indexOf(tag: number): number };

/** Unknown fields are dropped. The messages inside are left as they are. */
export function inFieldOrder(message: Message, bytes: Bytes): Bytes {
  const found: Occurrence[][] = message.fields.map(() => []);
  const cursor = new WireCursor(bytes);
  while (cursor.at < bytes.length) {
    const start = cursor.at;
    const tag = cursor.tag(bytes.length);
    const valueAt = cursor.at;
    cursor.skip(tag, bytes.length);
    const index = message.indexOf(tag);
    if (index < 0) continue;
    dropExcluded(message.fields, found, index);
    found[index]!.push({ start, valueAt, end: cursor.at, tag });
  }
  return concatBytes(...message.fields.flatMap((field, index) => written(field, found[index]!, bytes)));
}

/** Setting a member of a oneof unsets the others. */
function dropExcluded(fields: readonly FieldPlan[], found: Occurrence[][], index: number): void {
  const { oneof } = fields[index]!;
  if (oneof === 0) return;
  fields.forEach((field, other) => {
    if (other !== index && (field.oneof & oneof) !== 0) found[other] = [];
  });
}

function written(field: FieldPlan, occurrences: Occurrence[], bytes: Bytes): Bytes[] {
  const last = occurrences.at(-1);
  if (last === undefined) return [];
  if (field.occurrences === "merged" && occurrences.length > 1) return [merged(occurrences, bytes)];
  const kept = field.occurrences === "each" ? occurrences : [last];
  return kept.map(({ start, end }) => bytes.subarray(start, end));
}

/** Messages merge as their bytes join. */
function merged(occurrences: Occurrence[], bytes: Bytes): Bytes {
  const payloads = occurrences.map(({ valueAt, end }) => {
    const cursor = new WireCursor(bytes);
    cursor.at = valueAt;
    const stop = cursor.delimited(end);
    return bytes.subarray(cursor.at, stop);
  });
  return new WireWriter().messageField(occurrences[0]!.tag >>> 3, concatBytes(...payloads)).finish();
}
