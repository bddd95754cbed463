// Which height a request asks for: by a header, by the `height` parameter, or by a time; and which one it waits for.

import { ApiError, CODE, inFuture, invalid, notKept } from "../api/errors.ts";
import { parseInstant } from "../api/instant.ts";
import type { HeightAtTime, KeptRange } from "../api/operations.ts";
import { decodeValue, type QueryParameter } from "../api/query-string.ts";
import { MAX_INT64, parseInteger } from "../api/request.ts";
import type { Time } from "../codec/time.ts";
import { HEIGHT, HEIGHT_PRIMARY, MIN_HEIGHT, MIN_HEIGHT_WAIT, TIME } from "./headers.ts";
import type { HeightWait } from "./height-wait.ts";

/** A value with the name of the header or parameter that gave it, which begins the sentence of a refusal. */
type Named<T> = { readonly name: string; readonly value: T };

export type AskedHeight = {
  readonly height: Named<bigint> | null;
  readonly time: Named<Time> | null;
  /** The least height that the node must have reached, and how long to wait for it. */
  readonly least: { readonly height: bigint; readonly waitMs: number } | null;
};

export type HeightParts = {
  readonly range: () => KeptRange | null;
  readonly heightAtTime: HeightAtTime;
  readonly wait: HeightWait;
};

const DEFAULT_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 5000;

/** Null when nothing is asked for, as most often. `height` of the query is left to an operation that has its own. */
export function askedHeight(
  headers: Headers,
  query: readonly QueryParameter[],
  hasOwnHeight: boolean,
  range: () => KeptRange | null,
): AskedHeight | null {
  const cosmos = headers.get(HEIGHT);
  const core = headers.get(HEIGHT_PRIMARY);
  const time = headers.get(TIME);
  const least = headers.get(MIN_HEIGHT);
  const height = hasOwnHeight ? null : parameterOf(query, "height");
  const at = parameterOf(query, "at");
  if ((cosmos ?? core ?? time ?? least ?? height ?? at) === null) return null;
  const kept = (text: string, name: string) => toHeight(text, name, range());
  return {
    height: agreed([named(HEIGHT, cosmos, kept), named(HEIGHT_PRIMARY, core, kept), named("height", height, kept)]),
    time: agreed([named(TIME, time, parseInstant), named("at", at, parseInstant)]),
    least: least === null ? null : { height: kept(least, MIN_HEIGHT), waitMs: waitOf(headers.get(MIN_HEIGHT_WAIT)) },
  };
}

/** Undefined for the newest height. Throws 400 for one in the future, 410 for one not kept, 503 for one not reached. */
export async function chosenHeight(
  { height, time, least }: AskedHeight,
  { range, heightAtTime, wait }: HeightParts,
  request: Request,
): Promise<bigint | undefined> {
  if (least !== null && !(await wait.until(least.height, least.waitMs, request.signal)))
    throw notReached(least.height, range());
  if (height !== null) checkKept(height, range());
  if (time === null) return height?.value;
  const atTime = await heightAtTime(time.value, time.name);
  if (height !== null && height.value !== atTime) {
    throw invalid(height.name, `differs from ${time.name}, which means height ${atTime}`);
  }
  return atTime;
}

/** Empty counts as not given. */
function parameterOf(query: readonly QueryParameter[], name: string): string | null {
  let found: QueryParameter | null = null;
  for (const parameter of query) {
    if (parameter.name !== name) continue;
    if (found !== null) throw invalid(name, "given more than once");
    found = parameter;
  }
  return found === null ? null : decodeValue(found) || null;
}

function named<T>(name: string, text: string | null, parse: (text: string, name: string) => T): Named<T> | null {
  return text === null ? null : { name, value: parse(text, name) };
}

/** Whoever asks for what is no height is told which ones there are. */
function toHeight(text: string, name: string, range: KeptRange | null): bigint {
  try {
    return parseInteger(text, name, MAX_INT64);
  } catch (error) {
    if (range === null || !(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, `${error.message}; the kept heights are ${range.earliest} to ${range.latest}`);
  }
}

/** All that are given must mean the same. */
function agreed<T>(ways: readonly (Named<T> | null)[]): Named<T> | null {
  const [first, ...others] = ways.filter((way) => way !== null);
  for (const other of others) {
    if (!isSame(first?.value, other.value)) throw invalid(first?.name ?? "", `differs from ${other.name}`);
  }
  return first ?? null;
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === "bigint") return a === b;
  const [one, other] = [a as Time, b as Time];
  return one.seconds === other.seconds && one.nanos === other.nanos;
}

function waitOf(text: string | null): number {
  if (text === null) return DEFAULT_WAIT_MS;
  const milliseconds = parseInteger(text, MIN_HEIGHT_WAIT, MAX_INT64);
  return milliseconds > LONGEST_WAIT_MS ? LONGEST_WAIT_MS : Number(milliseconds);
}

/** Zero means the newest, as the reference has it. */
function checkKept({ name, value }: Named<bigint>, range: KeptRange | null): void {
  if (range === null || value === 0n) return;
  if (value > range.latest) throw inFuture(name, value, range.earliest, range.latest);
  if (value < range.earliest) throw notKept(name, value, range.earliest, range.latest);
}

function notReached(height: bigint, range: KeptRange | null): ApiError {
  const latest = range === null ? "there is no block yet" : `the newest one is ${range.latest}`;
  return new ApiError(CODE.unavailable, `${MIN_HEIGHT}: height ${height} has not been reached; ${latest}`);
}
