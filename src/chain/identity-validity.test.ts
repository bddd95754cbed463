// The rules of identity documents: the worked samples pass as they are, and each rule refuses what breaks it.

import { describe, expect, test } from "bun:test";
import { create, fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import device from "../../test/fixtures/identity/device.json";
import organisation from "../../test/fixtures/identity/organisation.json";
import person from "../../test/fixtures/identity/person.json";
import type { Bytes } from "../codec/bytes.ts";
import { encodeBase64Url } from "../codec/jwk.ts";
import { formatMultikey } from "../codec/multikey.ts";
import { type DidDocument, DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import { ParamsSchema } from "../gen/orrery/identity/v1/state_pb.ts";
import { DEFAULT_IDENTITY_PARAMS } from "../state/identity.ts";
import { IdentityError } from "./identity-error.ts";
import { bareNames, checkControllers, checkNames, normaliseDocument, otherControllers } from "./identity-validity.ts";

const RULES = {
  chainId: "project-1",
  bech32Prefix: "snr",
  params: create(ParamsSchema, {
    ...DEFAULT_IDENTITY_PARAMS,
    didMethodName: "snr",
    allowedNetworks: ["testnet"],
    nameSuffixes: [".snr"],
  }),
};
const DID = person.iD;
const ACCOUNT = person.creator;

type Json = { [key: string]: Json } & Json[] & string;
/** A document of the samples with one thing changed. */
type Change = (document: Json) => void;

function changed(sample: unknown, change: Change): JsonObject {
  const copy = structuredClone(sample) as Json;
  change(copy);
  return copy as unknown as JsonObject;
}

function normalise(json: JsonValue, params = RULES.params) {
  const document = fromJson(DidDocumentSchema, json);
  return normaliseDocument(document, document.creator || ACCOUNT, { ...RULES, params });
}

function refusal(json: JsonValue, params = RULES.params): string {
  try {
    normalise(json, params);
  } catch (error) {
    if (error instanceof IdentityError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "accepted";
}

const set = (path: string, value: unknown): Change => {
  const keys = path.split(".");
  const last = keys.pop()!;
  return (document) => {
    const parent = keys.reduce<Json>((node, key) => node[key]!, document);
    (parent as { [key: string]: unknown })[last] = value;
  };
};

describe("worked samples", () => {
  test.each([
    ["person", person],
    ["organisation", organisation],
    ["device", device],
  ])("%s passes; only the service type is put into the registered words", (_, sample) => {
    const registered = JSON.stringify(sample).replace("ServiceType_ENCRYPTED_DATA_VAULT", "EncryptedDataVault");
    expect(filled(normalise(sample as JsonValue))).toEqual(filled(fromJson(DidDocumentSchema, JSON.parse(registered))));
  });

  /** The document as JSON, without the wrappers that hold nothing. */
  function filled(document: DidDocument): JsonValue {
    return JSON.parse(JSON.stringify(toJson(DidDocumentSchema, document)).replaceAll(/,"\w+":\{\}/g, ""));
  }
});

describe("stored form", () => {
  test("relative ids, service enumeration, bare account, legacy base58, context and creator are filled in", () => {
    const stored = normalise({
      iD: DID,
      verificationMethod: {
        data: [
          {
            iD: "#a",
            type: "KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019",
            controller: DID,
            blockchain_account_id: ACCOUNT,
          },
          {
            iD: "#b",
            type: "KeyType_ED25519_VERIFICATION_KEY_2018",
            controller: DID,
            public_key_multibase: "DeRYYBi71ZQc4W7iErUYFYXpf9jF94cVDmtuvg4uKgAG",
          },
        ],
      },
      authentication: { data: [{ reference: "#a" }] },
      service: {
        data: [
          { iD: "#s", type: "ServiceType_LINKED_DOMAINS", service_endpoints: { b: "https://b.example", a: "x:a" } },
        ],
      },
    });
    expect(stored.context).toEqual(["https://www.w3.org/ns/did/v1"]);
    expect(stored.creator).toBe(ACCOUNT);
    const [account, legacy] = stored.verificationMethod!.data;
    expect(account!.iD).toBe(`${DID}#a`);
    expect(account!.blockchainAccountId).toBe(`cosmos:project-1:${ACCOUNT}`);
    expect(legacy!.publicKeyMultibase).toBe("zDeRYYBi71ZQc4W7iErUYFYXpf9jF94cVDmtuvg4uKgAG");
    expect(stored.authentication!.data[0]!.reference).toBe(`${DID}#a`);
    const [service] = stored.service!.data;
    expect(service!.iD).toBe(`${DID}#s`);
    expect(service!.type).toBe("LinkedDomains");
    expect(Object.keys(service!.serviceEndpoints)).toEqual(["a", "b"]);
    expect(stored.keyAgreement).toBeUndefined();
  });

  test("the DID may leave out the prefix of the address, and name the chain's own network", () => {
    const id = ACCOUNT.slice(3);
    for (const iD of [`did:snr:${id}`, `did:snr:devnet:${ACCOUNT}`]) expect(normalise({ iD }).iD).toBe(iD);
  });

  test("an open chain takes any free id", () => {
    const params = create(ParamsSchema, { ...RULES.params, idPolicy: "open" });
    expect(normalise({ iD: "did:snr:anything" }, params).iD).toBe("did:snr:anything");
  });
});

describe("refusals of a document", () => {
  const vm = "verification_method.data";
  test.each<[string, Change]>([
    ["1103 invalid did document: creator: decoding bech32 failed", set("creator", "snr1x")],
    ['1102 invalid did: iD: "nonsense" is not a DID', set("iD", "nonsense")],
    ["1102 invalid did: iD: ", set("iD", `${DID}#x`)],
    ["1102 invalid did: iD: longer than 255 bytes", set("iD", `did:snr:${"a".repeat(250)}`)],
    ["1102 invalid did: iD: the method must be snr", set("iD", `did:orr:${ACCOUNT}`)],
    ["1102 invalid did: iD: at most one network segment", set("iD", `did:snr:a:b:${ACCOUNT}`)],
    ['1102 invalid did: iD: network "mainnet" is not allowed', set("iD", `did:snr:mainnet:${ACCOUNT}`)],
    ["1102 invalid did: iD: the last segment must be the creator's address", set("iD", "did:snr:somebody")],
    ["1103 invalid did document: context[0]: must be", set("context", ["https://example.com"])],
    ["1103 invalid did document: context[1]: must be an absolute URI", set("context.1", "x")],
    ["1103 invalid did document: context[1]: occurs twice", set("context.1", "https://www.w3.org/ns/did/v1")],
    ["1103 invalid did document: controller[0]: must be a DID", set("controller.0", `${DID}#k`)],
    ["1103 invalid did document: controller[1]: occurs twice", set("controller", [DID, DID])],
    [`1103 invalid did document: ${"verification_method[0].iD"}: must be a DID URL`, set(`${vm}.0.iD`, DID)],
    ["verification_method[0].iD: must be a DID URL", set(`${vm}.0.iD`, `${DID}#`)],
    ["verification_method[0].iD: must begin with", set(`${vm}.0.iD`, "did:snr:other#k")],
    [`verification_method[1].iD: ${DID}#account occurs twice`, set(`${vm}.1.iD`, "#account")],
    ["authentication[1].verification_method.iD: ", set("authentication.data.1.verification_method.iD", "#account")],
    ["verification_method[0].controller: must be a DID", set(`${vm}.0.controller`, "")],
    ["verification_method[0].type: unknown key type", set(`${vm}.0.type`, "KeyType_UNSPECIFIED")],
    ["verification_method[0].type: unknown key type", set(`${vm}.0.type`, 99)],
    ["authentication[0]: needs a verification method or a reference", set("authentication.data.0.reference", "")],
    ["authentication[0].reference: must be a DID URL", set("authentication.data.0.reference", "account")],
    ["authentication[0].reference: ", set("authentication.data.0.reference", "#passkey-1")],
    ["authentication[0].reference: ", set("authentication.data.0.reference", "#unknown")],
    ["authentication[1].reference: must be empty or", set("authentication.data.1.reference", "#account")],
    ["assertion_method[1]: ", (d) => d.assertion_method!.data!.push(structuredClone(d.assertion_method!.data![0]!))],
    [
      "key_agreement[0]: this key cannot agree on a secret",
      (d) => d.key_agreement!.data!.push({ reference: "#account" } as unknown as Json),
    ],
    [
      "capability_invocation[1]: a WebAuthn credential serves",
      (d) => d.capability_invocation!.data!.push(d.authentication!.data!.pop() as Json),
    ],
    ["service[0].iD: must be an absolute URI", set("service.data.0.iD", "vault")],
    ["service[0].iD: must be an absolute URI", set("service.data.0.iD", "did:x y")],
    ["service[0].iD: must begin with", set("service.data.0.iD", "did:snr:other#s")],
    ["service[1].iD: ", (d) => d.service!.data!.push(structuredClone(d.service!.data![0]!))],
    ["service[0].type: must have 1 to 255 characters", set("service.data.0.type", "")],
    ["service[0].type: must have 1 to 255 characters", set("service.data.0.type", "x".repeat(256))],
    ["service[0].type: must name a type", set("service.data.0.type", "ServiceType_UNSPECIFIED")],
    ["service[0].type: must not contain control", set("service.data.0.type", "a\nb")],
    ["service[0]: needs an endpoint", set("service.data.0.service_endpoint", "")],
    ["service[0].service_endpoint: must be an absolute URI", set("service.data.0.service_endpoint", "/x")],
    ["service[0].service_endpoints: names must have", set("service.data.0.service_endpoints", { "": "x:y" })],
    ['service[0].service_endpoints["web"]: must be', set("service.data.0.service_endpoints", { web: "y" })],
    ["also_known_as[0]: must be an absolute URI or a name that ends in .snr", set("also_known_as.0", "alice.org")],
    ["also_known_as[0]: must be an absolute URI or a name", set("also_known_as.0", "Alice.snr")],
    ["also_known_as[0]: must be an absolute URI or a name", set("also_known_as.0", ".snr")],
    ["also_known_as[1]: occurs twice", set("also_known_as", ["a.snr", "a.snr"])],
    ["also_known_as[0]: longer than 2048 bytes", set("also_known_as.0", `x:${"a".repeat(2048)}`)],
    [
      "1108 document too large: 65 aliases, at most 64",
      set(
        "also_known_as",
        Array.from({ length: 65 }, (_, i) => `x:${i}`),
      ),
    ],
    [
      "1108 document too large: 17 controllers, at most 16",
      set(
        "controller",
        Array.from({ length: 17 }, (_, i) => `did:a:${i}`),
      ),
    ],
    [
      "1108 document too large: 33 services, at most 32",
      (d) => {
        d.service!.data = Array.from({ length: 33 }, () => d.service!.data![0]!) as Json;
      },
    ],
    [
      "1108 document too large: 34 verification methods, at most 32",
      (d) => {
        d.verification_method!.data = Array.from({ length: 33 }, () => d.verification_method!.data![0]!) as Json;
      },
    ],
    [
      "1108 document too large: ",
      set(
        "also_known_as",
        Array.from({ length: 20 }, (_, i) => `x:${i}${"a".repeat(1000)}`),
      ),
    ],
  ])("%s", (message, change) => expect(refusal(changed(person, change))).toContain(message));

  test("a creator that is not the signer", () => {
    const document = fromJson(DidDocumentSchema, person as JsonValue);
    expect(() => normaliseDocument(document, organisation.creator, RULES)).toThrow("is not the signer");
  });
});

describe("refusals of key material", () => {
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: "P5RHt6yh17QY0CJ4TmbCrm2FZenB2GzOvqQGUjv8X6o",
    y: "eejCB28sKUIqkimJIb4ndUP34-JC-hkYA-zBKXzhhfs",
  };
  const okp = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
  const secp = {
    crv: "secp256k1",
    kty: "EC",
    x: "HPG7jKb9XHmbPtLwAbgcavDmK9XOeIWV_aK0vKo65Ao",
    y: "XIV69XjyWiJokZn6kWDEAG9eYrE290qgagiQlB0xDC0",
  };
  const rsa = (bytes: number, e = "AQAB") => ({
    kty: "RSA",
    e,
    n: encodeBase64Url(new Uint8Array(bytes).fill(0xff)),
  });
  const credential = person.authentication.data[1]!.verification_method!.webauthn_credential;
  const account = person.verification_method.data[0]!;
  const ED = "z6Mks6gb8RxYM6u5AzxQvRSP6e5pUj16Ywrqunoqkx2vEtwe";

  const withMethod = (type: string, fields: object): JsonObject => ({
    iD: DID,
    verification_method: { data: [{ iD: "#k", type: `KeyType_${type}`, controller: DID, ...fields }] },
  });

  test.each<[string, object]>([
    ["JSON_WEB_KEY_2020", { public_key_jwk: jwk }],
    ["JSON_WEB_KEY_2020", { public_key_jwk: okp }],
    ["JSON_WEB_KEY_2020", { public_key_jwk: secp, blockchain_account_id: device.creator }],
    ["JSON_WEB_KEY_2020", { public_key_jwk: rsa(256) }],
    ["RSA_VERIFICATION_KEY_2018", { public_key_jwk: rsa(256) }],
    ["ED25519_VERIFICATION_KEY_2018", { public_key_multibase: ED }],
    ["ED25519_VERIFICATION_KEY_2020", { public_key_multibase: ED }],
    ["MULTIKEY", { public_key_multibase: ED }],
    ["ECDSA_SECP256K1_VERIFICATION_KEY_2019", { public_key_jwk: secp }],
    ["ECDSA_SECP256K1_VERIFICATION_KEY_2019", { public_key_multibase: account.public_key_multibase }],
    [
      "ECDSA_SECP256K1_VERIFICATION_KEY_2019",
      { blockchain_account_id: "eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb" },
    ],
    ["WEB_AUTHN_AUTHENTICATION_2018", { webauthn_credential: credential }],
  ])("%s is accepted", (type, fields) => expect(refusal(withMethod(type, fields))).toBe("accepted"));

  test.each<[string, string, object]>([
    ['public_key_jwk: private member "d"', "JSON_WEB_KEY_2020", { public_key_jwk: { ...jwk, d: "AA" } }],
    ['public_key_jwk: private member "k"', "JSON_WEB_KEY_2020", { public_key_jwk: { kty: "oct", k: "AA" } }],
    ["public_key_jwk: unsupported key type", "JSON_WEB_KEY_2020", { public_key_jwk: { ...jwk, crv: "P-999" } }],
    ["public_key_jwk: unsupported key type", "JSON_WEB_KEY_2020", { public_key_jwk: { ...jwk, crv: "constructor" } }],
    ["public_key_jwk: not a point of P-256", "JSON_WEB_KEY_2020", { public_key_jwk: { ...jwk, y: jwk.x } }],
    [
      'public_key_jwk: member "x" must be base64url',
      "JSON_WEB_KEY_2020",
      { public_key_jwk: { ...jwk, x: `${jwk.x}=` } },
    ],
    [
      "public_key_jwk: coordinates of P-256 have 32 bytes",
      "JSON_WEB_KEY_2020",
      { public_key_jwk: { ...jwk, x: "AQAB" } },
    ],
    ['public_key_jwk: member "y"', "JSON_WEB_KEY_2020", { public_key_jwk: { kty: "EC", crv: "P-256", x: jwk.x } }],
    [
      "public_key_jwk: not a point of Ed25519",
      "JSON_WEB_KEY_2020",
      { public_key_jwk: { ...okp, x: "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" } },
    ],
    ["public_key_jwk: Ed25519 key of 3 bytes", "JSON_WEB_KEY_2020", { public_key_jwk: { ...okp, x: "AQAB" } }],
    [
      "public_key_jwk: not a point of X25519",
      "JSON_WEB_KEY_2020",
      { public_key_jwk: { kty: "OKP", crv: "X25519", x: "A".repeat(43) } },
    ],
    ["public_key_jwk: RSA modulus of 1024 bits", "JSON_WEB_KEY_2020", { public_key_jwk: rsa(128) }],
    ["public_key_jwk: RSA exponent must be odd", "RSA_VERIFICATION_KEY_2018", { public_key_jwk: rsa(256, "AQAC") }],
    ["public_key_jwk: RSA key expected, got P-256", "RSA_VERIFICATION_KEY_2018", { public_key_jwk: jwk }],
    ["public_key_jwk: missing", "JSON_WEB_KEY_2020", {}],
    ["public_key_jwk: missing", "JSON_WEB_KEY_2020", { blockchain_account_id: ACCOUNT }],
    ["public_key_multibase: not allowed", "JSON_WEB_KEY_2020", { public_key_jwk: jwk, public_key_multibase: ED }],
    ["webauthn_credential: not allowed", "JSON_WEB_KEY_2020", { public_key_jwk: jwk, webauthn_credential: credential }],
    [
      "public_key_multibase: must be base58btc",
      "ED25519_VERIFICATION_KEY_2020",
      { public_key_multibase: "zDeRYYBi71ZQc4W7iErUYFYXpf9jF94cVDmtuvg4uKgAG" },
    ],
    ["public_key_multibase: must be base58btc", "MULTIKEY", { public_key_multibase: "uAAAA" }],
    [
      "public_key_multibase: X25519 key expected, got Ed25519",
      "X25519_KEY_AGREEMENT_KEY_2020",
      { public_key_multibase: ED },
    ],
    ["public_key_jwk: not allowed", "ED25519_VERIFICATION_KEY_2018", { public_key_jwk: okp }],
    [
      "blockchain_account_id: not allowed",
      "ED25519_VERIFICATION_KEY_2018",
      { public_key_multibase: ED, blockchain_account_id: ACCOUNT },
    ],
    [
      "more than one encoding of the key",
      "ECDSA_SECP256K1_VERIFICATION_KEY_2019",
      { public_key_jwk: secp, public_key_multibase: account.public_key_multibase },
    ],
    [
      "blockchain_account_id: the address does not derive",
      "ECDSA_SECP256K1_VERIFICATION_KEY_2019",
      { public_key_jwk: secp, blockchain_account_id: ACCOUNT },
    ],
    [
      "blockchain_account_id: the address does not derive",
      "JSON_WEB_KEY_2020",
      { public_key_jwk: jwk, blockchain_account_id: ACCOUNT },
    ],
    [
      "blockchain_account_id: must be a CAIP-10",
      "ECDSA_SECP256K1_VERIFICATION_KEY_2019",
      { blockchain_account_id: "somebody" },
    ],
    [
      "blockchain_account_id: must be an address of this chain",
      "ECDSA_SECP256K1_VERIFICATION_KEY_2019",
      { blockchain_account_id: "cosmos:project-1:snr1x" },
    ],
    ["public_key_jwk: missing", "ECDSA_SECP256K1_VERIFICATION_KEY_2019", {}],
    ["webauthn_credential: missing", "WEB_AUTHN_AUTHENTICATION_2018", {}],
    [
      "webauthn_credential: id must have 1 to 1023 bytes",
      "WEB_AUTHN_AUTHENTICATION_2018",
      { webauthn_credential: { ...credential, id: "" } },
    ],
    [
      "webauthn_credential: authenticator.aaguid must have 16 bytes",
      "WEB_AUTHN_AUTHENTICATION_2018",
      { webauthn_credential: { ...credential, authenticator: null } },
    ],
    [
      "webauthn_credential: not a COSE public key: truncated",
      "WEB_AUTHN_AUTHENTICATION_2018",
      { webauthn_credential: { ...credential, public_key: "" } },
    ],
    [
      "public_key_jwk: not allowed",
      "WEB_AUTHN_AUTHENTICATION_2018",
      { webauthn_credential: credential, public_key_jwk: jwk },
    ],
  ])("%s", (reason, type, fields) => {
    expect(refusal(withMethod(type, fields))).toContain(`1103 invalid did document: verification_method[0]`);
    expect(refusal(withMethod(type, fields))).toContain(reason);
  });

  test("an Ethereum account beside its key", () => {
    // The key 1 and its well-known address.
    const key = secp256k1.Point.BASE.toBytes(true) as Bytes;
    const generator = { public_key_multibase: formatMultikey({ curve: "secp256k1", key }) };
    const type = "ECDSA_SECP256K1_VERIFICATION_KEY_2019";
    const own = "eip155:1:0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";
    expect(refusal(withMethod(type, { ...generator, blockchain_account_id: own }))).toBe("accepted");
    const other = own.replace("7E", "7F");
    expect(refusal(withMethod(type, { ...generator, blockchain_account_id: other }))).toContain("does not derive");
  });
});

describe("against other documents", () => {
  const stored = normalise(organisation as JsonValue);

  test("controllers must be active", () => {
    expect(otherControllers(stored)).toEqual([person.iD]);
    expect(() => checkControllers(stored, new Set([person.iD]))).not.toThrow();
    expect(() => checkControllers(stored, new Set())).toThrow(`controller[1]: ${person.iD} is not an active document`);
  });

  test("a bare name has one owner", () => {
    const alice = normalise(person as JsonValue);
    expect(bareNames(alice)).toEqual(["alice.snr"]);
    expect(() => checkNames(alice, new Map([["alice.snr", alice.iD]]))).not.toThrow();
    expect(() => checkNames(alice, new Map([["alice.snr", stored.iD]]))).toThrow(
      `alias already claimed: alice.snr belongs to ${stored.iD}`,
    );
  });
});
