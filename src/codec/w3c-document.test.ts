import { expect, test } from "bun:test";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import device from "../../test/fixtures/identity/device.json";
import organisation from "../../test/fixtures/identity/organisation.json";
import person from "../../test/fixtures/identity/person.json";
import { type DidDocument, DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import { decodeBase64Url } from "./jwk.ts";
import { methodFacts, type W3cDocument, w3cDocument } from "./w3c-document.ts";

const ORGANISATION = "did:snr:snr16dq7ulxztjwv860yuaztvmrxgy5fcht7kprdae";
const PERSON = "did:snr:snr1ndqp5umc7here60ddnph5ckj56636t00uz38h6";

/** Enumerated types are the wire's matter; stored documents hold the W3C's text for services. */
function stored(json: unknown): DidDocument {
  const text = JSON.stringify(json).replaceAll('"ServiceType_ENCRYPTED_DATA_VAULT"', '"EncryptedDataVault"');
  return fromJson(DidDocumentSchema, JSON.parse(text) as JsonValue);
}

test("an organisation: base58 key, embedded key-agreement key, two services", () => {
  expect(w3cDocument(stored(organisation))).toEqual({
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/suites/ed25519-2018/v1",
      "https://w3id.org/security/suites/jws-2020/v1",
    ],
    id: ORGANISATION,
    controller: [ORGANISATION, PERSON],
    alsoKnownAs: ["https://acme.example"],
    verificationMethod: [
      {
        id: `${ORGANISATION}#issuer-2023`,
        type: "Ed25519VerificationKey2018",
        controller: ORGANISATION,
        publicKeyBase58: "DeRYYBi71ZQc4W7iErUYFYXpf9jF94cVDmtuvg4uKgAG",
      },
    ],
    authentication: [`${ORGANISATION}#issuer-2023`],
    assertionMethod: [`${ORGANISATION}#issuer-2023`],
    keyAgreement: [
      {
        id: `${ORGANISATION}#eBuOR4Iwgfq7JMyi__yp_RrE2mgfCK6GPPmjoTMsL1g`,
        type: "JsonWebKey2020",
        controller: ORGANISATION,
        publicKeyJwk: {
          crv: "X25519",
          kid: "eBuOR4Iwgfq7JMyi__yp_RrE2mgfCK6GPPmjoTMsL1g",
          kty: "OKP",
          x: "iRx1-nNM7woUuJ1_9O3JOdgucRvDIumqejRy_2kgJWg",
        },
      },
    ],
    service: [
      {
        id: `${ORGANISATION}#didcomm`,
        type: "DIDCommMessaging",
        serviceEndpoint: "https://agents.acme.example/didcomm",
      },
      { id: `${ORGANISATION}#linked-domain`, type: "LinkedDomains", serviceEndpoint: "https://acme.example" },
    ],
  });
});

test("a person: the account key as a JWK, the passkey by its credential id, the bare name beside the document", () => {
  const document = w3cDocument(stored(person));
  const [account] = document.verificationMethod as { type: string; publicKeyJwk: { x: string; y: string } }[];
  expect(account?.type).toBe("EcdsaSecp256k1VerificationKey2019");
  const [x, y] = [account?.publicKeyJwk.x, account?.publicKeyJwk.y].map((half) => decodeBase64Url(half as string)!);
  const point = secp256k1.Point.fromBytes(new Uint8Array([4, ...x!, ...y!]));
  expect(point.toHex(true)).toMatch(/^0[23][0-9a-f]{64}$/);
  const [reference, passkey] = document.authentication as [string, { type: string; publicKeyJwk: object }];
  expect(reference).toBe(`${PERSON}#account`);
  expect(passkey).toMatchObject({
    type: "JsonWebKey2020",
    publicKeyJwk: { kty: "EC", crv: "P-256", kid: "JFI9wZRGwA36M9TBQouNrTGc2vhAURDqVqC7X3345MU" },
  });
  expect(document.controller).toBe(PERSON);
  expect(document.alsoKnownAs).toEqual(["https://alice.example.com/"]);
  expect(methodFacts(stored(person))).toEqual({
    creator: "snr1ndqp5umc7here60ddnph5ckj56636t00uz38h6",
    names: ["alice.snr"],
    accounts: { [`${PERSON}#account`]: "cosmos:project-1:snr1ndqp5umc7here60ddnph5ckj56636t00uz38h6" },
  });
});

test("named endpoints are a map, and with a plain one before them a list", () => {
  const endpoints = { mqtt: "mqtts://broker.acme.example:8883", web: "https://iot.acme.example/d/42" };
  const endpointOf = (document: W3cDocument) =>
    (document.service as { serviceEndpoint: unknown }[])[0]?.serviceEndpoint;
  expect(endpointOf(w3cDocument(stored(device)))).toEqual(endpoints);
  const both = structuredClone(device) as typeof device;
  both.service.data[0]!.service_endpoint = "https://plain.example/";
  expect(endpointOf(w3cDocument(stored(both)))).toEqual(["https://plain.example/", endpoints]);
});

test("a key that is embedded although it is listed is a reference", () => {
  const twice = stored(organisation);
  twice.authentication!.data[0]!.verificationMethod = twice.verificationMethod!.data[0]!;
  expect(w3cDocument(twice).authentication).toEqual([`${ORGANISATION}#issuer-2023`]);
});

test("an account alone, unknown types and broken material still give a document", () => {
  const method = (members: object) => ({ iD: "did:orr:a#k", controller: "did:orr:a", ...members });
  const shown = (members: object) => {
    const json = { iD: "did:orr:a", verification_method: { data: [method(members)] } };
    return (w3cDocument(stored(json)).verificationMethod as object[])[0];
  };
  const account = "cosmos:orrery-1:cosmos1abc";
  const type = "KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019";
  expect(shown({ type, blockchain_account_id: account })).toMatchObject({
    type: "EcdsaSecp256k1RecoveryMethod2020",
    blockchainAccountId: account,
  });
  expect(shown({ type, public_key_multibase: "z123" })).toMatchObject({ publicKeyMultibase: "z123" });
  expect(shown({ public_key_multibase: "z6Mk" })).toMatchObject({ type: "Multikey", publicKeyMultibase: "z6Mk" });
  expect(w3cDocument(stored({ iD: "did:orr:a" }))).toEqual({
    "@context": ["https://www.w3.org/ns/did/v1"],
    id: "did:orr:a",
  });
});
