// The amino JSON of identity messages, pinned: wallets must come to the same text, byte for byte.

import { expect, test } from "bun:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { sortedJson } from "../codec/amino-json.ts";
import { KeyType } from "../gen/orrery/identity/v1/did_pb.ts";
import {
  MsgCreateDidDocumentSchema,
  MsgDeactivateDidDocumentSchema,
  MsgUpdateDidDocumentSchema,
} from "../gen/orrery/identity/v1/tx_pb.ts";
import { identityAmino } from "./identity-amino.ts";
import { identityCreate } from "./identity-create.ts";
import { identityDeactivate } from "./identity-deactivate.ts";
import { identityUpdate } from "./identity-update.ts";

const form = identityAmino(MsgCreateDidDocumentSchema);
const text = (init: MessageInitShape<typeof MsgCreateDidDocumentSchema>) =>
  sortedJson(form.value(create(MsgCreateDidDocumentSchema, init)));

test("the names of the three", () => {
  expect([identityCreate, identityUpdate, identityDeactivate].map(({ amino }) => amino!.type)).toEqual([
    "orrery/MsgCreateDidDocument",
    "orrery/MsgUpdateDidDocument",
    "orrery/MsgDeactivateDidDocument",
  ]);
});

test("a document: protobuf names, numbers for kinds, nothing that is empty", () => {
  const init = {
    creator: "cosmos1a",
    document: {
      iD: "did:orr:cosmos1a",
      controller: ["did:orr:cosmos1a", "did:orr:cosmos1b"],
      verificationMethod: {
        data: [
          {
            iD: "#key",
            type: KeyType.KeyType_JSON_WEB_KEY_2020,
            controller: "did:orr:cosmos1a",
            publicKeyJwk: { y: "2", "10": "ten", "9": "nine", x: "1" },
          },
        ],
      },
      authentication: { data: [{ reference: "#key" }] },
      keyAgreement: { data: [] },
      alsoKnownAs: ["a.orr", "https://example.org/?a=1&b=<2>"],
    },
  };
  expect(text(init)).toBe(
    '{"creator":"cosmos1a","document":{"also_known_as":["a.orr","https://example.org/?a=1\\u0026b=\\u003c2\\u003e"],' +
      '"authentication":{"data":[{"reference":"#key"}]},"controller":["did:orr:cosmos1a","did:orr:cosmos1b"],' +
      '"iD":"did:orr:cosmos1a","key_agreement":{},"verification_method":{"data":[{"controller":"did:orr:cosmos1a",' +
      '"iD":"#key","public_key_jwk":[{"key":"10","value":"ten"},{"key":"9","value":"nine"},{"key":"x","value":"1"},' +
      '{"key":"y","value":"2"}],"type":1}]}}}',
  );
});

test("a credential: bytes in base64, counts as numbers", () => {
  const webauthnCredential = {
    id: Uint8Array.of(1, 2, 3),
    publicKey: Uint8Array.of(255),
    authenticator: { aaguid: new Uint8Array(2), signCount: 7, cloneWarning: true },
  };
  expect(text({ document: { authentication: { data: [{ verificationMethod: { webauthnCredential } }] } } })).toBe(
    '{"document":{"authentication":{"data":[{"verification_method":{"webauthn_credential":' +
      '{"authenticator":{"aaguid":"AAA=","clone_warning":true,"sign_count":7},"id":"AQID","public_key":"/w=="}}}]}}}',
  );
});

test("update and deactivation", () => {
  const update = create(MsgUpdateDidDocumentSchema, { creator: "cosmos1a", document: {}, expectedVersion: "3" });
  expect(sortedJson(identityAmino(MsgUpdateDidDocumentSchema).value(update))).toBe(
    '{"creator":"cosmos1a","document":{},"expected_version":"3"}',
  );
  const end = create(MsgDeactivateDidDocumentSchema, { creator: "cosmos1a", did: "did:orr:cosmos1a" });
  expect(sortedJson(identityAmino(MsgDeactivateDidDocumentSchema).value(end))).toBe(
    '{"creator":"cosmos1a","did":"did:orr:cosmos1a"}',
  );
});
