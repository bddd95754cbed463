// Identity documents for `orrery tx`: from a file in the interface's JSON, as `orrery query get-document` prints it.

import { JsonMessageError, messageFromJson } from "../codec/from-json.ts";
import { type DidDocument, DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import { CommandError } from "./failure.ts";
import { readJsonFile } from "./json-file.ts";

/** A document, or an answer that holds one. A field that no document has is refused: it may be a misspelt one. */
export function readDocumentFile(path: string): DidDocument {
  const json = readJsonFile("the document", path);
  const answered = typeof json === "object" && json !== null && "didDocument" in json ? json.didDocument : json;
  try {
    return messageFromJson(DidDocumentSchema, answered, "refuse");
  } catch (error) {
    if (!(error instanceof JsonMessageError)) throw error;
    throw new CommandError(`the document ${path} is not in the interface's form: ${error.message}`);
  }
}
