import { expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { SignMode } from "../gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import { ModeInfoSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { signatureData } from "./signature-data.ts";

const single = create(ModeInfoSchema, { sum: { case: "single", value: { mode: SignMode.DIRECT } } });
const multi = create(ModeInfoSchema, {
  sum: {
    case: "multi",
    value: { bitarray: { extraBitsStored: 2, elems: Uint8Array.of(0xc0) }, modeInfos: [single, single] },
  },
});

test("a multisignature holds one signature for each mode", () => {
  const data = signatureData(multi, Uint8Array.of(0x0a, 1, 7, 0x0a, 1, 8));
  expect(data).toEqual({
    kind: "multi",
    signed: [true, true],
    signatures: [7, 8].map((byte) => ({ kind: "single", mode: SignMode.DIRECT, signature: Uint8Array.of(byte) })),
  });
});

test.each([
  ["another wire type", [0x0a, 1, 7, 0x08, 1, 8]],
  ["an unknown field", [0x0a, 1, 7, 0x0a, 1, 8, 0x10, 1]],
  ["bytes that end early", [0x0a, 1, 7, 0x0a, 9, 8]],
])("%s is refused", (_, bytes) => {
  expect(() => signatureData(multi, Uint8Array.from(bytes))).toThrow(/MultiSignature/);
});
