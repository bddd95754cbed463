// One page of a counted list under the shared page request: the only place that knows the paging rules.

import { invalid } from "../api/errors.ts";
import type { Bytes } from "../codec/bytes.ts";
import { WireWriter } from "../codec/wire.ts";
import type { PageRequest } from "../gen/cosmos/base/query/v1beta1/pagination_pb.ts";
import { type List, readList, type Walk } from "../state/list.ts";
import type { Entry, Snapshot } from "../store/store.ts";

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 1000;
/** In bytes of records, as they are stored: a bound for what one page costs, whatever the door makes of it. */
const LARGEST_PAGE = 8 * 1024 * 1024;
/** A page of the default size is read at once. */
const FIRST_PART = DEFAULT_LIMIT + 1;

/** Entries with their full keys; `nextKey` is the key below the list's prefix of the entry after the page. */
export type Page = { readonly entries: readonly Entry[]; readonly nextKey: Bytes | null; readonly total: bigint };

export type PageOrder = {
  readonly key: Bytes | null;
  readonly offset: bigint;
  readonly limit: number;
  readonly count: boolean;
  readonly reverse: boolean;
};

/** `isKey` tells the keys that the list could hold from those it could not: a bad key must not give an empty page. */
export async function readPage(
  view: Snapshot,
  list: List,
  request: PageRequest | undefined,
  isKey: (key: Bytes) => boolean,
): Promise<Page> {
  const order = pageOrder(request);
  if (order.key !== null && !isKey(order.key)) throw invalid("pagination.key", "not a key of this list");
  const start = order.key === null ? { offset: order.offset } : { from: order.key };
  const walk = { ...start, reverse: order.reverse, limit: order.limit + 1 };
  const { entries, total } = await readParts(view, list, walk);
  if (order.key !== null && entries.length === 0) throw invalid("pagination.key", "the list has nothing at this key");
  const kept = countWithin(entries, order.limit);
  const next = entries[kept];
  if (next !== undefined) entries.length = kept;
  return {
    entries,
    nextKey: next === undefined ? null : next[0].slice(list.prefix.length),
    total: order.count ? BigInt(total) : 0n,
  };
}

/** How large the records are is known only when they are there: no more of them are read than a page could hold. */
async function readParts(view: Snapshot, list: List, walk: Walk): Promise<{ entries: Entry[]; total: number }> {
  if (walk.limit <= FIRST_PART) return await readList(view, list, walk);
  const { entries, total } = await readList(view, list, { ...walk, limit: FIRST_PART });
  let isWhole = entries.length < FIRST_PART;
  while (!isWhole && entries.length < walk.limit && countWithin(entries, entries.length) === entries.length) {
    const [from] = entries.pop() as Entry;
    const limit = Math.min(walk.limit - entries.length, entries.length * 2);
    const part = await readList(view, list, { from: from.slice(list.prefix.length), reverse: walk.reverse, limit });
    entries.push(...part.entries);
    isWhole = part.entries.length < limit;
  }
  return { entries, total };
}

/** How many of the first entries a page may hold: at least one, however large it is. */
function countWithin(entries: readonly Entry[], limit: number): number {
  const most = Math.min(entries.length, limit);
  let bytes = 0;
  for (let count = 0; count < most; count++) {
    bytes += (entries[count] as Entry)[1].length;
    if (bytes > LARGEST_PAGE && count > 0) return count;
  }
  return most;
}

/** A missing limit takes the default and counts the total, as the reference does; a larger one than ours is cut. */
export function pageOrder(request: PageRequest | undefined): PageOrder {
  if (request === undefined) return { key: null, offset: 0n, limit: DEFAULT_LIMIT, count: true, reverse: false };
  const key = request.key.length === 0 ? null : (request.key as Bytes);
  if (key !== null && request.offset > 0n) {
    throw invalid("pagination.offset", "invalid request, either offset or key is expected, got both");
  }
  const limit =
    request.limit === 0n ? DEFAULT_LIMIT : request.limit > LARGEST_LIMIT ? LARGEST_LIMIT : Number(request.limit);
  const count = key === null && (request.countTotal || request.limit === 0n);
  return { key, offset: request.offset, limit, count, reverse: request.reverse };
}

/** A page of what is at hand as a whole. Its page keys are positions in walking order, as four bytes. */
export function pageOfAll<T>(
  all: readonly T[],
  { key, offset, limit, reverse }: PageOrder,
): Pick<Page, "nextKey" | "total"> & { readonly items: readonly T[] } {
  const start = key === null ? Number(offset) : positionOf(key, all.length);
  const end = start + limit;
  return {
    items: (reverse ? all.toReversed() : all).slice(start, end),
    nextKey: end < all.length ? positionKey(end) : null,
    total: BigInt(all.length),
  };
}

function positionKey(position: number): Bytes {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, position);
  return key;
}

function positionOf(key: Bytes, count: number): number {
  const position = key.length === 4 ? new DataView(key.buffer, key.byteOffset).getUint32(0) : count;
  if (position >= count) throw invalid("pagination.key", "not a key of this list");
  return position;
}

/** Writes the PageResponse as `field` of a response. */
export function writePagination(response: WireWriter, field: number, page: Pick<Page, "nextKey" | "total">): void {
  const pagination = new WireWriter(32);
  if (page.nextKey !== null) pagination.bytesField(1, page.nextKey);
  response.messageField(field, pagination.varintField(2, page.total).finish());
}
