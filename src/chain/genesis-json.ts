// Strict reading of a genesis file: every value is checked, a member that nobody knows is refused as the reference does,
// and an error is one sentence that names the entry.

import { type Bytes, fromBase64 } from "../codec/bytes.ts";
import { parseTime, type Time } from "../codec/time.ts";
import { GenesisError } from "./genesis-error.ts";

/** A value of the file and its place. A member that is missing reads as null, and null as the type's empty value. */
export class GenesisValue {
  readonly value: unknown;
  readonly place: string;

  constructor(value: unknown, place: string) {
    this.value = value;
    this.place = place;
  }

  get isNull(): boolean {
    return this.value === null;
  }

  /** The members of an object that may have these and no others. */
  members<Name extends string>(...names: Name[]): Record<Name, GenesisValue> {
    const object = this.#object();
    const stranger = Object.keys(object).find((key) => !(names as string[]).includes(key));
    if (stranger !== undefined) throw this.error(`unknown field ${JSON.stringify(stranger)}`);
    return Object.fromEntries(names.map((name) => [name, this.get(name)])) as Record<Name, GenesisValue>;
  }

  /** One member of an object whose other members are of no interest. */
  get(name: string): GenesisValue {
    const object = this.#object();
    const value = Object.hasOwn(object, name) ? object[name] : null;
    return new GenesisValue(value ?? null, this.place === "" ? name : `${this.place}.${name}`);
  }

  list(): GenesisValue[] {
    if (this.isNull) return [];
    if (!Array.isArray(this.value)) throw this.error("not a list");
    return this.value.map((item: unknown, index) => new GenesisValue(item ?? null, `${this.place}[${index}]`));
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
