// The key inside a verification method: which field must hold it for each type, which fields must be empty, and
// whether what they hold is a key. Material is also brought into its stored form here.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { decodeBech32, encodeAddress, parseAddress } from "../codec/address.ts";
import { type Bytes, equalBytes, toHex } from "../codec/bytes.ts";
import { cosmosChain, parseCaip10 } from "../codec/caip.ts";
import { hash160 } from "../codec/hash.ts";
import { decodeBase58, decodeMultibase, encodeMultibase, parseMultikey } from "../codec/multikey.ts";
import { KeyType, type VerificationMethod } from "../gen/orrery/identity/v1/did_pb.ts";
import { invalidDocument } from "./identity-error.ts";
import { type CheckedKey, type Curve, checkCoseKey, checkJwk, checkPoint, KeyFault } from "./public-key-points.ts";

export type ThisChain = { readonly chainId: string; readonly bech32Prefix: string };

type Field = "public_key_jwk" | "public_key_multibase" | "blockchain_account_id" | "webauthn_credential";

/** The fields that may hold material for a type, and those of which exactly one must hold the key. */
type TypeRule = { readonly allowed: readonly Field[]; readonly keys: readonly Field[] };

const JWK_RULE: TypeRule = { allowed: ["public_key_jwk", "blockchain_account_id"], keys: ["public_key_jwk"] };
const MULTIBASE_RULE: TypeRule = { allowed: ["public_key_multibase"], keys: ["public_key_multibase"] };

const RULES: ReadonlyMap<KeyType, TypeRule> = new Map([
  [KeyType.KeyType_JSON_WEB_KEY_2020, JWK_RULE],
  [KeyType.KeyType_ED25519_VERIFICATION_KEY_2018, MULTIBASE_RULE],
  [KeyType.KeyType_ED25519_VERIFICATION_KEY_2020, MULTIBASE_RULE],
  [
    KeyType.KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019,
    {
      allowed: ["public_key_jwk", "public_key_multibase", "blockchain_account_id"],
      keys: ["public_key_jwk", "public_key_multibase"],
    },
  ],
  [KeyType.KeyType_RSA_VERIFICATION_KEY_2018, { allowed: ["public_key_jwk"], keys: ["public_key_jwk"] }],
  [KeyType.KeyType_WEB_AUTHN_AUTHENTICATION_2018, { allowed: ["webauthn_credential"], keys: ["webauthn_credential"] }],
  [KeyType.KeyType_MULTIKEY, MULTIBASE_RULE],
  [KeyType.KeyType_X25519_KEY_AGREEMENT_KEY_2020, MULTIBASE_RULE],
]);

/** The curve that a type demands; the other types take any that is supported. */
const CURVES: ReadonlyMap<KeyType, Curve> = new Map<KeyType, Curve>([
  [KeyType.KeyType_ED25519_VERIFICATION_KEY_2018, "Ed25519"],
  [KeyType.KeyType_ED25519_VERIFICATION_KEY_2020, "Ed25519"],
  [KeyType.KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019, "secp256k1"],
  [KeyType.KeyType_RSA_VERIFICATION_KEY_2018, "RSA"],
  [KeyType.KeyType_X25519_KEY_AGREEMENT_KEY_2020, "X25519"],
]);

/**
 * Brings the material of `method` into its stored form, in place. Gives the curve of the key, or null when an account
 * id stands alone. `at` names the method in refusals. Throws IdentityError.
 */
export function normaliseMaterial(method: VerificationMethod, at: string, chain: ThisChain): Curve | null {
  const rule = RULES.get(method.type);
  if (rule === undefined) throw invalidDocument(`${at}.type`, "unknown key type");
  const present = presentFields(method);
  for (const field of present) {
    if (!rule.allowed.includes(field)) throw invalidDocument(`${at}.${field}`, "not allowed for this key type");
  }
  const keys = present.filter((field) => rule.keys.includes(field));
  if (keys.length > 1) throw invalidDocument(at, "more than one encoding of the key");
  if (present.includes("blockchain_account_id")) normaliseAccount(method, at, chain);
  const [field] = keys;
  if (field === undefined) {
    const accountAlone = rule.keys.length > 1 && present.length > 0;
    if (accountAlone) return null;
    throw invalidDocument(`${at}.${rule.keys[0]}`, "missing");
  }
  const key = checkKey(method, field, `${at}.${field}`);
  const wanted = CURVES.get(method.type) ?? key.curve;
  if (key.curve !== wanted) throw invalidDocument(`${at}.${field}`, `${wanted} key expected, got ${key.curve}`);
  if (method.blockchainAccountId !== "" && !derives(key, method.blockchainAccountId)) {
    throw invalidDocument(`${at}.blockchain_account_id`, "the address does not derive from the key");
  }
  return key.curve;
}

function presentFields(method: VerificationMethod): Field[] {
  const present: Field[] = [];
  if (Object.keys(method.publicKeyJwk).length > 0) present.push("public_key_jwk");
  if (method.publicKeyMultibase !== "") present.push("public_key_multibase");
  if (method.blockchainAccountId !== "") present.push("blockchain_account_id");
  if (method.webauthnCredential !== undefined) present.push("webauthn_credential");
  return present;
}

function checkKey(method: VerificationMethod, field: Field, at: string): CheckedKey {
  try {
    if (field === "public_key_jwk") return checkJwk(method.publicKeyJwk);
    if (field === "public_key_multibase") return checkMultibase(method);
    return checkCredential(method);
  } catch (error) {
    if (error instanceof KeyFault) throw invalidDocument(at, error.message);
    throw error;
  }
}

function checkMultibase(method: VerificationMethod): CheckedKey {
  const text = method.publicKeyMultibase;
  const bytes = decodeMultibase(text);
  const multikey = bytes === null ? null : parseMultikey(bytes);
  if (multikey !== null) return checkPoint(multikey);
  if (method.type === KeyType.KeyType_ED25519_VERIFICATION_KEY_2018) {
    // This type is older than multicodec: the bare key, and even base58 without its mark, are in use.
    const bare = bytes?.length === 32 ? bytes : decodeBase58(text);
    if (bare?.length === 32) {
      method.publicKeyMultibase = encodeMultibase(bare);
      return checkPoint({ curve: "Ed25519", key: bare });
    }
  }
  throw new KeyFault("must be base58btc (z…) of a known multicodec and its key");
}

const MAX_CREDENTIAL_ID = 1023;
const AAGUID_BYTES = 16;

function checkCredential({ webauthnCredential: credential }: VerificationMethod): CheckedKey {
  const idLength = credential?.id.length ?? 0;
  if (idLength < 1 || idLength > MAX_CREDENTIAL_ID) throw new KeyFault(`id must have 1 to ${MAX_CREDENTIAL_ID} bytes`);
  if (credential?.authenticator?.aaguid.length !== AAGUID_BYTES) {
    throw new KeyFault(`authenticator.aaguid must have ${AAGUID_BYTES} bytes`);
  }
  return checkCoseKey(credential.publicKey as Bytes);
}

/** A bare address of this chain becomes a CAIP-10 id; anything else must be one already. */
function normaliseAccount(method: VerificationMethod, at: string, chain: ThisChain): void {
  const text = method.blockchainAccountId;
  const own = cosmosChain(chain.chainId);
  const account = parseCaip10(text);
  if (account !== null && account.chain !== own) return;
  try {
    const bytes = parseAddress(account?.address ?? text, chain.bech32Prefix);
    method.blockchainAccountId = `${own}:${encodeAddress(chain.bech32Prefix, bytes)}`;
  } catch {
    const wanted = account === null ? "a CAIP-10 account id or an address of this chain" : "an address of this chain";
    throw invalidDocument(`${at}.blockchain_account_id`, `must be ${wanted}`);
  }
}

/** Whether the address is the key's, on the two families of chains where that can be told. */
function derives({ curve, point }: CheckedKey, accountId: string): boolean {
  const account = parseCaip10(accountId);
  if (curve !== "secp256k1" || account === null) return false;
  if (account.namespace === "cosmos") return equalBytes(bech32Bytes(account.address), hash160(point));
  if (account.namespace !== "eip155") return false;
  const whole = secp256k1.Point.fromBytes(point).toBytes(false).subarray(1);
  return account.address.toLowerCase() === `0x${toHex(keccak_256(whole).subarray(12))}`;
}

function bech32Bytes(address: string): Bytes {
  try {
    return decodeBech32(address).bytes;
  } catch {
    return new Uint8Array(0);
  }
}
