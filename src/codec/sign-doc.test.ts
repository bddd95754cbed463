// The texts that wallets sign in amino mode.

import { describe, expect, test } from "bun:test";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { MsgSendSchema } from "../gen/cosmos/bank/v1beta1/tx_pb.ts";
import { SignMode } from "../gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { goJson, sortedJson } from "./amino-json.ts";
import { packAny } from "./any.ts";
import { type Bytes, toHex } from "./bytes.ts";
import { type AminoMessage, aminoSignDoc, directSignBytes, type Signer, signBytes } from "./sign-doc.ts";
import { type DecodedTx, decodeTx } from "./tx.ts";

const SIGNER: Signer = {
  chainId: "c",
  accountNumber: 1n,
  sequence: 5n,
  address: "cosmos1me",
  isFeePayer: true,
  publicKey: { typeUrl: "/cosmos.crypto.secp256k1.PubKey", value: new Uint8Array(0) },
};
const MESSAGE: AminoMessage = { type: "t", value: { b: "2", a: ["1"] } };

function tx(
  body: MessageInitShape<typeof TxBodySchema> = {},
  authInfo: MessageInitShape<typeof AuthInfoSchema> = {
    fee: { gasLimit: 200000n, amount: [{ denom: "stake", amount: "500" }] },
  },
): DecodedTx {
  const messages = [packAny(MsgSendSchema, create(MsgSendSchema))];
  const bodyBytes = toBinary(TxBodySchema, create(TxBodySchema, { messages, ...body }));
  const authInfoBytes = toBinary(AuthInfoSchema, create(AuthInfoSchema, authInfo));
  return decodeTx(toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes, authInfoBytes })) as Bytes);
}

describe("amino JSON", () => {
  test("is compact, sorted at every level, and leaves out what is not set", () => {
    expect(aminoSignDoc(tx(), SIGNER, [MESSAGE])).toBe(
      '{"account_number":"1","chain_id":"c","fee":{"amount":[{"amount":"500","denom":"stake"}],"gas":"200000"},' +
        '"memo":"","msgs":[{"type":"t","value":{"a":["1"],"b":"2"}}],"sequence":"5"}',
    );
  });

  test("names timeout, payer, granter and tip when they are there", () => {
    const fee = { gasLimit: 1n, payer: "p", granter: "g" };
    const tip = { amount: [{ denom: "d", amount: "3" }], tipper: "t" };
    expect(aminoSignDoc(tx({ timeoutHeight: 9n }, { fee, tip }), SIGNER, [])).toBe(
      '{"account_number":"1","chain_id":"c","fee":{"amount":[],"gas":"1","granter":"g","payer":"p"},"memo":"",' +
        '"msgs":[],"sequence":"5","timeout_height":"9","tip":{"amount":[{"amount":"3","denom":"d"}],"tipper":"t"}}',
    );
  });

  test("shows whoever gives the tip no fee", () => {
    const authInfo = { fee: { gasLimit: 7n, payer: "p" }, tip: { tipper: SIGNER.address } };
    expect(aminoSignDoc(tx({}, authInfo), SIGNER, [])).toContain('"fee":{"amount":[],"gas":"0"}');
  });

  test("escapes as Go does", () => {
    const memo = 'a<b>&"c"\\\u2028\u2029\b\f\n\r\t\u0001\u007f é 😀 \\b';
    expect(goJson(memo)).toBe(
      '"a\\u003cb\\u003e\\u0026\\"c\\"\\\\\\u2028\\u2029\\u0008\\u000c\\n\\r\\t\\u0001\u007f é 😀 \\\\b"',
    );
    expect(sortedJson({ "<": 1, a: [{ d: null, c: true }] })).toBe('{"\\u003c":1,"a":[{"c":true,"d":null}]}');
  });

  test("cannot sign what it cannot show", () => {
    const amino = SignMode.LEGACY_AMINO_JSON;
    expect(signBytes(amino, tx(), SIGNER, () => [MESSAGE])).not.toBeNull();
    expect(signBytes(amino, tx(), SIGNER, () => [MESSAGE, null])).toBeNull();
    expect(signBytes(amino, { ...tx(), hasIgnoredFields: true }, SIGNER, () => [MESSAGE])).toBeNull();
  });
});

describe("the binary modes", () => {
  test("direct: the parts as they came, the chain, and an account number unless it is zero", () => {
    const bytes = directSignBytes(Uint8Array.of(1), Uint8Array.of(2), { chainId: "c", accountNumber: 300n });
    expect(toHex(bytes)).toBe("0a01011201021a016320ac02");
    const first = directSignBytes(Uint8Array.of(1), Uint8Array.of(2), { chainId: "c", accountNumber: 0n });
    expect(toHex(first)).toBe("0a01011201021a0163");
  });

  test("direct aux: without the fee, and not for whoever pays it", () => {
    const { bodyBytes } = tx();
    const aux = signBytes(SignMode.DIRECT_AUX, tx(), { ...SIGNER, isFeePayer: false }, () => []);
    const key = toHex(new TextEncoder().encode(SIGNER.publicKey.typeUrl));
    expect(toHex(aux!)).toBe(
      `0a${toHex(Uint8Array.of(bodyBytes.length))}${toHex(bodyBytes)}12210a1f${key}1a016320012805`,
    );
    expect(signBytes(SignMode.DIRECT_AUX, tx(), SIGNER, () => [])).toBeNull();
  });

  test.each([0, 2, 191, 55])("nobody can sign in mode %d", (mode) => {
    expect(signBytes(mode, tx(), SIGNER, () => [])).toBeNull();
  });
});
