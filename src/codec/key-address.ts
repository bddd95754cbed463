// Which account a public key, or a module's name, owns.

import { fromBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { ModuleCredentialSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { PubKeySchema as Ed25519Schema } from "../gen/cosmos/crypto/ed25519/keys_pb.ts";
import { LegacyAminoPubKeySchema } from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema as Secp256k1Schema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { PubKeySchema as Secp256r1Schema } from "../gen/cosmos/crypto/secp256r1/keys_pb.ts";
import { AddressError } from "./address.ts";
import { type Bytes, concatBytes, fromHex, utf8Encode } from "./bytes.ts";
import { hash160, sha256, sha256Truncated } from "./hash.ts";
import { WireWriter } from "./wire.ts";

/** A public key as accounts and signers carry it: the type URL and the protobuf bytes of the key. */
export type PubKeyAny = Pick<Any, "typeUrl" | "value">;

/** 20 bytes, or 32 for secp256r1 keys and derived module accounts. Throws AddressError for what owns no account. */
export function accountAddressOf(key: PubKeyAny): Bytes {
  switch (key.typeUrl) {
    case SECP256K1:
      return hash160(secp256k1Key(key));
    case ED25519:
      return sha256Truncated(ed25519Key(key));
    case SECP256R1:
      return typedHash(utf8Encode(Secp256r1Schema.typeName), pointOf(fromBinary(Secp256r1Schema, key.value).key));
    case MULTISIG:
      return sha256Truncated(aminoKey(key));
    case MODULE: {
      const { moduleName, derivationKeys } = fromBinary(ModuleCredentialSchema, key.value);
      return moduleAddress(moduleName, ...derivationKeys);
    }
    default:
      throw new AddressError(`public key type ${key.typeUrl} is not known`);
  }
}

/** The account of a module, or one that it derived by one or more keys. */
export function moduleAddress(name: string, ...derivationKeys: readonly Uint8Array[]): Bytes {
  const [first, ...further] = derivationKeys;
  if (first === undefined) return sha256Truncated(utf8Encode(name));
  const root = typedHash(utf8Encode("module"), concatBytes(utf8Encode(name), NUL, first));
  return further.reduce<Bytes>(typedHash, root);
}

/** The key in the older encoding, which multisig addresses are hashes of. Throws for keys that it cannot say. */
export function aminoKey(key: PubKeyAny, depth = 0): Bytes {
  if (depth > MAX_DEPTH) throw new AddressError(`a multisig key more than ${MAX_DEPTH} levels deep`);
  if (key.typeUrl === SECP256K1) return concatBytes(AMINO_SECP256K1, secp256k1Key(key));
  if (key.typeUrl === ED25519) return concatBytes(AMINO_ED25519, ed25519Key(key));
  if (key.typeUrl !== MULTISIG) throw new AddressError(`public key type ${key.typeUrl} cannot be part of a multisig`);
  const { threshold, publicKeys } = fromBinary(LegacyAminoPubKeySchema, key.value);
  const writer = new WireWriter().raw(AMINO_MULTISIG).varintField(1, threshold);
  for (const member of publicKeys) writer.messageField(2, aminoKey(member, depth + 1));
  return writer.finish();
}

const SECP256K1 = `/${Secp256k1Schema.typeName}`;
const ED25519 = `/${Ed25519Schema.typeName}`;
const SECP256R1 = `/${Secp256r1Schema.typeName}`;
const MULTISIG = `/${LegacyAminoPubKeySchema.typeName}`;
const MODULE = `/${ModuleCredentialSchema.typeName}`;

// The hashes of the types' old names, and for plain keys the length of the key.
const AMINO_SECP256K1 = fromHex("eb5ae98721");
const AMINO_ED25519 = fromHex("1624de6420");
const AMINO_MULTISIG = fromHex("22c1f7e2");
const MAX_DEPTH = 10;
const NUL = new Uint8Array(1);

function secp256k1Key({ value }: PubKeyAny): Bytes {
  return pointOf(fromBinary(Secp256k1Schema, value).key);
}

function ed25519Key({ value }: PubKeyAny): Bytes {
  return sized(fromBinary(Ed25519Schema, value).key, 32);
}

/** A compressed point: one byte for the sign, 32 for the coordinate. */
function pointOf(key: Uint8Array): Bytes {
  return sized(key, 33);
}

function sized(key: Uint8Array, length: number): Bytes {
  if (key.length !== length) throw new AddressError(`a public key of ${key.length} bytes, expected ${length}`);
  return key as Bytes;
}

/** Hashes that no key of another type, and no plain module name, can collide with. */
function typedHash(type: Uint8Array, key: Uint8Array): Bytes {
  return sha256(concatBytes(sha256(type as Bytes), key));
}
