// Bytes that are no transaction, and the words in which they are refused.

import { describe, expect, test } from "bun:test";
import { type Bytes, concatBytes, fromHex, utf8Encode } from "./bytes.ts";
import { decodeTx, decodeTxInSteps, TxDecodeError } from "./tx.ts";
import { WireWriter } from "./wire.ts";

const SEND = "/cosmos.bank.v1beta1.MsgSend";
const SECP = "/cosmos.crypto.secp256k1.PubKey";
const MULTISIG = "/cosmos.crypto.multisig.LegacyAminoPubKey";

const w = () => new WireWriter();
const any = (typeUrl: string, value: Bytes = w().finish()) => w().stringField(1, typeUrl).bytesField(2, value).finish();
const coin = (amount: string) => w().stringField(1, "uorr").messageField(2, utf8Encode(amount)).finish();
const send = (amount = "1") =>
  any(SEND, w().stringField(1, "a").stringField(2, "b").messageField(3, coin(amount)).finish());
const body = (...messages: Bytes[]) => messages.reduce((writer, message) => writer.messageField(1, message), w());
const tx = (bodyBytes: Bytes, authInfo: Bytes = w().finish()) =>
  w().bytesField(1, bodyBytes).bytesField(2, authInfo).finish();
const signedBy = (key: Bytes) =>
  tx(body(send()).finish(), w().messageField(1, w().messageField(1, key).finish()).finish());

function refusal(raw: Bytes): string {
  try {
    decodeTx(raw);
    return "taken";
  } catch (error) {
    if (error instanceof TxDecodeError) return error.message;
    throw error;
  }
}

/** A multisig key that holds another one, and so on. */
function nested(depth: number): Bytes {
  const inner = depth === 1 ? any(SECP, w().bytesField(1, new Uint8Array(33)).finish()) : nested(depth - 1);
  return depth === 1 ? inner : any(MULTISIG, w().varintField(1, 1).messageField(2, inner).finish());
}

function wide(count: number): Bytes {
  const key = w().varintField(1, 1);
  for (let i = 0; i < count; i++) key.messageField(2, any(SECP));
  return any(MULTISIG, key.finish());
}

test("a transaction comes out with its parts as they came", () => {
  const bodyBytes = body(send("12")).stringField(2, "memo").finish();
  const raw = w().bytesField(1, bodyBytes).messageField(3, fromHex("0102")).messageField(3, fromHex("")).finish();
  const decoded = decodeTx(raw);
  expect(decoded.bodyBytes).toEqual(bodyBytes);
  expect(decoded.messages.map(({ typeUrl }) => typeUrl)).toEqual([SEND]);
  expect(decoded.signatures).toEqual([fromHex("0102"), fromHex("")]);
  expect(decoded.body.memo).toBe("memo");
  expect(decoded.hasIgnoredFields).toBe(false);
});

test("decoding in steps rests after each message, and comes to the same", () => {
  const raw = tx(body(send("1"), send("2"), send("3")).finish());
  const steps = decodeTxInSteps(raw);
  let rests = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) rests += 1;
  expect(rests).toBe(2 + 3);
  expect(step.value).toEqual(decodeTx(raw));
});

describe("refused, in the reference's words", () => {
  test.each<[string, Bytes]>([
    ["expected 2 wire type, got 0", fromHex("0801")],
    ["invalid length; proto: invalid field number", fromHex("0200")],
    ["invalid length; unexpected EOF", fromHex("0a")],
    ["invalid length; unexpected EOF", fromHex("0a0500")],
    ["invalid length; proto: variable length integer overflow", fromHex(`0a${"ff".repeat(10)}`)],
    ["txRaw must follow ADR-027, got tagNum 1 after tagNum 2", fromHex("12000a00")],
    ["length prefix varint for tagNum 1 is not as short as possible, read 2, only need 1", fromHex("0a8000")],
    ['errUnknownField "*tx.TxRaw": {TagNum: 4, WireType:"bytes"}', fromHex("2200")],
    ['errUnknownField "*tx.TxRaw": {TagNum: 1024, WireType:"bytes"}', fromHex("824000")],
    ['errUnknownField "*tx.TxBody": {TagNum: 19, WireType:"varint"}', tx(w().varintField(19, 1).finish())],
    [
      'Mismatched "*tx.TxBody": {TagNum: 2, GotWireType: "varint" != WantWireType: "bytes"}',
      tx(w().varintField(2, 1).finish()),
    ],
    [
      'Mismatched "*tx.TxBody": {TagNum: 3, GotWireType: "fixed32" != WantWireType: "varint"}',
      tx(fromHex("1d01020304")),
    ],
    ["proto: wrong wireType = 2 for field TimeoutHeight", tx(w().bytesField(3, fromHex("01")).finish())],
    ["invalid length", tx(fromHex("00"))],
    ['could not consume field value for tagNum: 1, wireType: "bytes"; unexpected EOF', tx(fromHex("0a05"))],
    ["unable to resolve type URL /x.Y", tx(body(any("/x.Y")).finish())],
    ["unable to resolve type URL ", tx(body(any("")).finish())],
    ["unable to resolve type URL cosmos.bank.v1beta1.MsgSend", tx(body(any(SEND.slice(1))).finish())],
    [`unable to resolve type URL type.googleapis.com${SEND}`, tx(body(any(`type.googleapis.com${SEND}`)).finish())],
    [`no concrete type registered for type URL ${SECP} against interface *types.Msg`, tx(body(any(SECP)).finish())],
    [
      'errUnknownField "*types.MsgSend": {TagNum: 9, WireType:"varint"}',
      tx(body(any(SEND, w().varintField(9, 1).finish())).finish()),
    ],
    [
      'errUnknownField "*types.Any": {TagNum: 3, WireType:"varint"}',
      tx(body(w().stringField(1, SEND).varintField(3, 1).finish()).finish()),
    ],
    [
      'errUnknownField "*types.Coin": {TagNum: 3, WireType:"varint"}',
      tx(body(any(SEND, w().messageField(3, w().varintField(3, 1).finish()).finish())).finish()),
    ],
    [
      "no registered implementations of type tx.TxExtensionOptionI",
      tx(body(send()).messageField(1023, send()).finish()),
    ],
    [
      "no registered implementations of type tx.TxExtensionOptionI",
      tx(body(send()).messageField(2047, send()).finish()),
    ],
    [
      'errUnknownField "*tx.AuthInfo": {TagNum: 1024, WireType:"varint"}',
      tx(body(send()).finish(), w().varintField(1024, 1).finish()),
    ],
    [
      'errUnknownField "*tx.ModeInfo_Single": {TagNum: 2, WireType:"varint"}',
      tx(body(send()).finish(), fromHex("0a0612040a021001")),
    ],
    [`no concrete type registered for type URL ${SEND} against interface *types.PubKey`, signedBy(any(SEND))],
    ["max depth exceeded", signedBy(nested(11))],
    ["call limit exceeded", signedBy(wide(100))],
  ])("%s", (sentence, raw) => {
    expect(refusal(raw)).toBe(`${sentence}: tx parse error`);
  });

  test("keys at the limits are taken", () => {
    expect([refusal(signedBy(nested(10))), refusal(signedBy(wide(99)))]).toEqual(["taken", "taken"]);
  });

  test("messages nested without end are refused, not followed", () => {
    let modeInfo = w().finish();
    for (let i = 0; i < 3000; i++) modeInfo = w().messageField(2, w().messageField(2, modeInfo).finish()).finish();
    const info = w().messageField(1, w().messageField(2, modeInfo).finish()).finish();
    expect(refusal(tx(body(send()).finish(), info))).toBe("recursion limit reached: tx parse error");
  });
});

describe("fields that may be ignored", () => {
  test("are taken in the body and inside its messages, and remembered", () => {
    const ignorable = w().varintField(1024, 5).finish();
    expect(decodeTx(tx(concatBytes(body(send()).finish(), ignorable))).hasIgnoredFields).toBe(true);
    expect(decodeTx(tx(body(any(SEND, ignorable)).finish())).hasIgnoredFields).toBe(true);
  });

  test("may be groups, which end where their own marker stands", () => {
    // Field 1024: the begin of a group, a varint in it, its end.
    expect(decodeTx(tx(concatBytes(body(send()).finish(), fromHex("834008018440")))).hasIgnoredFields).toBe(true);
    const other = refusal(tx(concatBytes(body(send()).finish(), fromHex("834008018c40"))));
    expect(other).toEndWith("proto: mismatching end group marker: tx parse error");
    const deep = concatBytes(...Array.from({ length: 20_000 }, () => fromHex("8340")));
    expect(refusal(tx(deep))).toEndWith("proto: exceeded maximum recursion depth: tx parse error");
  });
});

describe("amounts", () => {
  test.each(["0", "1", "-5", (2n ** 256n - 1n).toString(), ""])("%p is an integer, or none at all", (amount) => {
    expect(refusal(tx(body(send(amount)).finish()))).toBe("taken");
  });

  // The reference reads most of these as other numbers than they look like.
  test.each(["010", "0x10", "0b1", "0o7", "1_000", "+1", "-0", " 1", "1 ", "1.0", "1e3", "ten", "١"])(
    "%p is refused",
    (amount) => {
      expect(refusal(tx(body(send(amount)).finish()))).toMatch(
        /^math\/big: cannot unmarshal ".*" into a \*big\.Int: tx parse error$/,
      );
    },
  );

  test("have at most 256 bits, however many digits are sent", () => {
    const sentence = "integer out of range; got: 257, max: 256: tx parse error";
    expect(refusal(tx(body(send((2n ** 256n).toString())).finish()))).toBe(sentence);
    expect(refusal(tx(body(send("9".repeat(100_000))).finish()))).toStartWith("integer out of range");
  });
});
