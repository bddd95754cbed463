// Where a range over keys begins and ends.

import type { Bytes } from "../codec/bytes.ts";

/**
 * The smallest key above all keys that begin with `prefix`: the `end` of a range over them.
 * Throws for a prefix that has no such key (empty, or 0xff throughout).
 */
export function prefixEnd(prefix: Uint8Array): Bytes {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  if (length === 0) throw new RangeError("no key lies above every key with this prefix");
  const end = prefix.slice(0, length);
  end[length - 1]! += 1;
  return end;
}

/** The next key in byte order: nothing lies between `key` and it. */
export function keyAfter(key: Uint8Array): Bytes {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}
