// The bodies of the operations that have one.

import type { AnyNeighbour } from "../api/neighbours.ts";
import type { AnyOperation } from "../api/operations.ts";
import type { Spelling } from "../codec/json-spelling.ts";
import type { Example } from "./examples.ts";
import type { Schema, SchemaBook } from "./openapi-schema.ts";

/** Null for an operation without a body. */
export function requestBody(
  operation: AnyOperation | AnyNeighbour,
  spelling: Spelling,
  book: SchemaBook,
  example: Example | null,
): object | null {
  if (operation.method === "GET") return null;
  const isSimulation = operation.id === "simulateTx" && spelling === "primary";
  const schema = isSimulation ? SIMULATION : laxSchema(operation, book);
  const shown = example?.body == null ? {} : { example: JSON.parse(example.body) };
  return { required: true, content: { "application/json": { schema, ...shown } } };
}

const SIMULATION: Schema = {
  type: "object",
  required: ["tx", "tx_bytes"],
  properties: {
    tx: { type: "string", description: "The transaction as JSON text or as base64; may be empty." },
    tx_bytes: {
      type: "string",
      contentEncoding: "base64",
      description: "The raw transaction; may be empty, but not both. Two that differ are refused.",
    },
  },
};

/** The ecosystem's forms: nothing is required, and messages inside may leave out what is at its default. */
function laxSchema({ rpc }: AnyOperation | AnyNeighbour, book: SchemaBook): Schema {
  const properties = rpc.input.fields.map((field) => {
    const message = field.fieldKind === "message" ? field.message.typeName : null;
    const schema =
      message === null
        ? book.field(field, "ecosystem")
        : { type: ["object", "null"], description: `${message}; members at their default may be left out.` };
    return [field.name, schema];
  });
  return { type: "object", properties: Object.fromEntries(properties) };
}
