// Strict reading of JSON that came from elsewhere: every value is checked, and an error names its place.

import { type Bytes, EMPTY, fromBase64, fromHex } from "./bytes.ts";
import { parseTime, type Time } from "./time.ts";

export class JsonError extends Error {
  override readonly name = "JsonError";
}

/** A value of a parsed JSON text, and where it stood. */
export class JsonValue {
  readonly value: unknown;
  readonly path: string;

  constructor(value: unknown, path: string) {
    this.value = value;
    this.path = path;
  }

  /** Throws when this is not an object. A missing member is null. */
  get(name: string): JsonValue {
    const { value, path } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.not("an object");
    const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    return new JsonValue(member, `${path}.${name}`);
  }

  get isNull(): boolean {
    return this.value === null;
  }

  list(): JsonValue[] {
    if (!Array.isArray(this.value)) throw this.not("an array");
    return this.value.map((item: unknown, index) => new JsonValue(item, `${this.path}[${index}]`));
  }

  /** Go writes a list without elements as null in some places. */
  listOrNull(): JsonValue[] {
    return this.isNull ? [] : this.list();
  }

  string(): string {
    if (typeof this.value !== "string") throw this.not("a string");
    return this.value;
  }

  boolean(): boolean {
    if (typeof this.value !== "boolean") throw this.not("a boolean");
    return this.value;
  }

  /** A 64-bit integer: a string of decimal digits. */
  int64(): bigint {
    if (typeof this.value !== "string" || !/^-?(?:0|[1-9]\d{0,18})$/.test(this.value)) {
      throw this.not("a 64-bit integer in a string");
    }
    const number = BigInt(this.value);
    if (BigInt.asIntN(64, number) !== number) throw this.not("a 64-bit integer");
    return number;
  }

  /** A 32-bit integer: a JSON number. */
  int32(): number {
    if (typeof this.value !== "number" || (this.value | 0) !== this.value) throw this.not("a 32-bit integer");
    return this.value;
  }

  uint32(): number {
    if (typeof this.value !== "number" || this.value >>> 0 !== this.value) throw this.not("an unsigned 32-bit integer");
    return this.value;
  }

  hex(): Bytes {
    try {
      return fromHex(this.string());
    } catch {
      throw this.not("hexadecimal");
    }
  }

  /** Null stands for no bytes. */
  base64(): Bytes {
    if (this.isNull) return EMPTY;
    try {
      return fromBase64(this.string());
    } catch {
      throw this.not("base64");
    }
  }

  time(): Time {
    try {
      return parseTime(this.string());
    } catch {
      throw this.not("a time");
    }
  }

  not(kind: string): JsonError {
    return new JsonError(`${this.path} is not ${kind}`);
  }
}
