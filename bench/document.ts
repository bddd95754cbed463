// One identity document of the benchmark. The keys are public samples; what matters is their number and size.

const ED25519 = "z6Mks6gb8RxYM6u5AzxQvRSP6e5pUj16Ywrqunoqkx2vEtwe";
const P256 = {
  crv: "P-256",
  kty: "EC",
  x: "P5RHt6yh17QY0CJ4TmbCrm2FZenB2GzOvqQGUjv8X6o",
  y: "eejCB28sKUIqkimJIb4ndUP34-JC-hkYA-zBKXzhhfs",
};
const X25519 = { crv: "X25519", kty: "OKP", x: "iRx1-nNM7woUuJ1_9O3JOdgucRvDIumqejRy_2kgJWg" };

export function benchDocument(address: string, chainId: string): unknown {
  const did = `did:orr:${address}`;
  const reference = (key: string) => ({ verification_method: null, reference: `${did}#${key}` });
  const method = (key: string, type: string, material: object) => ({
    iD: `${did}#${key}`,
    type: `KeyType_${type}`,
    controller: did,
    ...material,
  });
  const service = (name: string, type: string, endpoints: object) => ({ iD: `${did}#${name}`, type, ...endpoints });
  return {
    context: ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"],
    creator: address,
    iD: did,
    controller: [did],
    verification_method: {
      data: [
        method("key-1", "ED25519_VERIFICATION_KEY_2020", { public_key_multibase: ED25519 }),
        method("key-2", "JSON_WEB_KEY_2020", { public_key_jwk: P256 }),
        method("key-3", "ECDSA_SECP256K1_VERIFICATION_KEY_2019", {
          blockchain_account_id: `cosmos:${chainId}:${address}`,
        }),
        method("key-4", "JSON_WEB_KEY_2020", { public_key_jwk: P256 }),
      ],
    },
    authentication: { data: ["key-1", "key-2", "key-3"].map(reference) },
    assertion_method: { data: ["key-1", "key-4"].map(reference) },
    capability_invocation: { data: ["key-1", "key-3"].map(reference) },
    capability_delegation: { data: ["key-1"].map(reference) },
    key_agreement: {
      data: [{ verification_method: method("key-5", "JSON_WEB_KEY_2020", { public_key_jwk: X25519 }), reference: "" }],
    },
    service: {
      data: [
        service("hub", "LinkedDomains", { service_endpoint: `https://hub.example.com/${address}/domains` }),
        service("inbox", "DIDCommMessaging", { service_endpoint: `https://agents.example.com/${address}/didcomm` }),
        service("streams", "TelemetryStream", {
          service_endpoints: {
            mqtt: `mqtts://broker.example.com:8883/${address}`,
            web: `https://streams.example.com/${address}/live`,
          },
        }),
      ],
    },
    also_known_as: [`https://${address}.example/`, `https://social.example.com/users/${address}`],
  };
}
