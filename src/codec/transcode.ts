// Protobuf bytes to JSON text, without the objects in between: bytes in, text out. Every message type is compiled once
// for each spelling; what a field looks like is decided then, and printing only follows the bytes.

import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { AnySchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Bytes } from "./bytes.ts";
import { JsonBuffer } from "./json-buffer.ts";
import { absentJson, isNullWhenEmpty, jsonName, type Spelling, scalarZero } from "./json-spelling.ts";
import { anyValue } from "./transcode-any.ts";
import { type FieldPlan, listField, singleField } from "./transcode-field.ts";
import { mapField } from "./transcode-map.ts";
import { MessagePlan } from "./transcode-message.ts";
import { timestampValue } from "./transcode-time.ts";
import { bytesOrNull, enumValue, scalarValue, type Value } from "./transcode-value.ts";
import { LENGTH_DELIMITED } from "./wire.ts";
import { WireCursor } from "./wire-cursor.ts";

/** The JSON, in UTF-8, of one message in protobuf. Throws WireError on malformed bytes. */
export type JsonPrinter = (bytes: Bytes) => Bytes;

/** The same as a view that the next printing overwrites: for those who copy it at once, as a Response does. */
export type JsonViewer = (bytes: Bytes) => Bytes;

type Compiler = { readonly spelling: Spelling; readonly plans: Map<string, MessagePlan>; readonly any: Value };

// Printing never waits, so one buffer serves all answers.
const out = new JsonBuffer();

const compilers: Record<Spelling, Compiler> = { primary: newCompiler("primary"), ecosystem: newCompiler("ecosystem") };

/** Compiled on the first call for a message type and spelling, and kept. */
export function compileJson(desc: DescMessage, spelling: Spelling): JsonPrinter {
  const view = compileJsonView(desc, spelling);
  return (bytes) => view(bytes).slice();
}

export function compileJsonView(desc: DescMessage, spelling: Spelling): JsonViewer {
  const plan = planOf(compilers[spelling], desc);
  return (bytes) => {
    out.length = 0;
    plan.printObject(new WireCursor(bytes), out, bytes.length);
    return out.finish();
  };
}

/** Items of a list with a comma behind each, and where each ends. */
export type ItemsJson = { readonly text: Bytes; readonly ends: Uint32Array };

/** Prints `count` items of a response's list, its first field; each comes with its length before it. */
export function compileItemsJson(
  response: DescMessage,
  spelling: Spelling,
): (delimited: Bytes, count: number) => ItemsJson {
  const [field] = response.fields;
  if (field?.fieldKind !== "list") throw new Error(`${response.typeName} does not begin with a list`);
  const value = elementValue(compilers[spelling], field);
  return (delimited, count) => {
    const ends = new Uint32Array(count);
    const cursor = new WireCursor(delimited);
    out.length = 0;
    for (let i = 0; i < count; i++) {
      value.print(cursor, out, delimited.length);
      ends[i] = out.length;
      out.comma();
    }
    return { text: out.finish().slice(), ends };
  };
}

function newCompiler(spelling: Spelling): Compiler {
  const plans = new Map<string, MessagePlan>();
  const compiler: Compiler = { spelling, plans, any: anyValue((desc) => planOf(compiler, desc)) };
  return compiler;
}

function planOf(compiler: Compiler, desc: DescMessage): MessagePlan {
  const known = compiler.plans.get(desc.typeName);
  if (known !== undefined) return known;
  const plan = new MessagePlan(desc.typeName);
  compiler.plans.set(desc.typeName, plan);
  for (const field of desc.fields) plan.add(fieldPlan(compiler, field));
  return plan;
}

function fieldPlan(compiler: Compiler, field: DescField): FieldPlan {
  const { spelling } = compiler;
  const frame = { number: field.number, name: jsonName(field, spelling), absent: absentJson(field, spelling) };
  switch (field.fieldKind) {
    case "list":
      return listField(frame, elementValue(compiler, field));
    case "map":
      if (field.mapKey !== ScalarType.STRING || field.mapKind !== "scalar") {
        throw new Error(`${field.toString()}: only maps from strings to scalars have a JSON form here`);
      }
      return mapField(frame, scalarValue(field.scalar), scalarZero(field.scalar));
    default: {
      const oneof = field.oneof === undefined ? 0 : 1 << field.parent.oneofs.indexOf(field.oneof);
      return singleField(frame, elementValue(compiler, field), field.fieldKind === "message", oneof);
    }
  }
}

function elementValue(compiler: Compiler, field: Exclude<DescField, { fieldKind: "map" }>): Value {
  if (field.message !== undefined) return messageValue(compiler, field.message);
  if (field.enum !== undefined) return enumValue(field.enum);
  if (field.scalar === ScalarType.BYTES && isNullWhenEmpty(field, compiler.spelling)) return bytesOrNull;
  return scalarValue(field.scalar);
}

function messageValue(compiler: Compiler, desc: DescMessage): Value {
  if (desc.typeName === AnySchema.typeName) return compiler.any;
  if (desc.typeName === TimestampSchema.typeName) return timestampValue(compiler.spelling);
  const plan = planOf(compiler, desc);
  return {
    wireType: LENGTH_DELIMITED,
    print(cursor, out, end) {
      const stop = cursor.delimited(end);
      plan.printObject(cursor, out, stop);
    },
  };
}
