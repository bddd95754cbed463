// What the benchmark asks, and the most that each question may cost.

import type { BenchHome } from "./home.ts";

export type Scenario = {
  readonly name: string;
  /** What is asked, in words. */
  readonly asks: string;
  /** The path of the next request. */
  readonly path: () => string;
  /** In each round. */
  readonly requests: number;
  /** The most that it may cost, as a multiple of the constant answer or of the scenario named by `of`. */
  readonly target: number;
  readonly of?: string;
};

const IDENTITY = "/vendor/project/identity";
const ACCOUNTS = "/core/auth/v1beta1/accounts?pagination.limit=100";
const PAGE = "100 accounts";

export const CONSTANT: Scenario = {
  name: "constant answer",
  asks: "a Bun server that answers 17 bytes to everything",
  path: () => "/",
  requests: 24_000,
  target: 1,
};

export function scenariosOf({ dids, addresses, pageKeys }: BenchHome): Scenario[] {
  const did = () => encodeURIComponent(pick(dids));
  const alias = () => encodeURIComponent(`https://${pick(addresses)}.example/`);
  const far = Math.floor(pageKeys.length * 0.9);
  return [
    single("DID by id", "a random document", 3, () => `${IDENTITY}/did?did=${did()}`),
    single("look-up by key", "a random key id", 3.5, () => `${IDENTITY}/key?key_id=${did()}%23key-1`),
    single("look-up by service", "a random service id", 3.5, () => `${IDENTITY}/key?service_id=${did()}%23hub`),
    single("look-up by network", "the chain's network", 3.5, () => `${IDENTITY}/key?network_id=devnet`),
    single("look-up by method", "the chain's DID method", 3.5, () => `${IDENTITY}/key?method_id=orr`),
    single("look-up by alias", "a random alias", 3.5, () => `${IDENTITY}/key?aka_id=${alias()}`),
    single(
      "ten balances of one account",
      "all balances of a random account, with their total",
      3.5,
      () => `/core/bank/v1beta1/balances?address=${pick(addresses)}`,
    ),
    page(PAGE, "the page that begins at a random account", { target: 9 }, () => {
      return `${ACCOUNTS}&pagination.key=${encodeURIComponent(pick(pageKeys))}`;
    }),
    // Another page each time, like the page they are measured against: one page again and again would be a warm one.
    page(`${PAGE} near offset ${far}`, "the page at a random offset from there on", { target: 1.5, of: PAGE }, () => {
      return `${ACCOUNTS}&pagination.offset=${far + below(pageKeys.length - far - 100)}`;
    }),
    page(`${PAGE} with count_total`, "a page at a random offset, and their number", { target: 1.5, of: PAGE }, () => {
      return `${ACCOUNTS}&pagination.count_total=true&pagination.offset=${below(pageKeys.length - 100)}`;
    }),
  ];
}

function single(name: string, asks: string, target: number, path: () => string): Scenario {
  return { name, asks, path, requests: 12_000, target };
}

function page(name: string, asks: string, limit: { target: number; of?: string }, path: () => string): Scenario {
  return { name, asks, path, requests: 4_000, ...limit };
}

function pick<T>(items: readonly T[]): T {
  return items[below(items.length)] as T;
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}
