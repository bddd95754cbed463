// What was recorded from a real node.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "./door.ts";

export const FIXTURES = join(import.meta.dir, "..", "fixtures");

export type RecordedCase = {
  readonly name: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly status: number;
  /** The height that the answer was read at; null for an error. */
  readonly grpc_height: string | null;
  readonly body: Json;
};

type Keys = { readonly people: Record<string, { readonly address: string }> };

export function readFixture<T>(path: string): T {
  return JSON.parse(readFileSync(join(FIXTURES, path), "utf8")) as T;
}

export const KEYS = readFixture<Keys>("keys.json");

export function recordedCases(file: string): RecordedCase[] {
  return readFixture<RecordedCase[]>(`rest/${file}.json`);
}
