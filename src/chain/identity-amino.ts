// Identity messages in amino JSON, the form that hardware wallets show and sign. The older encoding never knew these
// messages, so the form is this chain's own:
//
//   type     orrery/MsgCreateDidDocument, orrery/MsgUpdateDidDocument, orrery/MsgDeactivateDidDocument
//   value    the fields of the message under their protobuf names (`iD`, `also_known_as`); empty ones are left out
//   values   texts and booleans as they are, kinds of keys and counts as numbers, bytes in base64,
//            maps as lists of {"key", "value"} in the order of their keys

import type { DescField, DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect, type ScalarValue } from "@bufbuild/protobuf/reflect";
import type { Json } from "../codec/amino-json.ts";
import { toBase64 } from "../codec/bytes.ts";

/** The `amino` entry of a message definition. */
export function identityAmino<D extends DescMessage>(desc: D) {
  return {
    type: `orrery/${desc.name}`,
    value: (message: MessageShape<D>): Json => objectOf(reflect(desc, message)),
  };
}

function objectOf(message: ReflectMessage): Json {
  const members = message.fields
    .filter((field) => message.isSet(field))
    .map((field) => [field.name, fieldValue(message, field)]);
  return Object.fromEntries(members) as Json;
}

function fieldValue(message: ReflectMessage, field: DescField): Json {
  switch (field.fieldKind) {
    case "scalar":
    case "enum":
      return plainOf(message.get(field) as ScalarValue);
    case "message":
      return objectOf(message.get(field) as ReflectMessage);
    case "list": {
      const items: Json[] = [];
      for (const item of message.get(field)) {
        items.push(field.listKind === "message" ? objectOf(item as ReflectMessage) : plainOf(item as ScalarValue));
      }
      return items;
    }
    case "map": {
      const pairs: [string, ScalarValue][] = [];
      for (const [key, value] of message.get(field)) pairs.push([String(key), value as ScalarValue]);
      return pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => ({ key, value: plainOf(value) }));
    }
  }
}

function plainOf(value: ScalarValue): Json {
  if (value instanceof Uint8Array) return toBase64(value as Uint8Array<ArrayBuffer>);
  return typeof value === "bigint" ? String(value) : value;
}
