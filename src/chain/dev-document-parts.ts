// The parts that the sample documents are made of, in the form in which the interface shows them.

import type { JsonObject } from "@bufbuild/protobuf";
import { cosmosChain } from "../codec/caip.ts";
import type { DevAccount } from "./dev-accounts.ts";
import { accountMultikey, type NamedJwk } from "./dev-keys.ts";

export function subject(accounts: ReadonlyMap<string, DevAccount>, name: string, network?: string) {
  const account = accounts.get(name);
  if (account === undefined) throw new Error(`no development account is called ${name}`);
  const did = network === undefined ? `did:orr:${account.address}` : `did:orr:${network}:${account.address}`;
  return { did, creator: account.address, account };
}

function method(did: string, fragment: string, type: string, material: JsonObject): JsonObject {
  return {
    iD: `${did}#${fragment}`,
    type: `KeyType_${type}`,
    controller: did,
    public_key_jwk: {},
    public_key_multibase: "",
    blockchain_account_id: "",
    webauthn_credential: null,
    ...material,
  };
}

export function accountMethod(did: string, account: DevAccount, chainId: string): JsonObject {
  return method(did, "account", "ECDSA_SECP256K1_VERIFICATION_KEY_2019", {
    public_key_multibase: accountMultikey(account.publicKey),
    blockchain_account_id: `${cosmosChain(chainId)}:${account.address}`,
  });
}

export function accountAlone(did: string, fragment: string, accountId: string): JsonObject {
  return method(did, fragment, "ECDSA_SECP256K1_VERIFICATION_KEY_2019", { blockchain_account_id: accountId });
}

export function jwkMethod(did: string, { fragment, jwk }: NamedJwk): JsonObject {
  return method(did, fragment, "JSON_WEB_KEY_2020", { public_key_jwk: { ...jwk } });
}

export function multibaseMethod(did: string, fragment: string, type: string, multibase: string): JsonObject {
  return method(did, fragment, type, { public_key_multibase: multibase });
}

export function webauthnMethod(did: string, fragment: string, credential: JsonObject): JsonObject {
  return method(did, fragment, "WEB_AUTHN_AUTHENTICATION_2018", { webauthn_credential: credential });
}

export function refer(did: string, fragment: string): JsonObject {
  return { verification_method: null, reference: `${did}#${fragment}` };
}

export function embed(verificationMethod: JsonObject): JsonObject {
  return { verification_method: verificationMethod, reference: "" };
}

export function service(
  did: string,
  fragment: string,
  type: string,
  endpoint: string,
  endpoints: { [name: string]: string } = {},
): JsonObject {
  return { iD: `${did}#${fragment}`, type, service_endpoint: endpoint, service_endpoints: endpoints };
}
