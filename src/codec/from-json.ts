// The ecosystem's JSON to messages: names in snake_case or camelCase, 64-bit integers as text or numbers, enumerations
// by name or number, null for unset, typed objects by `@type`.

import {
  createRegistry,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageShape,
  type Registry,
} from "@bufbuild/protobuf";
import { anyRegistry, messageOfTypeUrl } from "./any.ts";
import type { Bytes } from "./bytes.ts";
import { encodeMessage, inReferenceForm } from "./reference-form.ts";

/** The message is one sentence for whoever wrote the JSON. */
export class JsonMessageError extends Error {
  override readonly name = "JsonMessageError";
}

type UnknownFields = "ignore" | "refuse";

/** Throws JsonMessageError. `json` is a parsed value; the type of an unknown `@type` is named. */
export function messageFromJson<D extends DescMessage>(
  desc: D,
  json: unknown,
  unknownFields: UnknownFields = "ignore",
): MessageShape<D> {
  try {
    const ignoreUnknownFields = unknownFields === "ignore";
    return inReferenceForm(desc, fromJson(desc, json as JsonValue, { registry: resolving, ignoreUnknownFields }));
  } catch (error) {
    if (error instanceof JsonMessageError) throw error;
    throw new JsonMessageError(error instanceof Error ? error.message : String(error));
  }
}

/** The bytes of a transaction, or any other message, that is given as JSON. */
export function bytesFromJson(desc: DescMessage, json: unknown, unknownFields: UnknownFields = "ignore"): Bytes {
  return encodeMessage(desc, messageFromJson(desc, json, unknownFields));
}

/** Refuses an unknown type in the reference's words. */
const resolving: Registry = Object.assign(createRegistry(anyRegistry), {
  getMessage(typeName: string): DescMessage {
    const desc = messageOfTypeUrl(`/${typeName}`);
    if (desc === undefined) throw new JsonMessageError(`unable to resolve type URL /${typeName}`);
    return desc;
  },
});
