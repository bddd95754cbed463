// Strict reading of a genesis file: every value is checked, a member that nobody knows is refused as the reference does,
// and an error is one sentence that names the entry.

import { type Bytes, fromBase64 } from "../codec/bytes.ts";
import { parseTime, type Time } from "../codec/time.ts";
import { GenesisError } from "./genesis-error.ts";

/** A value of the file and its place. A member that is missing reads as null, and null as the type's empty value. */
export class GenesisValue {
  readonly value: unknown;
  readonly #parent: GenesisValue | null;
  readonly #name: string | number;

  /** The root has no parent; all others are a member or an item of theirs. */
  constructor(value: unknown, parent: GenesisValue | null = null, name: string | number = "") {
    this.value = value;
    this.#parent = parent;
    this.#name = name;
  }

  /** Put together only when it is asked for: a large file has millions of values, and none of them at fault. */
  get place(): string {
    if (this.#parent === null) return "";
    const outer = this.#parent.place;
    if (typeof this.#name === "number") return `${outer}[${this.#name}]`;
    return outer === "" ? this.#name : `${outer}.${this.#name}`;
  }

  get isNull(): boolean {
    return this.value === null;
  }

  /** The members of an object that may have these and no others. */
  members<Name extends string>(...names: Name[]): Record<Name, GenesisValue> {
    const object = this.#object();
    for (const key in object) {
      const isStranger = !(names as string[]).includes(key) && Object.hasOwn(object, key);
      if (isStranger) throw this.error(`unknown field ${JSON.stringify(key)}`);
    }
    const members: Partial<Record<Name, GenesisValue>> = {};
    for (const name of names) members[name] = this.get(name);
    return members as Record<Name, GenesisValue>;
  }

  /** One member of an object whose other members are of no interest. */
  get(name: string): GenesisValue {
    const object = this.#object();
    const value = Object.hasOwn(object, name) ? object[name] : null;
    return new GenesisValue(value ?? null, this, name);
  }

  list(): GenesisValue[] {
    if (this.isNull) return [];
    if (!Array.isArray(this.value)) throw this.error("not a list");
    return this.value.map((item: unknown, index) => new GenesisValue(item ?? null, this, index));
  }

  string(): string {
    if (this.isNull) return "";
    if (typeof this.value !== "string") throw this.error("not a string");
    return this.value;
  }

  boolean(): boolean {
    if (this.isNull) return false;
    if (typeof this.value !== "boolean") throw this.error("not true or false");
    return this.value;
  }

  uint32(): number {
    if (this.isNull) return 0;
    if (typeof this.value !== "number" || this.value >>> 0 !== this.value) {
      throw this.error("not an unsigned 32-bit number");
    }
    return this.value;
  }

  int64(): bigint {
    const number = this.#integer();
    if (BigInt.asIntN(64, number) !== number) throw this.error("not a 64-bit integer");
    return number;
  }

  uint64(): bigint {
    const number = this.#integer();
    if (BigInt.asUintN(64, number) !== number) throw this.error("not an unsigned 64-bit integer");
    return number;
  }

  base64(): Bytes {
    try {
      return fromBase64(this.string());
    } catch {
      throw this.error("not base64");
    }
  }

  time(): Time {
    try {
      return parseTime(this.string());
    } catch (error) {
      throw this.error((error as Error).message);
    }
  }

  /** `name` tells entries of a list apart better than their number does. */
  error(reason: string, name = ""): GenesisError {
    const place = [this.place, name === "" ? "" : `(${name})`].filter((part) => part !== "").join(" ");
    return new GenesisError(place === "" ? reason : `${place}: ${reason}`);
  }

  #object(): Record<string, unknown> {
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value)) {
      throw this.error(this.isNull ? "missing" : "not an object");
    }
    return this.value as Record<string, unknown>;
  }

  /** 64-bit integers are strings of digits; tools also write small ones as numbers, and the reference reads both. */
  #integer(): bigint {
    if (this.isNull) return 0n;
    if (typeof this.value === "number" && Number.isSafeInteger(this.value)) return BigInt(this.value);
    if (typeof this.value !== "string" || !/^-?\d{1,20}$/.test(this.value)) throw this.error("not an integer");
    return BigInt(this.value);
  }
}
