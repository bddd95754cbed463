// What was recorded from a real node.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "./door.ts";

export const FIXTURES = join(import.meta.dir, "..", "fixtures");

export type RecordedCase = {
  readonly name: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly body: Json;
};

type Keys = {
  readonly chain_id: string;
  readonly height: number;
  readonly people: Record<string, { readonly address: string }>;
  readonly named: Record<string, unknown>;
};

export function readFixture<T = JsonObject>(path: string): T {
  return JSON.parse(readFileSync(join(FIXTURES, path), "utf8")) as T;
}

export const KEYS = readFixture<Keys>("keys.json");

export function recordedCases(file: string): RecordedCase[] {
  return readFixture<RecordedCase[]>(`rest/${file}.json`);
}

/** The recorded heights, ascending. */
export function recordedHeights(): bigint[] {
  return readdirSync(join(FIXTURES, "rpc", "blocks"))
    .map((file) => BigInt(file.slice(0, -".json".length)))
    .sort((a, b) => Number(a - b));
}
