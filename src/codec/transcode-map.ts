// Maps: entries are messages of a key and a value; JSON has them sorted by key, and of equal keys the last counts.

import { type Bytes, utf8Encode } from "./bytes.ts";
import { absentText, type FieldFrame, type FieldPlan, nextOf } from "./transcode-field.ts";
import type { Value } from "./transcode-value.ts";
import { LENGTH_DELIMITED } from "./wire.ts";
import { type WireCursor, WireError } from "./wire-cursor.ts";

/** Positions in the input. `valueAt` is -1 when the entry has no value, which then is the zero of its type. */
type Entry = { keyStart: number; keyEnd: number; valueAt: number; end: number };

const KEY_TAG = 8 + LENGTH_DELIMITED;
const COLON = 0x3a;
const CLOSE_OBJECT = 0x7d;

/** A map from strings to scalars. `zero` is the JSON of a value that its entry leaves out. */
export function mapField(frame: FieldFrame, value: Value, zero: string): FieldPlan {
  const name = utf8Encode(`,${JSON.stringify(frame.name)}:{`);
  const zeroText = utf8Encode(zero);
  const tag = frame.number * 8 + LENGTH_DELIMITED;
  const valueTag = 16 + value.wireType;
  return {
    tags: [tag],
    occurrences: "each",
    oneof: 0,
    absent: absentText(frame),
    print(cursor, out, end) {
      const entries: Entry[] = [];
      do entries.push(readEntry(cursor, cursor.delimited(end), valueTag));
      while (nextOf(cursor, end, tag, tag) !== 0);
      const after = cursor.at;
      out.chunk(name);
      const first = out.length;
      for (const entry of inOrder(cursor.bytes, entries)) {
        if (out.length > first) out.comma();
        out.string(cursor.bytes, entry.keyStart, entry.keyEnd);
        out.byte(COLON);
        cursor.at = entry.valueAt;
        if (entry.valueAt < 0) out.chunk(zeroText);
        else value.print(cursor, out, entry.end);
      }
      out.byte(CLOSE_OBJECT);
      cursor.at = after;
    },
  };
}

function readEntry(cursor: WireCursor, end: number, valueTag: number): Entry {
  const entry = { keyStart: 0, keyEnd: 0, valueAt: -1, end };
  while (cursor.at < end) {
    const tag = cursor.tag(end);
    if (tag === KEY_TAG) {
      entry.keyEnd = cursor.delimited(end);
      entry.keyStart = cursor.at;
      cursor.at = entry.keyEnd;
    } else {
      if (tag === valueTag) entry.valueAt = cursor.at;
      else if (tag < 24) throw new WireError(`a map entry with field ${tag >> 3} of wire type ${tag & 7}`);
      cursor.skip(tag, end);
    }
  }
  return entry;
}

function inOrder(bytes: Bytes, entries: Entry[]): Entry[] {
  for (let i = 1; i < entries.length; i++) {
    if (compareKeys(bytes, entries[i - 1]!, entries[i]!) >= 0) return sorted(bytes, entries);
  }
  return entries;
}

function sorted(bytes: Bytes, entries: Entry[]): Entry[] {
  // The sort is stable: of equal keys the last stays last.
  const all = entries.sort((a, b) => compareKeys(bytes, a, b));
  return all.filter((entry, i) => i + 1 === all.length || compareKeys(bytes, entry, all[i + 1]!) !== 0);
}

function compareKeys(bytes: Bytes, a: Entry, b: Entry): number {
  const aLength = a.keyEnd - a.keyStart;
  const bLength = b.keyEnd - b.keyStart;
  for (let i = 0; i < aLength && i < bLength; i++) {
    const difference = bytes[a.keyStart + i]! - bytes[b.keyStart + i]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}
