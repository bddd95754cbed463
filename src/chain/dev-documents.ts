// The sample identities of the development chain. Together they use every field that the interface shows: a person, a
// correspondent, a company, a device, an issuer, a wanderer between chains, a holder of hardware keys, a council.

import type { JsonObject } from "@bufbuild/protobuf";
import { cosmosChain } from "../codec/caip.ts";
import type { DevAccount } from "./dev-accounts.ts";
import {
  accountAlone,
  accountMethod,
  embed,
  jwkMethod,
  multibaseMethod,
  refer,
  service,
  subject,
  webauthnMethod,
} from "./dev-document-parts.ts";
import * as key from "./dev-keys.ts";

export type DevCast = {
  readonly chainId: string;
  /** By name. */
  readonly accounts: ReadonlyMap<string, DevAccount>;
  /** The shared account of alice, bob and carol. */
  readonly multisig: string;
};

const DID_CONTEXT = "https://www.w3.org/ns/did/v1";
const JWS_2020 = "https://w3id.org/security/suites/jws-2020/v1";
const SECP256K1_2019 = "https://w3id.org/security/suites/secp256k1-2019/v1";
const ED25519_2018 = "https://w3id.org/security/suites/ed25519-2018/v1";
const ED25519_2020 = "https://w3id.org/security/suites/ed25519-2020/v1";
const X25519_2020 = "https://w3id.org/security/suites/x25519-2020/v1";
const MULTIKEY = "https://w3id.org/security/multikey/v1";

/** The `identity` section of the genesis. */
export function devIdentity(cast: DevCast): JsonObject {
  return {
    params: {
      did_method_name: "orr",
      did_network: "devnet",
      allowed_networks: ["testnet"],
      id_policy: "account",
      name_suffixes: [".orr"],
    },
    didDocumentList: [person, correspondent, company, device, issuer, wanderer, keyHolder, council].map((make) =>
      make(cast),
    ),
    deactivated: [retired(cast)],
  };
}

/** An account key with its account id, a P-256 key by its thumbprint, and a passkey for authentication alone. */
function person({ accounts, chainId }: DevCast): JsonObject {
  const { did, creator, account } = subject(accounts, "alice");
  const assertion = key.p256Jwk("alice assertion");
  return {
    context: [DID_CONTEXT, JWS_2020, SECP256K1_2019],
    creator,
    iD: did,
    controller: [did],
    verification_method: {
      data: [accountMethod(did, account, chainId), jwkMethod(did, assertion)],
    },
    authentication: {
      data: [
        refer(did, "account"),
        embed(webauthnMethod(did, "passkey-1", key.credential("alice passkey", "passkey"))),
      ],
    },
    assertion_method: { data: [refer(did, assertion.fragment)] },
    capability_invocation: { data: [refer(did, "account")] },
    service: {
      data: [service(did, "vault", "ServiceType_ENCRYPTED_DATA_VAULT", "https://vault.example.com/edvs/alice")],
    },
    also_known_as: ["alice.orr", "https://alice.example.com/"],
  };
}

/** Ed25519 and X25519 in their 2020 forms, and a mailbox. */
function correspondent({ accounts }: DevCast): JsonObject {
  const { did, creator } = subject(accounts, "bob");
  return {
    context: [DID_CONTEXT, ED25519_2020, X25519_2020],
    creator,
    iD: did,
    controller: [did],
    verification_method: {
      data: [
        multibaseMethod(did, "sign", "ED25519_VERIFICATION_KEY_2020", key.ed25519Multikey("bob signing")),
        multibaseMethod(did, "agree", "X25519_KEY_AGREEMENT_KEY_2020", key.x25519Multikey("bob agreement")),
      ],
    },
    authentication: { data: [refer(did, "sign")] },
    assertion_method: { data: [refer(did, "sign")] },
    key_agreement: { data: [refer(did, "agree")] },
    service: { data: [service(did, "didcomm", "DIDCommMessaging", "https://mail.example.com/didcomm/bob")] },
    also_known_as: ["bob.orr", "mailto:bob@example.com"],
  };
}

/** Controlled by itself and by alice; its key agreement key is embedded. */
function company({ accounts }: DevCast): JsonObject {
  const { did, creator } = subject(accounts, "carol");
  return {
    context: [DID_CONTEXT, ED25519_2018, JWS_2020],
    creator,
    iD: did,
    controller: [did, subject(accounts, "alice").did],
    verification_method: {
      data: [multibaseMethod(did, "issuer-1", "ED25519_VERIFICATION_KEY_2018", key.ed25519Multikey("acme issuer"))],
    },
    authentication: { data: [refer(did, "issuer-1")] },
    assertion_method: { data: [refer(did, "issuer-1")] },
    key_agreement: { data: [embed(jwkMethod(did, key.x25519Jwk("acme agreement")))] },
    service: {
      data: [
        service(did, "didcomm", "DIDCommMessaging", "https://agents.acme.example/didcomm", {
          backup: "wss://backup.acme.example/didcomm",
        }),
        service(did, "linked-domain", "LinkedDomains", "https://acme.example"),
      ],
    },
    also_known_as: ["acme.orr", "https://acme.example"],
  };
}

/** On another network segment, controlled by the company alone, with named endpoints only, of an unlisted type. */
function device({ accounts }: DevCast): JsonObject {
  const { did, creator, account } = subject(accounts, "dave", "testnet");
  const own = key.secp256k1Jwk(account.publicKey);
  return {
    context: [DID_CONTEXT, JWS_2020],
    creator,
    iD: did,
    controller: [subject(accounts, "carol").did],
    verification_method: { data: [jwkMethod(did, own)] },
    authentication: { data: [refer(did, own.fragment)] },
    service: {
      data: [
        service(did, "telemetry", "TelemetryStream", "", {
          mqtt: "mqtts://broker.acme.example:8883",
          web: "https://iot.acme.example/d/42",
        }),
      ],
    },
    also_known_as: ["urn:uuid:7c6f1d0e-2d55-4f0b-9a55-1b1f5f0a9c11"],
  };
}

/** Every relationship, with keys both listed and embedded; what it delegates stands in the company's document. */
function issuer({ accounts }: DevCast): JsonObject {
  const { did, creator } = subject(accounts, "erin");
  const signing = key.ed25519Jwk("erin signing");
  return {
    context: [DID_CONTEXT, JWS_2020, MULTIKEY],
    creator,
    iD: did,
    verification_method: {
      data: [jwkMethod(did, signing), multibaseMethod(did, "multikey", "MULTIKEY", key.p256Multikey("erin multikey"))],
    },
    authentication: { data: [refer(did, signing.fragment)] },
    assertion_method: { data: [refer(did, signing.fragment), refer(did, "multikey")] },
    capability_invocation: {
      data: [embed(multibaseMethod(did, "invoke", "MULTIKEY", key.ed25519Multikey("erin invocation")))],
    },
    capability_delegation: {
      data: [
        embed(jwkMethod(did, key.p256Jwk("erin delegation"))),
        { reference: `${subject(accounts, "carol").did}#issuer-1` },
      ],
    },
    key_agreement: { data: [refer(did, "multikey")] },
    service: {
      data: [
        service(did, "credentials", "CredentialRegistry", "https://issuer.example.com/credentials", {
          ipfs: "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
        }),
      ],
    },
    also_known_as: ["issuer.orr", "https://issuer.example.com/"],
  };
}

/** Known by accounts alone, here and on another chain. */
function wanderer({ accounts, chainId }: DevCast): JsonObject {
  const { did, creator } = subject(accounts, "frank");
  return {
    context: [DID_CONTEXT, SECP256K1_2019],
    creator,
    iD: did,
    controller: [did],
    verification_method: {
      data: [
        accountAlone(did, "home", `${cosmosChain(chainId)}:${creator}`),
        accountAlone(did, "abroad", "eip155:1:0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"),
      ],
    },
    authentication: { data: [refer(did, "home"), refer(did, "abroad")] },
    capability_invocation: { data: [refer(did, "home")] },
    also_known_as: ["frank.orr", "https://social.example/@frank"],
  };
}

/** Credentials in the list, referred to for authentication and for assertion. */
function keyHolder({ accounts, chainId }: DevCast): JsonObject {
  const { did, creator, account } = subject(accounts, "grace");
  return {
    context: [DID_CONTEXT, JWS_2020, SECP256K1_2019],
    creator,
    iD: did,
    controller: [did],
    verification_method: {
      data: [
        accountMethod(did, account, chainId),
        webauthnMethod(did, "security-key", key.credential("grace security key", "security key")),
        webauthnMethod(did, "phone", key.credential("grace phone", "passkey")),
      ],
    },
    authentication: { data: [refer(did, "security-key"), refer(did, "phone")] },
    assertion_method: { data: [refer(did, "security-key")] },
    capability_delegation: { data: [refer(did, "account")] },
    service: { data: [service(did, "profile", "LinkedDomains", "https://grace.example.org/")] },
    also_known_as: ["grace.orr"],
  };
}

/** The shared account, controlled by its three members. */
function council({ accounts, chainId, multisig }: DevCast): JsonObject {
  const did = `did:orr:${multisig}`;
  return {
    context: [DID_CONTEXT, SECP256K1_2019],
    creator: multisig,
    iD: did,
    controller: ["alice", "bob", "carol"].map((name) => subject(accounts, name).did),
    verification_method: { data: [accountAlone(did, "shared", `${cosmosChain(chainId)}:${multisig}`)] },
    authentication: { data: [refer(did, "shared")] },
    service: { data: [service(did, "minutes", "LinkedDomains", "https://council.example.org/minutes")] },
    also_known_as: ["council.orr"],
  };
}

/** Deactivated: its last content stays in the history, and nobody can take the DID again. */
function retired({ accounts, chainId }: DevCast): JsonObject {
  const { did, creator, account } = subject(accounts, "heidi");
  const document = {
    context: [DID_CONTEXT, SECP256K1_2019],
    creator,
    iD: did,
    controller: [did],
    verification_method: { data: [accountMethod(did, account, chainId)] },
    authentication: { data: [refer(did, "account")] },
    also_known_as: ["heidi.orr"],
  };
  return { did, creator, document };
}
