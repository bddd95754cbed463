// Walks along the pages of a list. The first page decides the height, so that a list which grows meanwhile neither
// repeats an item nor misses one.

import type { CallOptions, Reading } from "./client.ts";

/** Reads one page at a height; at the newest when it is undefined. */
export type ReadPage = (
  parameters: object,
  options: CallOptions,
  height: bigint | undefined,
) => Promise<Reading<object>>;

type PageAnswer = { readonly pagination: { readonly next_key: string | null } };
type PageRequest = { readonly pagination?: { readonly [name: string]: unknown } };

export async function* pagesOf(
  readPage: ReadPage,
  parameters: PageRequest,
  options: CallOptions,
  pin: bigint | undefined,
): AsyncGenerator<Reading<object>, void, undefined> {
  let page = await readPage(parameters, options, pin);
  yield page;
  for (let key = nextKey(page); key !== null; key = nextKey(page)) {
    // What counts for the first page alone does not go with a key.
    const pagination = { ...parameters.pagination, key, offset: undefined, count_total: undefined };
    page = await readPage({ ...parameters, pagination }, options, page.height);
    yield page;
  }
}

export async function* itemsOf(
  pages: AsyncGenerator<Reading<object>, void, undefined>,
  member: string,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { answer } of pages) yield* (answer as { readonly [member: string]: readonly unknown[] })[member]!;
}

function nextKey({ answer }: Reading<object>): string | null {
  return (answer as PageAnswer).pagination.next_key;
}
