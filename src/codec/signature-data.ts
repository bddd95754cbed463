// Signatures as a tree: a single one, or those of a multisig key's members, each with the mode it was made in.

import {
  type CompactBitArray,
  type MultiSignature,
  MultiSignatureSchema,
} from "../gen/cosmos/crypto/multisig/v1beta1/multisig_pb.ts";
import { SignMode } from "../gen/cosmos/tx/signing/v1beta1/signing_pb.ts";
import type { ModeInfo } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import type { Bytes } from "./bytes.ts";
import { readValues } from "./read-values.ts";
import { WireWriter } from "./wire.ts";

export type SignatureData =
  | { readonly kind: "single"; readonly mode: number; readonly signature: Bytes }
  | { readonly kind: "multi"; readonly signed: readonly boolean[]; readonly signatures: readonly MemberData[] };

/** Null where a multisignature has more signatures than modes. */
export type MemberData = SignatureData | null;

/** The message is one sentence. */
export class SignatureDataError extends Error {
  override readonly name = "SignatureDataError";
}

/** Throws SignatureDataError. The reference panics where there are fewer signatures than modes, or no mode at all. */
export function signatureData(modeInfo: ModeInfo, signature: Bytes): SignatureData {
  switch (modeInfo.sum.case) {
    case "single":
      return { kind: "single", mode: modeInfo.sum.value.mode, signature };
    case "multi": {
      const { bitarray, modeInfos } = modeInfo.sum.value;
      const members = memberSignatures(signature);
      if (members.length < modeInfos.length) {
        throw new SignatureDataError(
          `the multisignature holds ${members.length} signatures for ${modeInfos.length} mode infos`,
        );
      }
      const signatures = members.map((member, i) => {
        const mode = modeInfos[i];
        return mode === undefined ? null : signatureData(mode, member);
      });
      return { kind: "multi", signed: bitsOf(bitarray), signatures };
    }
    default:
      throw new SignatureDataError("the mode info names neither a single nor a multi mode");
  }
}

/** Whether a simulation need not reckon with the size of signatures that are still to come. */
export function isComplete(data: MemberData): boolean {
  if (data === null) return false;
  if (data.kind === "single") return data.signature.length > 0;
  return data.signatures.length > 0 && data.signatures.every(isComplete);
}

/** True when every signature was made over amino JSON. */
export function isAllAmino(data: MemberData): boolean {
  if (data === null) return false;
  return data.kind === "single" ? data.mode === SignMode.LEGACY_AMINO_JSON : data.signatures.every(isAllAmino);
}

/** As events show them: each signature, and after those of a multisig key the whole multisignature. Null: one is missing. */
export function flatSignatures(data: MemberData): Bytes[] | null {
  if (data === null) return null;
  if (data.kind === "single") return [data.signature];
  const flat: Bytes[] = [];
  for (const member of data.signatures) {
    const signatures = flatSignatures(member);
    if (signatures === null) return null;
    flat.push(...signatures);
  }
  const whole = new WireWriter();
  for (const signature of flat) whole.messageField(1, signature);
  return [...flat, whole.finish()];
}

function memberSignatures(bytes: Bytes): Bytes[] {
  let decoded: MultiSignature;
  try {
    decoded = readValues(MultiSignatureSchema, bytes);
  } catch {
    throw new SignatureDataError("the signature of a multisig key is not a MultiSignature");
  }
  if (decoded.$unknown !== undefined) {
    throw new SignatureDataError("rejecting unrecognized fields found in MultiSignature");
  }
  return decoded.signatures as Bytes[];
}

/** Bit 0 is the highest bit of the first byte. The reference panics, or reads none, where there are bits without bytes. */
function bitsOf(array: CompactBitArray | undefined): boolean[] {
  if (array === undefined) return [];
  const { extraBitsStored, elems } = array;
  const count = extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored;
  if (count < 0 || count > elems.length * 8) {
    throw new SignatureDataError(
      `the bit array has ${elems.length} bytes, and ${extraBitsStored} bits in the last one`,
    );
  }
  return Array.from({ length: count }, (_, i) => (elems[i >> 3]! & (1 << (7 - (i % 8)))) !== 0);
}
