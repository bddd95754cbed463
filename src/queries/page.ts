// One page of a counted list under the shared page request: the only place that knows the paging rules.

import { type Body, bodyBytes, type Item } from "../api/answer-body.ts";
import { invalid } from "../api/errors.ts";
import { DEFAULT_LIMIT, LARGEST_LIMIT } from "../api/page-limits.ts";
import type { Bytes } from "../codec/bytes.ts";
import { WireWriter } from "../codec/wire.ts";
import type { PageRequest } from "../gen/cosmos/base/query/v1beta1/pagination_pb.ts";
import { countOf, entriesOf, type LeafRun, type List, readList } from "../state/list.ts";
import type { Entry, Snapshot } from "../store/store.ts";

/** In bytes of records, as they are stored: a bound for what one page costs, whatever the door makes of it. */
const LARGEST_PAGE = 8 * 1024 * 1024;

/** Entries with their full keys, leaf by leaf; `nextKey` is the key below the list's prefix of the entry after them. */
export type Page = {
  readonly runs: readonly LeafRun[];
  readonly nextKey: Bytes | null;
  readonly total: bigint;
  readonly isNewest: boolean;
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
  const { runs, bytes, total } = await readList(view, list, walk);
  const count = countOf(runs);
  if (order.key !== null && count === 0) throw invalid("pagination.key", "the list has nothing at this key");
  const kept = bytes > LARGEST_PAGE ? countWithin(entriesOf(runs), order.limit) : Math.min(count, order.limit);
  const [own, rest] = split(runs, kept);
  const next = rest[0] === undefined ? null : entriesOf(rest)[0];
  return {
    runs: own,
    nextKey: next == null ? null : next[0].slice(list.prefix.length),
    total: order.count ? BigInt(total) : 0n,
    isNewest: view.newest,
  };
}

/** The first `count` entries, and those behind them. */
function split(runs: readonly LeafRun[], count: number): [LeafRun[], LeafRun[]] {
  const own: LeafRun[] = [];
  const rest: LeafRun[] = [];
  let left = count;
  for (const run of runs) {
    const { start, end, reverse } = run;
    const taken = Math.min(end - start, left);
    left -= taken;
    if (taken > 0) own.push(reverse ? { ...run, start: end - taken } : { ...run, end: start + taken });
    if (taken < end - start) rest.push(reverse ? { ...run, end: end - taken } : { ...run, start: start + taken });
  }
  return [own, rest];
}

/**
 * The body of a list of what `item` makes of the entries: by default, their values as they are. The records of an old
 * height are read anew each time, so that there is no use in naming them.
 */
export function pageBody(page: Page, item: Item = (_, value) => value): Body {
  const rest = new WireWriter(64);
  writePagination(rest, 2, page);
  const body = { runs: page.runs, item, rest: rest.finish() };
  return page.isNewest ? body : bodyBytes(body);
}

/** The body of what follows from one record; as above. */
export function recordBody(view: Snapshot, record: Bytes, response: (record: Bytes) => Bytes): Body {
  return view.newest ? { record, response } : response(record);
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
  response.nestedField(field, () => {
    if (page.nextKey !== null) response.bytesField(1, page.nextKey);
    response.varintField(2, page.total);
  });
}
