// A message copied with one of its fields written anew: for views of stored bytes that differ in a single place.

import type { Bytes } from "./bytes.ts";
import { LENGTH_DELIMITED, WireReader, WireWriter } from "./wire.ts";

/** `replace` is called for each occurrence of the length-delimited `field` and writes what stands in its place. */
export function rewriteField(
  message: Bytes,
  field: number,
  replace: (value: Bytes, output: WireWriter) => void,
): Bytes {
  const wanted = field * 8 + LENGTH_DELIMITED;
  const reader = new WireReader(message);
  const output = new WireWriter(message.length + 64);
  let copied = 0;
  while (!reader.done) {
    const start = reader.pos;
    const tag = reader.tag();
    if (tag !== wanted) {
      reader.skip(tag & 7);
      continue;
    }
    output.raw(message.subarray(copied, start));
    replace(reader.view(), output);
    copied = reader.pos;
  }
  return output.raw(message.subarray(copied)).finish();
}
