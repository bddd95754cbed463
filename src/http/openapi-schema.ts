// JSON Schema (2020-12) of the messages, exactly as codec/transcode.ts prints them in either spelling.

import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { AnySchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { anyMessages, typeUrlOf } from "../codec/any.ts";
import { absentJson, isNullWhenEmpty, jsonName, type Spelling } from "../codec/json-spelling.ts";
import { CoinSchema } from "../gen/cosmos/base/v1beta1/coin_pb.ts";

export type Schema = { readonly [keyword: string]: unknown };

const ECOSYSTEM_PREFIX = "ecosystem.";
const TYPED_PREFIX = "typed.";

/** The schemas that were asked for, and all that they refer to, by the names under which the document holds them. */
export class SchemaBook {
  readonly schemas: Record<string, Schema> = {};

  /** A reference to the schema of a message. A message that both spellings print alike has one schema for both. */
  message(desc: DescMessage, spelling: Spelling): Schema {
    if (desc.typeName === TimestampSchema.typeName) return TIMESTAMP[spelling];
    if (desc.typeName === AnySchema.typeName) return this.#typedObject(spelling);
    return this.#entry(schemaName(desc, spelling), () => this.#object(desc, spelling, {}));
  }

  /** Open for members that a later version adds, as all objects of the document are. */
  #object(desc: DescMessage, spelling: Spelling, more: Record<string, Schema>): Schema {
    const properties: Record<string, Schema> = { ...more };
    const required = Object.keys(more);
    for (const field of desc.fields) {
      const name = jsonName(field, spelling);
      properties[name] = this.field(field, spelling);
      if (absentJson(field, spelling) !== undefined) required.push(name);
    }
    const [oneof] = desc.oneofs;
    const isChoice = oneof !== undefined && oneof.fields.length > 1 && oneof.fields.length === desc.fields.length;
    return {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(isChoice ? { maxProperties: 1 } : {}),
    };
  }

  field(field: DescField, spelling: Spelling): Schema {
    switch (field.fieldKind) {
      case "list":
        return { type: "array", items: this.#element(field, spelling) };
      case "map":
        return { type: "object", additionalProperties: this.#element(field, spelling) };
      default: {
        const schema = this.#element(field, spelling);
        return isNullable(field, spelling) ? orNull(schema) : schema;
      }
    }
  }

  #element(field: DescField, spelling: Spelling): Schema {
    if (field.message !== undefined) return this.message(field.message, spelling);
    if (field.enum !== undefined) return this.#enumeration(field.enum);
    if (field.parent.typeName === CoinSchema.typeName && field.name === "amount") return AMOUNT;
    return scalarSchema(field.scalar as ScalarType);
  }

  #enumeration(desc: DescEnum): Schema {
    return this.#entry(desc.typeName, () => ({
      anyOf: [
        { type: "string", enum: desc.values.map(({ name }) => name) },
        { type: "integer", description: "A value that has no name." },
      ],
    }));
  }

  /** google.protobuf.Any: one of the known types by its `@type`, or one that the node shows as its bytes. */
  #typedObject(spelling: Spelling): Schema {
    const prefix = spelling === "primary" ? "" : ECOSYSTEM_PREFIX;
    return this.#entry(`${prefix}${AnySchema.typeName}`, () => {
      const known = anyMessages.map((desc) => ({ url: typeUrlOf(desc), ref: this.#typed(desc, spelling) }));
      return {
        description: "An object whose `@type` names its type.",
        type: "object",
        required: ["@type"],
        oneOf: [...known.map(({ ref }) => ref), this.#unknownType()],
        discriminator: {
          propertyName: "@type",
          mapping: Object.fromEntries(known.map(({ url, ref }) => [url, ref.$ref])),
        },
      };
    });
  }

  #typed(desc: DescMessage, spelling: Spelling): Schema {
    const type = { type: "string", const: typeUrlOf(desc) };
    return this.#entry(TYPED_PREFIX + schemaName(desc, spelling), () =>
      this.#object(desc, spelling, { "@type": type }),
    );
  }

  #unknownType(): Schema {
    return this.#entry(`${TYPED_PREFIX}unknown`, () => ({
      description: "A type that this node does not know, as its bytes.",
      type: "object",
      properties: { "@type": { type: "string", not: { enum: anyMessages.map(typeUrlOf) } }, value: BYTES },
      required: ["@type", "value"],
    }));
  }

  /** The name is taken before the schema is made: a message may contain itself. */
  #entry(name: string, make: () => Schema): Schema {
    if (this.schemas[name] === undefined) {
      this.schemas[name] = {};
      this.schemas[name] = make();
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

export function scalarSchema(type: ScalarType): Schema {
  switch (type) {
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BYTES:
      return BYTES;
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.INT32:
      return { type: "integer", format: "int32", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
    case ScalarType.UINT32:
      return { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 };
    case ScalarType.INT64:
      return { type: "string", format: "int64", pattern: "^(0|-?[1-9][0-9]{0,18})$" };
    case ScalarType.UINT64:
      return { type: "string", format: "uint64", pattern: "^(0|[1-9][0-9]{0,19})$" };
    default:
      throw new Error(`no JSON form for scalar type ${ScalarType[type]}`);
  }
}

const BYTES: Schema = {
  type: "string",
  contentEncoding: "base64",
  pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
};

const AMOUNT: Schema = {
  type: "string",
  pattern: "^-?[0-9]+$",
  description: "A decimal integer of up to 256 bits, in the token's smallest unit.",
};

const DATE_TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}";

const TIMESTAMP: Record<Spelling, Schema> = {
  primary: { type: "string", format: "date-time", pattern: `^${DATE_TIME}\\.[0-9]{3}Z$` },
  ecosystem: { type: "string", format: "date-time", pattern: `^${DATE_TIME}(?:\\.(?:[0-9]{3}){1,3})?Z$` },
};

/** A typed object has no default, so an absent one is null wherever it stands alone. */
function isNullable(field: DescField, spelling: Spelling): boolean {
  if (field.message?.typeName === AnySchema.typeName) return true;
  if (field.scalar === ScalarType.BYTES) return isNullWhenEmpty(field, spelling);
  return field.message !== undefined && absentJson(field, spelling) === "null";
}

function orNull(schema: Schema): Schema {
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

function schemaName(desc: DescMessage, spelling: Spelling): string {
  return spelling === "ecosystem" && isSpelledTwice(desc, new Set()) ? ECOSYSTEM_PREFIX + desc.typeName : desc.typeName;
}

/** Whether the spellings differ for this message or for one inside it: in a name, in empty bytes, or in a time. */
function isSpelledTwice(desc: DescMessage, seen: Set<DescMessage>): boolean {
  if (desc.typeName === TimestampSchema.typeName || desc.typeName === AnySchema.typeName) return true;
  if (seen.has(desc)) return false;
  seen.add(desc);
  return desc.fields.some((field) => {
    if (jsonName(field, "primary") !== jsonName(field, "ecosystem")) return true;
    if (field.scalar === ScalarType.BYTES)
      return isNullWhenEmpty(field, "primary") !== isNullWhenEmpty(field, "ecosystem");
    return field.message !== undefined && isSpelledTwice(field.message, seen);
  });
}
