// Searches the index of transactions or of blocks by a query. Conditions on attributes must be met by one event
// together, as the reference matches them; conditions on the height or the hash combine with any event.

import { type Bytes, concatBytes, fromHex, utf8Decode } from "../codec/bytes.ts";
import { type Condition, fulfils } from "../codec/event-query.ts";
import { type GiveWay, inOneGo } from "../give-way.ts";
import { keyAfter, prefixEnd } from "../store/key-range.ts";
import type { Entry, Reader } from "../store/store.ts";
import {
  attributePrefix,
  everyPrefix,
  heightBytes,
  type Indexed,
  type Place,
  placeAt,
  placeOfTx,
  readEntry,
  valuePrefix,
} from "./tx-index.ts";

/** A query that would read more of the index than one request may. */
export class SearchTooWide extends Error {
  override readonly name = "SearchTooWide";
}

/** The most entries of the index that one search reads. */
const SEARCH_BUDGET = 100_000;
const BATCH = 1000;

export type SearchOptions = {
  readonly budget?: number;
  /** Awaited now and then: a search may read very much. */
  readonly giveWay?: GiveWay;
};

/** The places that match, ascending. Throws SearchTooWide when the search would take too long. */
export async function searchIndex(
  reader: Reader,
  indexed: Indexed,
  conditions: readonly Condition[],
  { budget = SEARCH_BUDGET, giveWay = inOneGo }: SearchOptions = {},
): Promise<Place[]> {
  const search = new Search(reader, indexed, boundsOf(conditions, `${indexed}.height`), budget, giveWay);
  const byHash = conditions.filter(({ key }) => indexed === "tx" && key === "tx.hash");
  const onEvents = conditions.filter(({ key }) => key !== `${indexed}.height` && !byHash.some((c) => c.key === key));
  if (search.bounds === null) return [];
  let found: Map<string, Place> | null = null;
  for (const condition of byHash) found = meet(found, await search.hash(condition));
  if (onEvents.length > 0) found = meet(found, await search.events(onEvents));
  found ??= await search.every();
  return [...found.values()].sort(comparePlaces);
}

type Bounds = { readonly first: bigint; readonly last: bigint };

class Search {
  readonly bounds: Bounds | null;
  readonly #reader: Reader;
  readonly #indexed: Indexed;
  readonly #giveWay: GiveWay;
  #left: number;

  constructor(reader: Reader, indexed: Indexed, bounds: Bounds | null, budget: number, giveWay: GiveWay) {
    this.#reader = reader;
    this.#indexed = indexed;
    this.bounds = bounds;
    this.#left = budget;
    this.#giveWay = giveWay;
  }

  async hash({ operator, operand }: Condition): Promise<Map<string, Place>> {
    const place = operator === "=" && HASH.test(operand) ? await placeOfTx(this.#reader, fromHex(operand)) : null;
    return place !== null && this.#inBounds(place) ? new Map([[textOf(place), place]]) : new Map();
  }

  async every(): Promise<Map<string, Place>> {
    const prefix = everyPrefix(this.#indexed);
    const found = new Map<string, Place>();
    await this.#scan(this.#heights(prefix), ([key]) => {
      const place = placeAt(key, prefix.length);
      found.set(textOf(place), place);
    });
    return found;
  }

  /** Places with an event that meets all of the conditions. Equalities come first: they are the narrowest. */
  async events(conditions: readonly Condition[]): Promise<Map<string, Place>> {
    const narrowFirst = [...conditions].sort((a, b) => Number(isEquality(b)) - Number(isEquality(a)));
    let met: Map<string, Place> | null = null;
    for (const condition of narrowFirst) {
      met = meet(met, await this.#eventsOf(condition));
      if (met.size === 0) break;
    }
    return new Map([...(met ?? [])].map(([, place]) => [textOf(place), place]));
  }

  async #eventsOf(condition: Condition): Promise<Map<string, Place>> {
    const { key: name, operand } = condition;
    const equality = isEquality(condition);
    const prefix = attributePrefix(this.#indexed, name);
    const exact = valuePrefix(this.#indexed, name, operand);
    const range = equality ? this.#heights(exact) : { start: prefix, end: prefixEnd(prefix) };
    const found = new Map<string, Place>();
    await this.#scan(range, ([key]) => {
      const { value, place, event } = readEntry(key, prefix);
      if (!equality && !(this.#inBounds(place) && fulfils(condition, utf8Decode(value)))) return;
      found.set(`${textOf(place)}/${event}`, place);
    });
    return found;
  }

  #heights(prefix: Bytes): { start: Bytes; end: Bytes } {
    const { first, last } = this.bounds as Bounds;
    return {
      start: concatBytes(prefix, heightBytes(first)),
      end: concatBytes(prefix, heightBytes(last + 1n)),
    };
  }

  #inBounds({ height }: Place): boolean {
    const { first, last } = this.bounds as Bounds;
    return height >= first && height <= last;
  }

  async #scan({ start, end }: { start: Bytes; end: Bytes }, visit: (entry: Entry) => void): Promise<void> {
    let from = start;
    for (;;) {
      const entries = await this.#reader.range({ start: from, end, limit: BATCH });
      this.#left -= entries.length;
      if (this.#left < 0) {
        throw new SearchTooWide(
          `the search would read too much of the index; narrow it, for example with ${this.#indexed}.height`,
        );
      }
      entries.forEach(visit);
      await this.#giveWay();
      const last = entries.at(-1);
      if (last === undefined || entries.length < BATCH) return;
      from = keyAfter(last[0]);
    }
  }
}

const HASH = /^[0-9a-fA-F]{64}$/;
const LAST_HEIGHT = (1n << 63n) - 2n;

/** A time is compared by its instant, not by its text, so that only the other equalities can be looked up. */
function isEquality({ operator, kind }: Condition): boolean {
  return operator === "=" && kind !== "time";
}

/** What conditions on the height leave; null when they leave nothing. The height may be a number or in quotes. */
function boundsOf(conditions: readonly Condition[], key: string): Bounds | null {
  let [first, last] = [0n, LAST_HEIGHT];
  for (const { operator, operand } of conditions.filter((condition) => condition.key === key)) {
    if (operator === "EXISTS") continue;
    if (operator === "CONTAINS" || !/^-?\d{1,30}$/.test(operand)) return null;
    const height = BigInt(operand);
    if (operator !== "<" && operator !== "<=") first = max(first, operator === ">" ? height + 1n : height);
    if (operator !== ">" && operator !== ">=") last = min(last, operator === "<" ? height - 1n : height);
  }
  return first <= last ? { first, last } : null;
}

/** Entries that stand in both; the first list meets nothing yet. */
function meet(known: Map<string, Place> | null, more: Map<string, Place>): Map<string, Place> {
  return known === null ? more : new Map([...known].filter(([text]) => more.has(text)));
}

function textOf({ height, index }: Place): string {
  return `${height}/${index}`;
}

function comparePlaces(a: Place, b: Place): number {
  return a.height === b.height ? a.index - b.index : a.height < b.height ? -1 : 1;
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
