// Refuses what a message does not have, down through every message inside it, also inside typed objects. A signature
// must not cover anything that the chain would not look at.

import type { DescMessage } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { messageOfTypeUrl } from "./any.ts";
import type { Bytes } from "./bytes.ts";
import { type WalkField, type WalkMessage, walkOf } from "./message-walk.ts";
import { consumeTag, consumeValue, consumeVarint, ProtowireError, type Tag, wireTypeName } from "./protowire.ts";
import { readValues } from "./read-values.ts";
import { LENGTH_DELIMITED } from "./wire.ts";

/** strict: no unknown field at all. lenient: those that say of themselves that they may be ignored are let through. */
export type Strictness = "strict" | "lenient";

/** Field numbers with this bit are not critical. */
const NON_CRITICAL = 1024;
// The reference goes 10,000 deep; our own stack and decoder do not, and no message of the chain comes near.
const MAX_DEPTH = 100;

/** Returns whether fields were let through. Throws ProtowireError. */
export function refuseUnknownFields(desc: DescMessage, bytes: Bytes, strictness: Strictness): boolean {
  return walkMessage(walkOf(desc), bytes, strictness, 0);
}

function walkMessage(walk: WalkMessage, bytes: Bytes, strictness: Strictness, depth: number): boolean {
  if (depth > MAX_DEPTH) throw new ProtowireError("recursion limit reached");
  let ignored = false;
  for (let at = 0; at < bytes.length; ) {
    const tag = tagAt(bytes, at);
    const field = walk.fields.get(tag.number);
    if (field === undefined) refuseUnlessIgnorable(walk, tag, strictness);
    else refuseOtherWireType(walk, tag, field);
    const end = valueEnd(bytes, tag);
    if (field === undefined) ignored = true;
    else if (field.inner !== null) {
      const inner = bytes.subarray(consumeVarint(bytes, tag.end, end).end, end);
      ignored = walkInner(field.inner, inner, strictness, depth + 1) || ignored;
    }
    at = end;
  }
  return ignored;
}

function walkInner(walk: WalkMessage, bytes: Bytes, strictness: Strictness, depth: number): boolean {
  const ignored = walkMessage(walk, bytes, strictness, depth);
  if (!walk.isAny) return ignored;
  const { typeUrl, value } = readValues(AnySchema, bytes);
  const desc = messageOfTypeUrl(typeUrl);
  if (desc === undefined) throw new ProtowireError(`unable to resolve type URL ${typeUrl}`);
  return walkMessage(walkOf(desc), value as Bytes, strictness, depth + 1) || ignored;
}

function tagAt(bytes: Bytes, at: number): Tag {
  try {
    return consumeTag(bytes, at, bytes.length);
  } catch {
    throw new ProtowireError("invalid length");
  }
}

function valueEnd(bytes: Bytes, tag: Tag): number {
  try {
    return consumeValue(bytes, tag, tag.end, bytes.length);
  } catch (error) {
    const place = `tagNum: ${tag.number}, wireType: "${wireTypeName(tag.wireType)}"`;
    throw new ProtowireError(`could not consume field value for ${place}; ${(error as Error).message}`);
  }
}

function refuseUnlessIgnorable(walk: WalkMessage, { number, wireType }: Tag, strictness: Strictness): void {
  if (strictness === "lenient" && (number & NON_CRITICAL) !== 0) return;
  const place = `{TagNum: ${number}, WireType:"${wireTypeName(wireType)}"}`;
  throw new ProtowireError(`errUnknownField "${walk.goType}": ${place}`);
}

function refuseOtherWireType(walk: WalkMessage, { number, wireType }: Tag, field: WalkField): void {
  // Bytes may be a packed list of numbers; whether the field is a list is found when values are read.
  if (wireType === field.wireType || wireType === LENGTH_DELIMITED) return;
  const types = `GotWireType: "${wireTypeName(wireType)}" != WantWireType: "${wireTypeName(field.wireType)}"`;
  throw new ProtowireError(`Mismatched "${walk.goType}": {TagNum: ${number}, ${types}}`);
}
