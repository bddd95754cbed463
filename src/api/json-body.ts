// JSON that a stranger sent: parsed only when it is not nested without end.

import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { JsonMessageError, messageFromJson } from "../codec/from-json.ts";
import { invalid } from "./errors.ts";
import { nestsDeeper } from "./json-depth.ts";

/** `maxDepth` bounds the stack of whatever walks the value. Throws a 400 that names the parameter. */
export function parseJson(text: string, name: string, maxDepth: number): unknown {
  if (nestsDeeper(text, maxDepth)) throw invalid(name, `json: nesting deeper than ${maxDepth}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(name, `malformed JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The request message that a JSON body spells. Throws a 400. */
export function decodeJsonBody<D extends DescMessage>(desc: D, body: string, maxDepth: number): MessageShape<D> {
  try {
    return messageFromJson(desc, body.trim() === "" ? {} : parseJson(body, "body", maxDepth));
  } catch (error) {
    if (error instanceof JsonMessageError) throw invalid("body", error.message);
    throw error;
  }
}
