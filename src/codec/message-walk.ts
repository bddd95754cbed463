// What the wire of a message may hold, compiled once from its descriptor: which field numbers, which wire types, and
// which messages inside. Two walks use it: the one for unknown fields and the one for values.

import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { CoinSchema } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { goFieldName, goTypeName } from "./go-name.ts";
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT } from "./wire.ts";

export type WalkField = {
  /** The wire type of one value. Numbers may also come packed, as bytes. */
  readonly wireType: number;
  readonly repeated: boolean;
  readonly goName: string;
  /** The message inside; null for scalars. */
  readonly inner: WalkMessage | null;
  /** The field is the amount of a coin, whose text is read as a number. */
  readonly isAmount: boolean;
};

export type WalkMessage = {
  readonly goType: string;
  readonly isAny: boolean;
  readonly fields: ReadonlyMap<number, WalkField>;
};

const compiled = new Map<string, WalkMessage>();

export function walkOf(desc: DescMessage): WalkMessage {
  const known = compiled.get(desc.typeName);
  if (known !== undefined) return known;
  const fields = new Map<number, WalkField>();
  const walk = { goType: goTypeName(desc), isAny: desc.typeName === AnySchema.typeName, fields };
  // Known before its fields are: a message may contain itself.
  compiled.set(desc.typeName, walk);
  for (const field of desc.fields) fields.set(field.number, walkField(field));
  return walk;
}

function walkField(field: DescField): WalkField {
  const goName = goFieldName(field);
  const repeated = field.fieldKind === "list";
  const isAmount = field.parent.typeName === CoinSchema.typeName && field.name === "amount";
  if (field.fieldKind === "map") {
    return { wireType: LENGTH_DELIMITED, repeated: true, goName, inner: entryWalk(field), isAmount };
  }
  const inner = field.message === undefined ? null : walkOf(field.message);
  return { wireType: wireTypeOf(field), repeated, goName, inner, isAmount };
}

/** A map is a list of entries, each with its key as field 1 and its value as field 2. */
function entryWalk(field: DescField & { fieldKind: "map" }): WalkMessage {
  const scalar = { repeated: false, isAmount: false };
  const inner = field.message === undefined ? null : walkOf(field.message);
  return {
    goType: `${goTypeName(field.parent)}_${goFieldName(field)}Entry`,
    isAny: false,
    fields: new Map([
      [1, { ...scalar, wireType: wireTypeOfScalar(field.mapKey), goName: "Key", inner: null }],
      [2, { ...scalar, wireType: wireTypeOf(field), goName: "Value", inner }],
    ]),
  };
}

function wireTypeOf(field: DescField): number {
  if (field.message !== undefined) return LENGTH_DELIMITED;
  return field.scalar === undefined ? VARINT : wireTypeOfScalar(field.scalar);
}

function wireTypeOfScalar(scalar: ScalarType): number {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return LENGTH_DELIMITED;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return FIXED64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return FIXED32;
    default:
      return VARINT;
  }
}
