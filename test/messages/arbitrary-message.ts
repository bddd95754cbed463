// Random messages of any type, made from its descriptor.

import { create, type DescField, type DescMessage, ScalarType, toBinary } from "@bufbuild/protobuf";
import { AnySchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { anyMessages, typeUrlOf } from "../../src/codec/any.ts";

type Values = Record<string, unknown>;
type Place = { depth: number; typed: readonly DescMessage[] };

/** Messages inside messages down to this level; a page of accounts with multisig keys needs seven. */
const DEPTH = 8;

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constant('say "no"\\\u0000\u001f\u007f'));
const int32 = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 20 }));
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

const scalars: Partial<Record<ScalarType, fc.Arbitrary<unknown>>> = {
  [ScalarType.STRING]: text,
  [ScalarType.BYTES]: fc.uint8Array({ maxLength: 40 }),
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.INT32]: int32,
  [ScalarType.UINT32]: uint32,
  [ScalarType.INT64]: fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 0n, max: 999n }),
  ),
  [ScalarType.UINT64]: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 999n })),
};

/** The bytes of a random message. An Any in it is of one of `typed`, and of an unknown type if there are several. */
export function arbitraryBytes(desc: DescMessage, typed = anyMessages): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  return message(desc, { depth: 0, typed }).map((value) => toBinary(desc, value as never) as Uint8Array<ArrayBuffer>);
}

function message(desc: DescMessage, place: Place): fc.Arbitrary<Values> {
  if (desc.typeName === AnySchema.typeName) return any(place);
  if (desc.typeName === TimestampSchema.typeName) return timestamp;
  const fields = desc.fields.map((field) => fc.option(fieldValue(field, place), { nil: undefined }));
  return fc.tuple(...fields).map((values) => {
    const made = create(desc) as unknown as Values;
    desc.fields.forEach((field, i) => {
      const value = values[i];
      if (value === undefined) return;
      if (field.oneof === undefined) made[field.localName] = value;
      else made[field.oneof.localName] = { case: field.localName, value };
    });
    return made;
  });
}

function fieldValue(field: DescField, place: Place): fc.Arbitrary<unknown> {
  if (field.message !== undefined && place.depth >= DEPTH) {
    return fc.constant(field.fieldKind === "list" ? [] : undefined);
  }
  const one = field.message
    ? fc.constant(null).chain(() => message(field.message as DescMessage, inside(place)))
    : field.enum
      ? fc.oneof(fc.constantFrom(...field.enum.values.map(({ number }) => number)), int32)
      : scalars[field.scalar as ScalarType]!;
  if (field.fieldKind === "list") return fc.array(one, { maxLength: 3 });
  if (field.fieldKind === "map") return fc.dictionary(text, one, { maxKeys: 4, noNullPrototype: true });
  return one;
}

function any(place: Place): fc.Arbitrary<Values> {
  const known = fc.constantFrom(...place.typed).chain((desc) =>
    message(desc, inside(place)).map((value) => ({
      typeUrl: typeUrlOf(desc),
      value: toBinary(desc, value as never),
    })),
  );
  const unknown = fc.record({ typeUrl: text.map((name) => `/x${name}`), value: fc.uint8Array({ maxLength: 20 }) });
  const either = place.typed.length === 1 ? known : fc.oneof({ arbitrary: known, weight: 4 }, unknown);
  return either.map((init) => create(AnySchema, init) as unknown as Values);
}

function inside({ depth, typed }: Place): Place {
  return { depth: depth + 1, typed };
}

const timestamp: fc.Arbitrary<Values> = fc
  .record({
    seconds: fc.bigInt({ min: -62135596800n, max: 253402300799n }),
    nanos: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 999 }).map((n) => n * 1_000_000),
      fc.integer({ min: 0, max: 999_999 }).map((n) => n * 1000),
      fc.integer({ min: 0, max: 999_999_999 }),
    ),
  })
  .map((init) => create(TimestampSchema, init) as unknown as Values);
