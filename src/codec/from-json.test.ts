// JSON to messages: hand-made cases, and what the recorded chain's JSON gives back.

import { expect, test } from "bun:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { CoinSchema } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { MsgDelegateSchema } from "../gen/cosmos/staking/v1beta1/tx_pb.ts";
import { SignerInfoSchema, TxBodySchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { VerificationMethodSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import { packAny } from "./any.ts";
import { toHex } from "./bytes.ts";
import { bytesFromJson, JsonMessageError, messageFromJson } from "./from-json.ts";
import { encodeMessage } from "./reference-form.ts";

test("both spellings of names, integers as text or numbers, enumerations by name or number, null for unset", () => {
  const mode = { single: { mode: "SIGN_MODE_DIRECT" } };
  const expected = toHex(bytesFromJson(SignerInfoSchema, { mode_info: mode, sequence: "7" }));
  expect(expected).toBe("12040a0208011807");
  for (const json of [
    { modeInfo: mode, sequence: 7, public_key: null },
    { mode_info: { single: { mode: 1 } }, sequence: "7", publicKey: null },
  ]) {
    expect(toHex(bytesFromJson(SignerInfoSchema, json))).toBe(expected);
  }
  expect(messageFromJson(VerificationMethodSchema, { iD: "did:a:b#c", type: "KeyType_MULTIKEY" }).type).toBe(7);
});

test("typed objects are found by the name behind the last slash, also inside each other", () => {
  const key = { "@type": "/cosmos.crypto.secp256k1.PubKey", key: "AAEC" };
  const multisig = { "@type": "/cosmos.crypto.multisig.LegacyAminoPubKey", threshold: 1, public_keys: [key] };
  const bytes = toHex(bytesFromJson(SignerInfoSchema, { public_key: multisig }));
  const withHost = { ...multisig, "@type": "type.example/cosmos.crypto.multisig.LegacyAminoPubKey" };
  expect(toHex(bytesFromJson(SignerInfoSchema, { public_key: withHost }))).toBe(bytes);
  const { publicKey } = messageFromJson(SignerInfoSchema, { public_key: multisig });
  expect(publicKey?.typeUrl).toBe("/cosmos.crypto.multisig.LegacyAminoPubKey");
  expect(Buffer.from(publicKey?.value ?? []).toString("latin1")).toContain("\u001f/cosmos.crypto.secp256k1.PubKey");
});

test("an unknown type is refused by its name", () => {
  const read = () => messageFromJson(TxBodySchema, { messages: [{ "@type": "/a.B" }] });
  expect(read).toThrow(new JsonMessageError("unable to resolve type URL /a.B"));
});

test("unknown fields are ignored or refused, as the caller wants", () => {
  expect(messageFromJson(CoinSchema, { denom: "uorr", color: "red" }).denom).toBe("uorr");
  expect(() => messageFromJson(CoinSchema, { denom: "uorr", color: "red" }, "refuse")).toThrow(JsonMessageError);
});

test("values of a wrong kind are refused", () => {
  for (const json of [{ denom: 5 }, [], null, "text", { denom: {} }]) {
    expect(() => messageFromJson(CoinSchema, json)).toThrow(JsonMessageError);
  }
  expect(() => messageFromJson(TxBodySchema, { timeout_height: "-1" })).toThrow(JsonMessageError);
});

test("an amount is always written, and so is the coin of a delegation, as the reference does", () => {
  expect(toHex(encodeMessage(CoinSchema, create(CoinSchema, { denom: "aaa" })))).toBe("0a03616161120130");
  expect(toHex(encodeMessage(MsgDelegateSchema, create(MsgDelegateSchema)))).toBe("1a03120130");
  const inAny = create(TxBodySchema, { messages: [packAny(MsgDelegateSchema, create(MsgDelegateSchema))] });
  expect(toHex(toBinary(TxBodySchema, inAny))).not.toContain("1a03120130");
  expect(toHex(encodeMessage(TxBodySchema, inAny))).toEndWith("1a03120130");
});
