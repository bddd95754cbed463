// The least document that is of use: the sender's own DID, whose subject proves itself with the account's key.

import { create } from "@bufbuild/protobuf";
import { cosmosChain } from "../codec/caip.ts";
import { formatMultikey } from "../codec/multikey.ts";
import { type DidDocument, DidDocumentSchema, KeyType } from "../gen/orrery/identity/v1/did_pb.ts";
import type { Sender } from "./send-tx.ts";

export function sampleDocument({ address, chainId, key: { publicKey } }: Sender): DidDocument {
  const did = `did:orr:${address}`;
  const method = {
    iD: `${did}#account`,
    type: KeyType.KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019,
    controller: did,
    publicKeyMultibase: formatMultikey({ curve: "secp256k1", key: publicKey }),
    blockchainAccountId: `${cosmosChain(chainId)}:${address}`,
  };
  return create(DidDocumentSchema, {
    iD: did,
    verificationMethod: { data: [method] },
    authentication: { data: [{ reference: method.iD }] },
  });
}
