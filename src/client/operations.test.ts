// The client's slim table is the table of api/, as far as a client needs it.

import { expect, test } from "bun:test";
import type { DescMessage } from "@bufbuild/protobuf";
import { type AnyOperation, OPERATIONS as API, type OperationId as ApiId } from "../api/operations.ts";
import { compileRequest } from "../api/request.ts";
import { jsonName } from "../codec/json-spelling.ts";
import type { Items } from "./answers.ts";
import { OPERATIONS, type OperationId } from "./operations.ts";
import type { Parameters } from "./parameters.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

// The compiler's part: every operation has its method, its parameters, and its items when it is a list.
const sameIds: Same<OperationId, ApiId> = true;
const sameParameters: Same<keyof Parameters, ApiId> = true;
const listIds: readonly (keyof Items)[] = [
  "listDocuments",
  "listTokens",
  "listSupply",
  "listBalances",
  "listSpendableBalances",
  "listAccounts",
  "listBlockTxs",
];

test("it has the operations of the real table, in its order", () => {
  expect([sameIds, sameParameters]).toEqual([true, true]);
  expect(Object.keys(OPERATIONS)).toEqual(API.map(({ id }) => id));
  expect(Object.keys(OPERATIONS)).toHaveLength(18);
});

test.each(API.map((operation): [string, AnyOperation] => [operation.id, operation]))("%s", (_id, operation) => {
  const own = OPERATIONS[operation.id];
  expect({ method: own.method, path: own.path }).toEqual({ method: operation.method, path: operation.path });
  const names = parametersOf(operation.rpc.input);
  if (operation.method === "POST") {
    // Its body has the two members that the interface names; what else the request holds goes into the query.
    expect(own.body).toEqual(operation.required);
    expect(own.query).toEqual(names.filter((name) => !operation.required.includes(name) && !name.includes(".")));
  } else {
    expect(own.query).toEqual(names);
    const chosenBy = operation.chosenBy === null ? [] : [operation.chosenBy];
    expect(own.required).toEqual([...new Set([...operation.required, ...chosenBy])]);
  }
  expect(own.items).toBe(operation.lists ? itemsOf(operation.rpc.output) : null);
  expect(listIds.includes(operation.id as keyof Items)).toBe(operation.lists);
});

test("the real decoder takes every name of the table", () => {
  for (const operation of API) {
    if (operation.method === "POST") continue;
    const decode = compileRequest(operation);
    for (const name of OPERATIONS[operation.id].query) {
      // A name that it does not know would be ignored, given twice or not.
      const twice = [...operation.required, name, name].map((each) => ({ name: each, raw: "" }));
      expect(() => decode(twice, {})).toThrow(/given more than once/);
    }
  }
});

function parametersOf(desc: DescMessage): string[] {
  return desc.fields.flatMap((field) =>
    field.fieldKind === "message" ? field.message.fields.map((inner) => `${field.name}.${inner.name}`) : [field.name],
  );
}

/** The first list of the answer. */
function itemsOf(desc: DescMessage): string | null {
  const field = desc.fields.find(({ fieldKind }) => fieldKind === "list");
  return field === undefined ? null : jsonName(field, "primary");
}
