// Pages of an answer: 30 entries unless asked otherwise, never more than 100.

import { RpcRefusal } from "../api/rpc-queries.ts";

const DEFAULT_SIZE = 30;
const LARGEST_SIZE = 100;

/** Pages count from 1. Whether there is such a page is said where the number of entries is known. */
export function pageArguments({ page, per_page: size }: { page: bigint | null; per_page: bigint | null }): {
  page: number;
  perPage: number;
} {
  const perPage = size === null || size < 1n ? DEFAULT_SIZE : size > LARGEST_SIZE ? LARGEST_SIZE : Number(size);
  if (page !== null && page > MOST_PAGES)
    throw new RpcRefusal(`page should be within [1, ${MOST_PAGES}] range, given ${page}`);
  return { page: page === null ? 1 : Number(page), perPage };
}

const MOST_PAGES = 1_000_000_000n;
