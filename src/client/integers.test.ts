// The places that the client turns into bigint are those that the descriptors have: no more and no fewer.

import { expect, test } from "bun:test";
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { AnySchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type AnyOperation, OPERATIONS } from "../api/operations.ts";
import { anyMessages } from "../codec/any.ts";
import { jsonName } from "../codec/json-spelling.ts";
import { INTEGERS, type Places, toBigints } from "./integers.ts";

test.each(OPERATIONS.map((operation): [string, AnyOperation] => [operation.id, operation]))("%s", (_id, operation) => {
  const described = [...new Set(integersIn(operation.rpc.output, "", []))].sort();
  expect(placesIn(INTEGERS[operation.id], "").sort()).toEqual(described);
});

test("lists are looked through, other members of the same name stay", () => {
  const answer = {
    supply: [
      { denom: "7", amount: "115792089237316195423570985008687907853269984665640564039457584007913129639935" },
      { denom: "amount", amount: "0" },
    ],
    pagination: { next_key: null, total: "2" },
    amount: "12",
  };
  expect(toBigints(answer, INTEGERS.listSupply)).toEqual({
    supply: [
      { denom: "7", amount: 2n ** 256n - 1n },
      { denom: "amount", amount: 0n },
    ],
    pagination: { next_key: null, total: 2n },
    amount: "12",
  });
});

test("null, absent and negative", () => {
  const places: Places = { tip: { amount: true }, absent: true, power: true };
  expect(toBigints({ tip: null, power: "-4" }, places)).toEqual({ tip: null, power: -4n });
});

/** Every place with an integer of 64 bits, or with the amount of a coin, which is longer still. */
function integersIn(desc: DescMessage, place: string, within: readonly string[]): string[] {
  if (within.includes(desc.typeName)) return [];
  return desc.fields.flatMap((field) => {
    const here = `${place}.${jsonName(field, "primary")}`;
    if (isInteger(field)) return [here];
    const inner = field.fieldKind === "message" || field.fieldKind === "list" ? field.message : undefined;
    // A time is one text.
    if (inner === undefined || inner.typeName === TimestampSchema.typeName) return [];
    const kinds = inner.typeName === AnySchema.typeName ? kindsAt(here) : [inner];
    return kinds.flatMap((kind) => integersIn(kind, here, [...within, desc.typeName]));
  });
}

function isInteger(field: DescField): boolean {
  if (field.parent.typeName === "cosmos.base.v1beta1.Coin" && field.name === "amount") return true;
  const scalar = field.fieldKind === "scalar" || field.fieldKind === "list" ? field.scalar : undefined;
  return scalar === ScalarType.INT64 || scalar === ScalarType.UINT64;
}

/** Of the typed objects, the client knows accounts alone. */
function kindsAt(place: string): readonly DescMessage[] {
  return place === ".accounts"
    ? anyMessages.filter(({ name }) => name.endsWith("Account") && !name.startsWith("Msg"))
    : [];
}

function placesIn(places: Places | undefined, place: string): string[] {
  if (places === undefined) return [];
  if (places === true) return [place];
  return Object.entries(places).flatMap(([name, inner]) => placesIn(inner, `${place}.${name}`));
}
