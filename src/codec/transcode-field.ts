// Fields as the transcoder sees them: how one is recognised, printed, and put in order with its neighbours. A printed
// field begins with a comma; whoever prints the object turns the first one into its opening brace.

import { type Bytes, utf8Encode } from "./bytes.ts";
import type { JsonBuffer } from "./json-buffer.ts";
import type { Value } from "./transcode-value.ts";
import { LENGTH_DELIMITED } from "./wire.ts";
import type { WireCursor } from "./wire-cursor.ts";

export type FieldPlan = {
  /** The tags under which it may come: two for lists of numbers, packed or not. */
  readonly tags: readonly number[];
  /** What several occurrences mean: one value each, the last alone, or parts of one message. */
  readonly occurrences: "each" | "last" | "merged";
  /** A bit that the members of one oneof share; 0 for other fields. */
  readonly oneof: number;
  /** The field's text when it does not occur. */
  readonly absent: Bytes;
  /** Prints the value behind `tag`, and of a list or map all occurrences that follow at once. */
  print(cursor: WireCursor, out: JsonBuffer, end: number, tag: number): void;
};

/** What every kind of field has. `absent` is the JSON of an unset one, undefined when it is left out. */
export type FieldFrame = { readonly number: number; readonly name: string; readonly absent: string | undefined };

const CLOSE_LIST = 0x5d;

export function singleField(frame: FieldFrame, value: Value, isMessage: boolean, oneof: number): FieldPlan {
  const name = utf8Encode(`,${JSON.stringify(frame.name)}:`);
  return {
    tags: [frame.number * 8 + value.wireType],
    occurrences: isMessage ? "merged" : "last",
    oneof,
    absent: absentText(frame),
    print(cursor, out, end) {
      out.chunk(name);
      value.print(cursor, out, end);
    },
  };
}

export function listField(frame: FieldFrame, value: Value): FieldPlan {
  const name = utf8Encode(`,${JSON.stringify(frame.name)}:[`);
  const elementTag = frame.number * 8 + value.wireType;
  const packedTag = frame.number * 8 + LENGTH_DELIMITED;
  return {
    tags: elementTag === packedTag ? [elementTag] : [elementTag, packedTag],
    occurrences: "each",
    oneof: 0,
    absent: absentText(frame),
    print(cursor, out, end, firstTag) {
      out.chunk(name);
      const first = out.length;
      for (let tag = firstTag; tag !== 0; tag = nextOf(cursor, end, elementTag, packedTag)) {
        if (tag === elementTag) {
          if (out.length > first) out.comma();
          value.print(cursor, out, end);
        } else {
          const stop = cursor.delimited(end);
          while (cursor.at < stop) {
            if (out.length > first) out.comma();
            value.print(cursor, out, stop);
          }
        }
      }
      out.byte(CLOSE_LIST);
    },
  };
}

export function absentText({ name, absent }: FieldFrame): Bytes {
  return utf8Encode(absent === undefined ? "" : `,${JSON.stringify(name)}:${absent}`);
}

/** Steps over the next tag when it is one of the two, and returns it; 0 when another field or the end comes next. */
export function nextOf(cursor: WireCursor, end: number, tag: number, otherTag: number): number {
  if (cursor.at >= end) return 0;
  const before = cursor.at;
  const next = cursor.tag(end);
  if (next === tag || next === otherTag) return next;
  cursor.at = before;
  return 0;
}
