// The public key of an account in a genesis file, and the address that it owns.

import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { AddressError } from "../codec/address.ts";
import { packAny } from "../codec/any.ts";
import type { Bytes } from "../codec/bytes.ts";
import { accountAddressOf } from "../codec/key-address.ts";
import { ModuleCredentialSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { PubKeySchema as Ed25519Schema } from "../gen/cosmos/crypto/ed25519/keys_pb.ts";
import { LegacyAminoPubKeySchema } from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema as Secp256k1Schema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { PubKeySchema as Secp256r1Schema } from "../gen/cosmos/crypto/secp256r1/keys_pb.ts";
import type { GenesisValue } from "./genesis-json.ts";

export function readPublicKey(json: GenesisValue): { readonly any: Any; readonly owner: Bytes } {
  const any = readAny(json);
  try {
    return { any, owner: accountAddressOf(any) };
  } catch (error) {
    if (error instanceof AddressError) throw json.error(error.message);
    throw error;
  }
}

function readAny(json: GenesisValue): Any {
  const type = json.get("@type").string();
  const plain = PLAIN_KEYS.find(({ typeName }) => type === `/${typeName}`);
  if (plain !== undefined) return packAny(plain, create(plain, { key: json.members("@type", "key").key.base64() }));
  if (type === `/${LegacyAminoPubKeySchema.typeName}`) {
    const fields = json.members("@type", "threshold", "public_keys");
    const publicKeys = fields.public_keys.list().map(readAny);
    const threshold = fields.threshold.uint32();
    if (threshold === 0 || threshold > publicKeys.length) {
      throw json.error(`threshold ${threshold} of a multisig key with ${publicKeys.length} keys`);
    }
    return packAny(LegacyAminoPubKeySchema, create(LegacyAminoPubKeySchema, { threshold, publicKeys }));
  }
  if (type === `/${ModuleCredentialSchema.typeName}`) {
    const fields = json.members("@type", "module_name", "derivation_keys");
    const moduleName = fields.module_name.string();
    const derivationKeys = fields.derivation_keys.list().map((key) => key.base64());
    return packAny(ModuleCredentialSchema, create(ModuleCredentialSchema, { moduleName, derivationKeys }));
  }
  throw json.error(`unknown public key type ${JSON.stringify(type)}`);
}

const PLAIN_KEYS = [Secp256k1Schema, Ed25519Schema, Secp256r1Schema] as const;
