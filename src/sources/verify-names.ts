// Checks that each bare name is held by the one active document that bears it, and by no other.

import { bareNames } from "../chain/identity-validity.ts";
import { utf8Decode } from "../codec/bytes.ts";
import { decodeDocument, documents, names } from "../state/identity.ts";
import type { Snapshot } from "../store/store.ts";
import { entriesBelow, type Findings } from "./verify-walk.ts";

export async function* verifyNames(view: Snapshot): Findings {
  const where = `height ${view.height}`;
  const borne = new Map<string, string>();
  for await (const [, value] of entriesBelow(view, documents.prefix)) {
    const document = decodeDocument(value);
    for (const name of bareNames(document)) {
      const other = borne.get(name);
      if (other !== undefined) yield `${where}: ${name} stands in ${other} and in ${document.iD}`;
      borne.set(name, document.iD);
    }
  }
  for await (const [key, value] of entriesBelow(view, names.prefix)) {
    const name = utf8Decode(key.subarray(names.prefix.length));
    const holder = utf8Decode(value);
    if (borne.get(name) !== holder) yield `${where}: ${name} is held by ${holder}, whose document does not bear it`;
    borne.delete(name);
  }
  for (const [name, did] of borne) yield `${where}: ${name} stands in ${did}, but nobody holds it`;
}
