// One printer for each kind of value: it reads the value at the cursor and writes its JSON.

import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import { utf8Encode } from "./bytes.ts";
import type { JsonBuffer } from "./json-buffer.ts";
import { LENGTH_DELIMITED, VARINT } from "./wire.ts";
import type { WireCursor } from "./wire-cursor.ts";

/** `end` is where the enclosing message ends: no value may reach beyond it. */
export type Print = (cursor: WireCursor, out: JsonBuffer, end: number) => void;

export type Value = { readonly wireType: number; readonly print: Print };

const QUOTE = 0x22;
const MINUS = 0x2d;
const TRUE = utf8Encode("true");
const FALSE = utf8Encode("false");
const NULL = utf8Encode("null");

export function scalarValue(type: ScalarType): Value {
  const value = scalars.get(type);
  // No message of the chain has the other kinds: floating point is not deterministic, and the rest is unused.
  if (value === undefined) throw new Error(`no JSON form for scalar type ${ScalarType[type]}`);
  return value;
}

/** The name of the value; a number that has no name is written bare. */
export function enumValue(desc: DescEnum): Value {
  const names = new Map(desc.values.map((value) => [value.number, utf8Encode(JSON.stringify(value.name))]));
  return {
    wireType: VARINT,
    print(cursor, out, end) {
      cursor.varint(end);
      const name = names.get(cursor.low);
      if (name === undefined) printInt32(cursor, out);
      else out.chunk(name);
    },
  };
}

/** Bytes whose empty value is null rather than an empty string. */
export const bytesOrNull: Value = {
  wireType: LENGTH_DELIMITED,
  print(cursor, out, end) {
    const stop = cursor.delimited(end);
    if (stop === cursor.at) out.chunk(NULL);
    else out.base64(cursor.bytes, cursor.at, stop);
    cursor.at = stop;
  },
};

const scalars = new Map<ScalarType, Value>([
  [ScalarType.STRING, { wireType: LENGTH_DELIMITED, print: printString }],
  [ScalarType.BYTES, { wireType: LENGTH_DELIMITED, print: printBytes }],
  [ScalarType.BOOL, number((cursor, out) => out.chunk(cursor.low === 0 && cursor.high === 0 ? FALSE : TRUE))],
  [ScalarType.INT32, number(printInt32)],
  [ScalarType.UINT32, number((cursor, out) => out.decimal(cursor.low >>> 0))],
  [ScalarType.INT64, number((cursor, out) => printInt64(cursor, out, true))],
  [ScalarType.UINT64, number((cursor, out) => printInt64(cursor, out, false))],
]);

function number(print: (cursor: WireCursor, out: JsonBuffer) => void): Value {
  return {
    wireType: VARINT,
    print(cursor, out, end) {
      cursor.varint(end);
      print(cursor, out);
    },
  };
}

function printString(cursor: WireCursor, out: JsonBuffer, end: number): void {
  const stop = cursor.delimited(end);
  out.string(cursor.bytes, cursor.at, stop);
  cursor.at = stop;
}

function printBytes(cursor: WireCursor, out: JsonBuffer, end: number): void {
  const stop = cursor.delimited(end);
  out.base64(cursor.bytes, cursor.at, stop);
  cursor.at = stop;
}

/** The low 32 bits, whatever the varint says beyond them, as protobuf has it. */
function printInt32(cursor: WireCursor, out: JsonBuffer): void {
  const value = cursor.low;
  if (value < 0) out.byte(MINUS);
  out.decimal(Math.abs(value));
}

/** In quotes: a JSON number keeps only 53 bits in most readers. */
function printInt64({ low, high }: WireCursor, out: JsonBuffer, isSigned: boolean): void {
  out.byte(QUOTE);
  if (high === 0 && low >= 0) out.decimal(low);
  else {
    const bits = (BigInt(high) << 32n) | BigInt(low >>> 0);
    out.text((isSigned ? bits : BigInt.asUintN(64, bits)).toString());
  }
  out.byte(QUOTE);
}
