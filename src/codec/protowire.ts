// The protobuf wire format as the reference's own parser reads it, with the words in which it refuses: a transaction
// that cannot be read must be refused for the same reason.

import type { Bytes } from "./bytes.ts";
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT } from "./wire.ts";

/** The message is the reference's sentence, without the root that names the kind of error. */
export class ProtowireError extends Error {
  override readonly name = "ProtowireError";
}

export type Tag = { readonly number: number; readonly wireType: number; readonly end: number };

const START_GROUP = 3;
const END_GROUP = 4;

const EOF = "unexpected EOF";
const OVERFLOW = "proto: variable length integer overflow";
const MAX_FIELD_NUMBER = 0x7fffffffn;
const MAX_GROUP_DEPTH = 10_000;
const NAMES = ["varint", "fixed64", "bytes", "start_group", "end_group", "fixed32"];

export function wireTypeName(wireType: number): string {
  return NAMES[wireType] ?? `unknown type: ${wireType}`;
}

export function consumeTag(bytes: Bytes, at: number, end: number): Tag {
  const varint = consumeVarint(bytes, at, end);
  const number = varint.value >> 3n;
  if (number < 1n || number > MAX_FIELD_NUMBER) throw new ProtowireError("proto: invalid field number");
  return { number: Number(number), wireType: Number(varint.value & 7n), end: varint.end };
}

export function consumeVarint(bytes: Bytes, at: number, end: number): { value: bigint; end: number } {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    if (at + i >= end) throw new ProtowireError(EOF);
    const byte = bytes[at + i]!;
    if (i === 9 && byte > 1) break;
    value |= BigInt(byte & 127) << BigInt(7 * i);
    if (byte < 128) return { value, end: at + i + 1 };
  }
  throw new ProtowireError(OVERFLOW);
}

/** Where the value that begins at `at` ends. A group lasts until its own end marker. */
export function consumeValue(bytes: Bytes, { number, wireType }: Tag, at: number, end: number, depth = 0): number {
  switch (wireType) {
    case VARINT:
      return consumeVarint(bytes, at, end).end;
    case FIXED64:
    case FIXED32: {
      const after = at + (wireType === FIXED64 ? 8 : 4);
      if (after > end) throw new ProtowireError(EOF);
      return after;
    }
    case LENGTH_DELIMITED: {
      const length = consumeVarint(bytes, at, end);
      if (length.value > BigInt(end - length.end)) throw new ProtowireError(EOF);
      return length.end + Number(length.value);
    }
    case START_GROUP:
      return consumeGroup(bytes, number, at, end, depth);
    case END_GROUP:
      throw new ProtowireError("proto: mismatching end group marker");
    default:
      throw new ProtowireError("proto: cannot parse reserved wire type");
  }
}

function consumeGroup(bytes: Bytes, number: number, at: number, end: number, depth: number): number {
  if (depth >= MAX_GROUP_DEPTH) throw new ProtowireError("proto: exceeded maximum recursion depth");
  let position = at;
  for (;;) {
    const tag = consumeTag(bytes, position, end);
    if (tag.wireType === END_GROUP) {
      if (tag.number !== number) throw new ProtowireError("proto: mismatching end group marker");
      return tag.end;
    }
    position = consumeValue(bytes, tag, tag.end, end, depth + 1);
  }
}
