// Protobuf messages as tables: each field names its number and kind once, and the table encodes and decodes. The kinds
// say what the reference's generated code does: which fields are always written, and which only when they are set.

import { type Bytes, EMPTY } from "./bytes.ts";
import { FIXED64, LENGTH_DELIMITED, unknownField, VARINT, WireReader, WireWriter } from "./wire.ts";

export type Codec<T> = {
  encode(value: T): Bytes;
  /** Throws on unknown fields, repeated single fields and wrong wire types: consensus bytes have one form. */
  decode(bytes: Bytes): T;
};

type Field<V> = {
  readonly number: number;
  readonly wireType: number;
  readonly repeated: boolean;
  /** The value of a message without this field. */
  absent(): V;
  write(writer: WireWriter, value: V): void;
  /** `earlier` is what former occurrences of a repeated field gave. */
  read(reader: WireReader, earlier: V | undefined): V;
};

/** Fields must be listed in ascending order of their numbers. */
export function message<T>(name: string, fields: { readonly [K in keyof T]-?: Field<T[K]> }): Codec<T> {
  const keys = Object.keys(fields) as (keyof T)[];
  const byTag = new Map(keys.map((key) => [fields[key].number * 8 + fields[key].wireType, key]));
  return {
    encode(value) {
      const writer = new WireWriter();
      for (const key of keys) fields[key].write(writer, value[key]);
      return writer.finish();
    },
    decode(bytes) {
      const draft: Partial<T> = {};
      const reader = new WireReader(bytes);
      while (!reader.done) {
        const tag = reader.tag();
        const key = byTag.get(tag);
        if (key === undefined) throw unknownField(name, tag);
        const earlier = draft[key];
        if (earlier !== undefined && !fields[key].repeated) throw new Error(`${name}: ${String(key)} occurs twice`);
        draft[key] = fields[key].read(reader, earlier);
      }
      for (const key of keys) if (draft[key] === undefined) draft[key] = fields[key].absent();
      return draft as T;
    },
  };
}

export const int64 = (number: number): Field<bigint> => varint(number, 0n, (reader) => reader.int64());
export const uint64 = (number: number): Field<bigint> => varint(number, 0n, (reader) => reader.uint64());
export const int32 = (number: number): Field<number> => varint(number, 0, narrow(-(2n ** 31n), 2n ** 31n - 1n));
export const uint32 = (number: number): Field<number> => varint(number, 0, narrow(0n, 2n ** 32n - 1n));
export const bool = (number: number): Field<boolean> => varint(number, false, (reader) => narrow(0n, 1n)(reader) === 1);

export const sfixed64 = (number: number): Field<bigint> => ({
  number,
  wireType: FIXED64,
  repeated: false,
  absent: () => 0n,
  write: (writer, value) => writer.sfixed64Field(number, value),
  read: (reader) => reader.sfixed64(),
});

export const bytes = (number: number): Field<Bytes> => ({
  ...delimited(number),
  absent: () => EMPTY,
  write: (writer, value) => writer.bytesField(number, value),
  read: (reader) => reader.copy(),
});

export const string = (number: number): Field<string> => ({
  ...delimited(number),
  absent: () => "",
  write: (writer, value) => writer.stringField(number, value),
  read: (reader) => reader.string(),
});

/** A message that is always written, also when it is empty. */
export const always = <V>(number: number, codec: Codec<V>): Field<V> => ({
  ...delimited(number),
  absent: () => codec.decode(EMPTY),
  write: (writer, value) => writer.messageField(number, codec.encode(value)),
  read: (reader) => codec.decode(reader.view()),
});

/** A message that is written when it is set; null when it is not. */
export const optional = <V>(number: number, codec: Codec<V>): Field<V | null> => ({
  ...delimited(number),
  absent: () => null,
  write: (writer, value) => {
    if (value !== null) writer.messageField(number, codec.encode(value));
  },
  read: (reader) => codec.decode(reader.view()),
});

export const listOf = <V>(number: number, codec: Codec<V>): Field<readonly V[]> =>
  repeated(
    number,
    (value) => codec.encode(value),
    (reader) => codec.decode(reader.view()),
  );

export const listOfBytes = (number: number): Field<readonly Bytes[]> =>
  repeated(
    number,
    (value) => value,
    (reader) => reader.copy(),
  );

const utf8 = new TextEncoder();

export const listOfStrings = (number: number): Field<readonly string[]> =>
  repeated(
    number,
    (value) => utf8.encode(value),
    (reader) => reader.string(),
  );

function varint<V extends bigint | number | boolean>(
  number: number,
  zero: V,
  read: (reader: WireReader) => V,
): Field<V> {
  return {
    number,
    wireType: VARINT,
    repeated: false,
    absent: () => zero,
    write: (writer, value) => writer.varintField(number, value),
    read,
  };
}

/** Generated code cuts off the higher bits; here a value has one encoding, so they are an error. */
function narrow(min: bigint, max: bigint): (reader: WireReader) => number {
  return (reader) => {
    const value = reader.int64();
    if (value < min || value > max) throw new Error(`wire: ${value} is not between ${min} and ${max}`);
    return Number(value);
  };
}

function repeated<V>(
  number: number,
  encode: (value: V) => Bytes,
  read: (reader: WireReader) => V,
): Field<readonly V[]> {
  return {
    number,
    wireType: LENGTH_DELIMITED,
    repeated: true,
    absent: () => [],
    write: (writer, values) => {
      for (const value of values) writer.messageField(number, encode(value));
    },
    read: (reader, earlier) => {
      // The list of the draft grows in place: copying it for every element would cost the square of its length.
      const list = (earlier ?? []) as V[];
      list.push(read(reader));
      return list;
    },
  };
}

function delimited(number: number) {
  return { number, wireType: LENGTH_DELIMITED, repeated: false };
}
