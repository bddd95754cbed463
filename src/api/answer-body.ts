// The body of an answer: a response message in protobuf. Where it consists of stored records as they are, it names them,
// and whoever made something of the same records before may find that again by them.

import type { Bytes } from "../codec/bytes.ts";
import { WireWriter } from "../codec/wire.ts";

export type Body = Bytes | RecordBody | PageBody;

/** The answer follows from one record alone. */
export type RecordBody = { readonly record: Bytes; readonly response: (record: Bytes) => Bytes };

/** What `item` makes of each entry of `runs` is field 1, one after the other; `rest` has the other fields. */
export type PageBody = { readonly runs: readonly Run[]; readonly item: Item; readonly rest: Bytes };

/** A message made of a stored entry, and of nothing else: always the same one for the same response. */
export type Item = (key: Bytes, value: Bytes) => Bytes;

/** The entries from `start` (inclusive) to `end` (exclusive) of some that lie together. */
export type Run = {
  readonly entries: readonly (readonly [key: Bytes, value: Bytes])[];
  /** The same array comes again for as long as they are what they are. */
  readonly isKept: boolean;
  readonly start: number;
  readonly end: number;
  /** From the last of them to the first. */
  readonly reverse: boolean;
};

export function bodyBytes(body: Body): Bytes {
  if (body instanceof Uint8Array) return body;
  if ("record" in body) return body.response(body.record);
  const writer = new WireWriter(4096);
  for (const { entries, start, end, reverse } of body.runs) {
    for (let i = 0; i < end - start; i++) {
      const [key, value] = entries[reverse ? end - 1 - i : start + i] as (typeof entries)[number];
      writer.messageField(1, body.item(key, value));
    }
  }
  return writer.raw(body.rest).finish();
}
