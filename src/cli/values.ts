// What the values of flags look like as text, and what they mean.

import { homedir } from "node:os";
import { join } from "node:path";
import { type Coin, normalizeCoins, parseCoins } from "../codec/coin.ts";
import { type GasPrice, parseGasPrices } from "../codec/gas-price.ts";
import { HIDEABLE, type HostPort } from "../node.ts";
import { UsageError } from "./flags.ts";

export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/;
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, "": 1000, m: 60_000, h: 3_600_000 };
const LONGEST = 24 * 3_600_000;

export function parseText(text: string): string {
  if (text === "") throw new UsageError("the value is empty");
  return text;
}

/** A path; `~/` is the home folder of the user, also where no shell has replaced it. */
export function parsePath(text: string): string {
  return text.startsWith("~/") ? join(homedir(), text.slice(2)) : parseText(text);
}

export function parseSwitch(text: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw new UsageError(`${JSON.stringify(text)} is neither true nor false`);
}

/** `127.0.0.1:1317`, `localhost:0`, `[::1]:1317`: an IPv6 address needs its brackets, or its end is in doubt. */
export function parseHostPort(text: string): HostPort {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined) throw new UsageError(`${JSON.stringify(text)} is not HOST:PORT, such as 127.0.0.1:1317`);
  if (port > 65_535) throw new UsageError(`port ${port} is above 65535`);
  return { host, port };
}

/** The address of a door, without a slash at its end. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${JSON.stringify(text)} is not an address such as http://127.0.0.1:1317`);
  }
  return text.replace(/\/+$/, "");
}

/** Milliseconds of `5s`, `500ms`, `1m`, `0.5s`; a plain number means seconds. */
export function parseDuration(text: string): number {
  const match = DURATION.exec(text);
  if (match === null) throw new UsageError(`${JSON.stringify(text)} is not a duration, such as 5s, 500ms or 1m`);
  const duration = Number(match[1]) * MILLISECONDS[match[2]!]!;
  if (duration < 1) throw new UsageError(`${text} is below 1ms`);
  if (duration > LONGEST) throw new UsageError(`${text} is above 24h`);
  return duration;
}

export function parseCount(most: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(count >= 1 && count <= most))
      throw new UsageError(`${JSON.stringify(text)} is not a number from 1 to ${most}`);
    return count;
  };
}

export function parseHeight(text: string): bigint {
  if (!/^[1-9]\d{0,18}$/.test(text)) throw new UsageError(`${JSON.stringify(text)} is not a height from 1`);
  return BigInt(text);
}

export function parseKeep(text: string): "all" | number {
  if (text === "all") return "all";
  if (/^\d{1,15}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is neither "all" nor a number of heights from 1`);
}

/** `5uorr,1ucred` in any order; at least one, none twice. */
export function parseCoinList(text: string): readonly Coin[] {
  const coins = text.split(",").map((part) => parseCoins(part)?.[0]);
  const sorted = normalizeCoins(coins.filter((coin) => coin !== undefined));
  if (sorted.length !== coins.length) {
    throw new UsageError(`${JSON.stringify(text)} is no list of coins, such as 5uorr,1ucred`);
  }
  return sorted;
}

/** Words with commas between them. */
export function parseNames(text: string): readonly string[] {
  return text.split(",").map(parseText);
}

export function parseGas(text: string): bigint | "auto" {
  if (text === "auto") return text;
  if (/^[1-9]\d{0,18}$/.test(text)) return BigInt(text);
  throw new UsageError(`${JSON.stringify(text)} is neither "auto" nor a number from 1`);
}

export function parseMinGasPrices(text: string): readonly GasPrice[] {
  const prices = parseGasPrices(text);
  if (prices === null) throw new UsageError(`${JSON.stringify(text)} is no list of prices, such as 0.025uorr,1ucred`);
  return prices;
}

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export function parseOneOf<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new UsageError(`${JSON.stringify(text)} is none of ${words.join(", ")}`);
    return found;
  };
}

/** Zero counts. */
export function parseAmount(most: number): (text: string) => number {
  return (text) => {
    const amount = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(amount <= most)) throw new UsageError(`${JSON.stringify(text)} is not a number from 0 to ${most}`);
    return amount;
  };
}

export function parseNodeInfoFields(text: string): readonly string[] {
  return text === "all" ? HIDEABLE : text.split(",").map(parseOneOf(HIDEABLE));
}

export function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text);
  if (level === undefined) throw new UsageError(`${JSON.stringify(text)} is none of ${LOG_LEVELS.join(", ")}`);
  return level;
}
