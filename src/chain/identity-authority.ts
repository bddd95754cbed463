// Who may change an identity document. What counts is the document as it is stored, not the one that is to replace it:
//
//   its creator, unless it was handed over: it then names controllers, but neither itself nor the creator among them;
//   an account whose DID is among its controllers;
//   an account whose address or key is among its methods for capability invocation.
//
// A method of another document that is only referred to gives no right: that document may change at any time.

import { create, toBinary } from "@bufbuild/protobuf";
import { encodeAddress } from "../codec/address.ts";
import { type Bytes, equalBytes } from "../codec/bytes.ts";
import { cosmosChain } from "../codec/caip.ts";
import { parseDidUrl } from "../codec/did.ts";
import { accountAddressOf } from "../codec/key-address.ts";
import { decodeMultibase, parseMultikey } from "../codec/multikey.ts";
import { PubKeySchema as Secp256k1Schema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { PubKeySchema as Secp256r1Schema } from "../gen/cosmos/crypto/secp256r1/keys_pb.ts";
import type { DidDocument, VerificationMethod } from "../gen/orrery/identity/v1/did_pb.ts";
import { IdentityError } from "./identity-error.ts";
import type { DocumentRules } from "./identity-validity.ts";
import { type CheckedKey, checkJwk } from "./public-key-points.ts";

/** Throws IdentityError. `stored` must be a document that passed normaliseDocument. */
export function checkAuthority(stored: DidDocument, signer: Bytes, rules: DocumentRules): void {
  const address = encodeAddress(rules.bech32Prefix, signer);
  if (address === stored.creator && !isHandedOver(stored, rules)) return;
  if (stored.controller.some((did) => isAccountDid(did, address, rules))) return;
  if (invocationMethods(stored).some((method) => belongsTo(method, signer, address, rules))) return;
  throw new IdentityError(1104, `${address} is neither creator in control nor controller of ${stored.iD}`);
}

function isHandedOver({ controller, creator, iD }: DidDocument, rules: DocumentRules): boolean {
  return controller.length > 0 && !controller.some((did) => did === iD || isAccountDid(did, creator, rules));
}

/** Whether the DID is an account's own: of this chain's method, with the address, whole or without its prefix, last. */
function isAccountDid(did: string, address: string, { params }: DocumentRules): boolean {
  const parsed = parseDidUrl(did);
  if (parsed === null || parsed.method !== params.didMethodName) return false;
  const id = parsed.segments.at(-1);
  return id === address || id === address.slice(address.lastIndexOf("1"));
}

/** Embedded, or referred to and listed in the same document. */
function invocationMethods({ capabilityInvocation, verificationMethod }: DidDocument): VerificationMethod[] {
  const listed = verificationMethod?.data ?? [];
  return (capabilityInvocation?.data ?? []).flatMap((entry) => {
    return entry.verificationMethod ?? listed.filter(({ iD }) => iD === entry.reference);
  });
}

function belongsTo(method: VerificationMethod, signer: Bytes, address: string, { chainId }: DocumentRules): boolean {
  if (method.blockchainAccountId === `${cosmosChain(chainId)}:${address}`) return true;
  const owner = ownerOf(method);
  return owner !== null && equalBytes(owner, signer);
}

/** The account that the key of a method owns; null for kinds of keys that cannot sign transactions. */
function ownerOf(method: VerificationMethod): Bytes | null {
  const key = keyOf(method);
  const schema = key?.curve === "secp256k1" ? Secp256k1Schema : key?.curve === "P-256" ? Secp256r1Schema : null;
  if (key === null || schema === null) return null;
  return accountAddressOf({
    typeUrl: `/${schema.typeName}`,
    value: toBinary(schema, create(schema, { key: key.point })) as Bytes,
  });
}

function keyOf({ publicKeyJwk, publicKeyMultibase }: VerificationMethod): CheckedKey | null {
  if (Object.keys(publicKeyJwk).length > 0) return checkJwk(publicKeyJwk);
  const bytes = decodeMultibase(publicKeyMultibase);
  const multikey = bytes === null ? null : parseMultikey(bytes);
  return multikey === null ? null : { curve: multikey.curve, point: multikey.key };
}
