// One page of a counted list under the shared page request: the only place that knows the paging rules.

import type { PageBody } from "../api/answer-body.ts";
import { invalid } from "../api/errors.ts";
import type { Bytes } from "../codec/bytes.ts";
import { WireWriter } from "../codec/wire.ts";
import type { PageRequest } from "../gen/cosmos/base/query/v1beta1/pagination_pb.ts";
import { entriesOf, type LeafRun, type List, readList } from "../state/list.ts";
import type { Entry, Snapshot } from "../store/store.ts";

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 1000;
/** In bytes of records, as they are stored: a bound for what one page costs, whatever the door makes of it. */
const LARGEST_PAGE = 8 * 1024 * 1024;

/**
 * Entries with their full keys, also as the runs of leaves that they come from; `nextKey` is the key below the list's
 * prefix of the entry after the page.
 */
export type Page = {
  readonly entries: readonly Entry[];
  readonly runs: readonly LeafRun[];
  readonly nextKey: Bytes | null;
  readonly total: bigint;
};

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
  const walk = { ...start, reverse: order.reverse, limit: order.limit + 1, maxBytes: LARGEST_PAGE };
  const { runs, total } = await readList(view, list, walk);
  const entries = entriesOf(runs);
  if (order.key !== null && entries.length === 0) throw invalid("pagination.key", "the list has nothing at this key");
  const kept = countWithin(entries, order.limit);
  const next = entries[kept];
  if (next !== undefined) entries.length = kept;
  return {
    entries,
    runs: next === undefined ? runs : firstOf(runs, kept),
    nextKey: next === undefined ? null : next[0].slice(list.prefix.length),
    total: order.count ? BigInt(total) : 0n,
  };
}

function firstOf(runs: readonly LeafRun[], count: number): LeafRun[] {
  const kept: LeafRun[] = [];
  let left = count;
  for (const run of runs) {
    const taken = Math.min(run.end - run.start, left);
    if (taken === 0) break;
    kept.push(run.reverse ? { ...run, start: run.end - taken } : { ...run, end: run.start + taken });
    left -= taken;
  }
  return kept;
}

/** The body of a list whose items are the records as they are. */
export function pageBody(page: Page): PageBody {
  const rest = new WireWriter(64);
  writePagination(rest, 2, page);
  return { runs: page.runs, rest: rest.finish() };
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
