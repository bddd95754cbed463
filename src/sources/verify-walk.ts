// Walks of a whole key range, a page at a time: what every check of stored data is made of.

import type { Bytes } from "../codec/bytes.ts";
import { keyAfter, prefixEnd } from "../store/key-range.ts";
import type { Entry, Reader } from "../store/store.ts";

/** What a check yields: one sentence for each thing that is wrong, and nothing when all is well. */
export type Findings = AsyncGenerator<string>;

const PAGE = 1000;

export async function* entriesBelow(reader: Reader, prefix: Bytes): AsyncGenerator<Entry> {
  const end = prefixEnd(prefix);
  let start = prefix;
  for (;;) {
    const page = await reader.range({ start, end, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    start = keyAfter(page.at(-1)![0]);
  }
}
