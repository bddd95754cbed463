import { expect, test } from "bun:test";
import { OPERATIONS } from "./operations.ts";
import { prepareRequest } from "./request.ts";

test("names with dots, escapes, and what is undefined left out", () => {
  const pagination = { key: "a+/=", limit: 5n, offset: undefined, reverse: true, count_total: false };
  expect(prepareRequest(OPERATIONS.listBalances, { address: "a b", pagination })).toEqual({
    path: "/core/bank/v1beta1/balances?address=a+b&pagination.key=a%2B%2F%3D&pagination.limit=5&pagination.reverse=true&pagination.count_total=false",
    body: null,
  });
  expect(prepareRequest(OPERATIONS.getNodeInfo, {}).path).toBe("/core/base/consensus/v1beta1/node_info");
});

test("a body has both members, and bytes become base64", () => {
  const { path, body } = prepareRequest(OPERATIONS.simulateTx, {
    tx_bytes: Uint8Array.of(251, 255, 1),
    skip_sequence_check: true,
  });
  expect(path).toBe("/core/tx/v1beta1/simulate?skip_sequence_check=true");
  expect(JSON.parse(body!)).toEqual({ tx: "", tx_bytes: "+/8B" });
});

test("a missing parameter must not turn a look-up into a list", () => {
  expect(() => prepareRequest(OPERATIONS.getDocument, {})).toThrow(new TypeError("did is required"));
  expect(() => prepareRequest(OPERATIONS.getToken, { denom: undefined })).toThrow("denom is required");
});

test("a misspelt parameter is told, not ignored", () => {
  const misspelt = { pagination: { limits: 5 } };
  expect(() => prepareRequest(OPERATIONS.listTokens, misspelt)).toThrow("pagination.limits is not a parameter");
  expect(() => prepareRequest(OPERATIONS.getDocument, { did: "d", tx: "x" })).toThrow("tx is not a parameter");
});
