// Whether signatures are those of a key: single keys, and multisig keys with the signatures of enough members.

import { fromBinary } from "@bufbuild/protobuf";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { LegacyAminoPubKeySchema } from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema as Secp256k1Schema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { PubKeySchema as Secp256r1Schema } from "../gen/cosmos/crypto/secp256r1/keys_pb.ts";
import { typeUrlOf } from "./any.ts";
import type { Bytes } from "./bytes.ts";
import { sha256 } from "./hash.ts";
import type { PubKeyAny } from "./key-address.ts";
import type { MemberData } from "./signature-data.ts";

/** ECDSA over a SHA-256 digest; the signature is r and s, 64 bytes, and s is in the lower half. Never throws. */
export type VerifySecp256k1 = (key: Bytes, digest: Bytes, signature: Bytes) => boolean;

/** The bytes that a signature of this mode covers; null when the mode cannot sign. */
export type SignBytesOf = (mode: number) => Bytes | null;

const SECP256K1 = typeUrlOf(Secp256k1Schema);
const SECP256R1 = typeUrlOf(Secp256r1Schema);
const MULTISIG = typeUrlOf(LegacyAminoPubKeySchema);

export function verifySignatures(
  key: PubKeyAny,
  data: MemberData,
  bytesOf: SignBytesOf,
  verify: VerifySecp256k1,
): boolean {
  if (data === null) return false;
  if (data.kind === "multi") {
    return key.typeUrl === MULTISIG && verifyMembers(key, data, bytesOf, verify);
  }
  const signed = bytesOf(data.mode);
  if (signed === null || data.signature.length !== 64) return false;
  const digest = sha256(signed);
  if (key.typeUrl === SECP256K1)
    return verify(fromBinary(Secp256k1Schema, key.value).key as Bytes, digest, data.signature);
  return key.typeUrl === SECP256R1 && verifySecp256r1(key.value as Bytes, digest, data.signature);
}

/** As many bits as keys, and at least the threshold of signatures, each of them right. */
function verifyMembers(
  key: PubKeyAny,
  { signed, signatures }: Extract<MemberData, { kind: "multi" }>,
  bytesOf: SignBytesOf,
  verify: VerifySecp256k1,
): boolean {
  const { threshold, publicKeys } = fromBinary(LegacyAminoPubKeySchema, key.value);
  if (signed.length !== publicKeys.length) return false;
  if (signatures.length < threshold || signatures.length > signed.length) return false;
  const members = publicKeys.filter((_, i) => signed[i]);
  if (members.length < threshold || members.length > signatures.length) return false;
  return members.every((member, i) => verifySignatures(member, signatures[i] ?? null, bytesOf, verify));
}

/** The portable verifier; a runtime may hand in a faster one. */
export const portableSecp256k1: VerifySecp256k1 = (key, digest, signature) => {
  try {
    return secp256k1.verify(signature, digest, key, { prehash: false, lowS: true });
  } catch {
    return false;
  }
};

function verifySecp256r1(value: Bytes, digest: Bytes, signature: Bytes): boolean {
  try {
    const { key } = fromBinary(Secp256r1Schema, value);
    return p256.verify(signature, digest, key, { prehash: false, lowS: true });
  } catch {
    return false;
  }
}
