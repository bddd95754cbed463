// Reads parsed JSON of unknown shape; every complaint names the place, so that a bad file can be mended.

import { fromBase64, fromHex } from "../codec/bytes.ts";
import { parseTime, type Time } from "../codec/time.ts";
import type { Bytes } from "../store/store.ts";

export class JsonError extends Error {
  override readonly name = "JsonError";
}

/** A value with the path that led to it. Absent and null are the same here, as they are to the RPC's writers. */
export class Json {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    this.#value = value;
    this.#path = path;
  }

  get absent(): boolean {
    return this.#value === null || this.#value === undefined;
  }

  at(name: string): Json {
    if (this.absent) return new Json(null, `${this.#path}.${name}`);
    if (typeof this.#value !== "object" || Array.isArray(this.#value)) throw this.wrong("an object");
    return new Json((this.#value as Record<string, unknown>)[name], `${this.#path}.${name}`);
  }

  /** An absent list is an empty one. */
  list(): Json[] {
    if (this.absent) return [];
    if (!Array.isArray(this.#value)) throw this.wrong("a list");
    return this.#value.map((item, index) => new Json(item, `${this.#path}[${index}]`));
  }

  string(): string {
    if (typeof this.#value !== "string") throw this.wrong("a string");
    return this.#value;
  }

  boolean(): boolean {
    if (typeof this.#value !== "boolean") throw this.wrong("true or false");
    return this.#value;
  }

  number(): number {
    if (typeof this.#value !== "number" || !Number.isSafeInteger(this.#value)) throw this.wrong("a whole number");
    return this.#value;
  }

  /** A 64-bit integer as the RPC writes it: decimal digits in a string. */
  integer(): bigint {
    if (typeof this.#value !== "string" || !/^-?[0-9]{1,19}$/.test(this.#value)) throw this.wrong("an integer string");
    return BigInt(this.#value);
  }

  /** For fields that the RPC leaves out when they are zero. */
  integerOrZero(): bigint {
    return this.absent ? 0n : this.integer();
  }

  hex(): Bytes {
    return this.#parsed(fromHex, "hexadecimal bytes");
  }

  base64(): Bytes {
    return this.#parsed(fromBase64, "base64 bytes");
  }

  time(): Time {
    return this.#parsed(parseTime, "a time in UTC");
  }

  wrong(expected: string): JsonError {
    const found = this.absent ? "nothing" : JSON.stringify(this.#value).slice(0, 60);
    return new JsonError(`${this.#path}: expected ${expected}, found ${found}`);
  }

  #parsed<T>(parse: (text: string) => T, expected: string): T {
    try {
      return parse(this.string());
    } catch {
      throw this.wrong(expected);
    }
  }
}
