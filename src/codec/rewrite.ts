// A message copied with one of its fields written anew: for views of stored bytes that differ in a single place.

import type { Bytes } from "./bytes.ts";
import { LENGTH_DELIMITED, WireReader, type WireWriter } from "./wire.ts";

/**
 * Copies `message` into `output`. `replace` is called for each occurrence of the length-delimited `field` and writes
 * what stands in its place.
 */
export function rewriteField(message: Bytes, field: number, output: WireWriter, replace: (value: Bytes) => void): void {
  const wanted = field * 8 + LENGTH_DELIMITED;
  const reader = new WireReader(message);
  let copied = 0;
  while (!reader.done) {
    const start = reader.pos;
    const tag = reader.tag();
    if (tag !== wanted) {
      reader.skip(tag & 7);
      continue;
    }
    if (start > copied) output.raw(message.subarray(copied, start));
    replace(reader.view());
    copied = reader.pos;
  }
  if (copied < message.length) output.raw(message.subarray(copied));
}
