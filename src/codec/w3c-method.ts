// A stored key as a W3C verification method: the registered type, and one form of key material that fits it.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base58 } from "@scure/base";
import { KeyType, type VerificationMethod } from "../gen/orrery/identity/v1/did_pb.ts";
import type { Bytes } from "./bytes.ts";
import { decodeCoseKey } from "./cose-key.ts";
import { encodeBase64Url, type Jwk } from "./jwk.ts";
import { decodeMultibase, parseMultikey } from "./multikey.ts";

export type W3cMethod = {
  readonly id: string;
  readonly type: string;
  readonly controller: string;
  /** The JSON-LD context that defines the type; not a member of the method. Null where none is settled. */
  readonly context: string | null;
  readonly publicKeyJwk?: Jwk;
  readonly publicKeyMultibase?: string;
  readonly publicKeyBase58?: string;
  readonly blockchainAccountId?: string;
};

type Material = Omit<W3cMethod, "id" | "controller">;

const SUITES = "https://w3id.org/security/suites";
const JWS_2020 = { type: "JsonWebKey2020", context: `${SUITES}/jws-2020/v1` };
const SECP256K1_2019 = { type: "EcdsaSecp256k1VerificationKey2019", context: `${SUITES}/secp256k1-2019/v1` };
const SECP256K1_RECOVERY = {
  type: "EcdsaSecp256k1RecoveryMethod2020",
  context: `${SUITES}/secp256k1recovery-2020/v2`,
};
const ED25519_2018 = { type: "Ed25519VerificationKey2018", context: `${SUITES}/ed25519-2018/v1` };
const ED25519_2020 = { type: "Ed25519VerificationKey2020", context: `${SUITES}/ed25519-2020/v1` };
const X25519_2020 = { type: "X25519KeyAgreementKey2020", context: `${SUITES}/x25519-2020/v1` };
const MULTIKEY = { type: "Multikey", context: "https://w3id.org/security/multikey/v1" };
const RSA_2018 = { type: "RsaVerificationKey2018", context: null };

export function w3cMethod(stored: VerificationMethod): W3cMethod {
  const { type, ...material } = materialOf(stored);
  return { id: stored.iD, type, controller: stored.controller, ...material };
}

/** Documents of this chain are checked when they are written; what another chain let in is shown as far as it goes. */
function materialOf(stored: VerificationMethod): Material {
  const { publicKeyJwk, publicKeyMultibase, blockchainAccountId } = stored;
  const hasJwk = Object.keys(publicKeyJwk).length > 0;
  switch (stored.type) {
    case KeyType.KeyType_JSON_WEB_KEY_2020:
      return { ...JWS_2020, publicKeyJwk };
    case KeyType.KeyType_ED25519_VERIFICATION_KEY_2018:
      return { ...ED25519_2018, ...ed25519Base58(publicKeyMultibase) };
    case KeyType.KeyType_ED25519_VERIFICATION_KEY_2020:
      return { ...ED25519_2020, publicKeyMultibase };
    case KeyType.KeyType_X25519_KEY_AGREEMENT_KEY_2020:
      return { ...X25519_2020, publicKeyMultibase };
    case KeyType.KeyType_MULTIKEY:
      return { ...MULTIKEY, publicKeyMultibase };
    case KeyType.KeyType_RSA_VERIFICATION_KEY_2018:
      return { ...RSA_2018, publicKeyJwk };
    case KeyType.KeyType_WEB_AUTHN_AUTHENTICATION_2018:
      return { ...JWS_2020, ...webauthnJwk(stored) };
    case KeyType.KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019:
      if (hasJwk) return { ...SECP256K1_2019, publicKeyJwk };
      if (publicKeyMultibase !== "") return { ...SECP256K1_2019, ...secp256k1Jwk(publicKeyMultibase) };
      return { ...SECP256K1_RECOVERY, blockchainAccountId };
    default:
      return hasJwk ? { ...JWS_2020, publicKeyJwk } : { ...MULTIKEY, publicKeyMultibase };
  }
}

/** The key without multibase letter and multicodec, as this older type has it. */
function ed25519Base58(multibase: string): Pick<Material, "publicKeyBase58" | "publicKeyMultibase"> {
  const bytes = decodeMultibase(multibase);
  if (bytes === null) return { publicKeyMultibase: multibase };
  return { publicKeyBase58: base58.encode(bytes.length === 32 ? bytes : (parseMultikey(bytes)?.key ?? bytes)) };
}

/** This type has no multibase form. */
function secp256k1Jwk(multibase: string): Pick<Material, "publicKeyJwk" | "publicKeyMultibase"> {
  try {
    const key = parseMultikey(decodeMultibase(multibase) as Bytes)?.key;
    const point = secp256k1.Point.fromBytes(key as Bytes).toBytes(false) as Bytes;
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => encodeBase64Url(half as Bytes));
    return { publicKeyJwk: { kty: "EC", crv: "secp256k1", x: x as string, y: y as string } };
  } catch {
    return { publicKeyMultibase: multibase };
  }
}

/** The key of a passkey; its id tells which one to ask for. */
function webauthnJwk({ webauthnCredential }: VerificationMethod): Pick<Material, "publicKeyJwk"> {
  if (webauthnCredential === undefined) return {};
  const kid = encodeBase64Url(webauthnCredential.id as Bytes);
  try {
    const key = decodeCoseKey(webauthnCredential.publicKey as Bytes);
    const text = encodeBase64Url;
    if (key.type === "RSA") return { publicKeyJwk: { kty: "RSA", kid, n: text(key.n), e: text(key.e) } };
    if (key.type === "OKP") return { publicKeyJwk: { kty: "OKP", kid, crv: key.curve, x: text(key.x) } };
    return { publicKeyJwk: { kty: "EC", kid, crv: key.curve, x: text(key.x), y: text(key.y) } };
  } catch {
    return { publicKeyJwk: { kid } };
  }
}
