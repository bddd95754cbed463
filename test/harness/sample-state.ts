// A small state that has something of everything: every field of an identity document, every kind of account, tokens
// with and without metadata. For tests that look at single answers.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { encodeAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import { type Bytes, utf8Encode } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { BaseAccountSchema, ModuleAccountSchema } from "../../src/gen/cosmos/auth/v1beta1/auth_pb.ts";
import { MetadataSchema } from "../../src/gen/cosmos/bank/v1beta1/bank_pb.ts";
import { PubKeySchema } from "../../src/gen/cosmos/crypto/secp256k1/keys_pb.ts";
import {
  ContinuousVestingAccountSchema,
  DelayedVestingAccountSchema,
  PeriodicVestingAccountSchema,
  PermanentLockedAccountSchema,
} from "../../src/gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import { DidDocumentSchema, KeyType, type VerificationMethodSchema } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import { type Account, putAccount } from "../../src/state/account.ts";
import { putBalance, putMetadata, putSupply } from "../../src/state/bank.ts";
import { putDocument } from "../../src/state/identity.ts";
import { type Branch, createBranch } from "../../src/store/branch.ts";
import type { Change } from "../../src/store/store.ts";

export const RICH_DID = "did:orr:devnet:rich";
export const BARE_DID = "did:orr:devnet:bare";
export const PEOPLE = ["base", "keyed", "module", "continuous", "delayed", "periodic", "locked"] as const;
export type Person = (typeof PEOPLE)[number];

export function addressOf(person: Person): Bytes {
  return sha256(utf8Encode(person)).slice(0, 20) as Bytes;
}

export function addressText(person: Person): string {
  return encodeAddress("cosmos", addressOf(person));
}

/** What a store without any commit is to be filled with. */
export async function sampleChanges(): Promise<Change[]> {
  const branch = createBranch({
    get: async () => null,
    getMany: async (keys) => keys.map(() => null),
    range: async () => [],
  });
  putDocuments(branch);
  putAccounts(branch);
  await putCoins(branch);
  return branch.changes();
}

type Method = MessageInitShape<typeof VerificationMethodSchema>;

function putDocuments(branch: Branch): void {
  const method = (name: string, more: Method = {}): Method => ({
    iD: `${RICH_DID}#${name}`,
    type: KeyType.KeyType_MULTIKEY,
    controller: RICH_DID,
    ...more,
  });
  const embedded = (name: string) => ({
    data: [
      { reference: `${RICH_DID}#key` },
      { verificationMethod: method(name, { publicKeyMultibase: `z6Mk${name}` }), reference: "" },
    ],
  });
  const rich = create(DidDocumentSchema, {
    context: ["https://www.w3.org/ns/did/v1"],
    creator: addressText("base"),
    iD: RICH_DID,
    controller: [RICH_DID, "did:orr:devnet:friend"],
    verificationMethod: {
      data: [
        method("key", { publicKeyMultibase: "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK" }),
        method("jwk", {
          type: KeyType.KeyType_JSON_WEB_KEY_2020,
          publicKeyJwk: { kty: "OKP", crv: "Ed25519", x: "AA" },
        }),
        method("account", { blockchainAccountId: `cosmos:reference-1:${addressText("keyed")}` }),
        method("passkey", {
          type: KeyType.KeyType_WEB_AUTHN_AUTHENTICATION_2018,
          webauthnCredential: {
            id: Uint8Array.of(1, 2, 3),
            publicKey: Uint8Array.of(4, 5, 6),
            attestationType: "none",
            authenticatorTransport: "internal",
            authenticator: { aaguid: new Uint8Array(16), signCount: 7, cloneWarning: true },
          },
        }),
        method("untyped", { type: KeyType.KeyType_UNSPECIFIED }),
      ],
    },
    authentication: embedded("auth"),
    assertionMethod: embedded("assert"),
    capabilityInvocation: embedded("invoke"),
    capabilityDelegation: embedded("delegate"),
    keyAgreement: embedded("agree"),
    service: {
      data: [
        { iD: `${RICH_DID}#site`, type: "LinkedDomains", serviceEndpoint: "https://example.org" },
        {
          iD: `${RICH_DID}#vault`,
          type: "Other",
          serviceEndpoints: { b: "https://b.example.org", a: "https://a.example.org" },
        },
      ],
    },
    alsoKnownAs: ["https://example.org/rich", "rich.orr"],
  });
  putDocument(branch, rich);
  putDocument(
    branch,
    create(DidDocumentSchema, { iD: BARE_DID, creator: addressText("base"), alsoKnownAs: ["bare.orr"] }),
  );
}

function putAccounts(branch: Branch): void {
  for (const [number, person] of PEOPLE.entries())
    putAccount(branch, addressOf(person), accountOf(person, BigInt(number)));
}

function accountOf(person: Person, accountNumber: bigint): Account {
  const baseAccount = { address: addressText(person), accountNumber, sequence: 3n };
  const coins = [{ denom: "uorr", amount: "1000" }];
  const baseVestingAccount = { baseAccount, originalVesting: coins, endTime: 2_000_000_000n };
  switch (person) {
    case "base":
      return create(BaseAccountSchema, baseAccount);
    case "keyed": {
      const key = create(PubKeySchema, { key: new Uint8Array(33).fill(2) });
      return create(BaseAccountSchema, { ...baseAccount, pubKey: packAny(PubKeySchema, key) });
    }
    case "module":
      return create(ModuleAccountSchema, { baseAccount, name: "mint", permissions: ["minter"] });
    case "continuous":
      return create(ContinuousVestingAccountSchema, { baseVestingAccount, startTime: 1_700_000_000n });
    case "delayed":
      return create(DelayedVestingAccountSchema, { baseVestingAccount });
    case "periodic":
      return create(PeriodicVestingAccountSchema, {
        baseVestingAccount,
        startTime: 1_700_000_000n,
        vestingPeriods: [{ length: 100n, amount: coins }],
      });
    case "locked":
      return create(PermanentLockedAccountSchema, { baseVestingAccount: { ...baseVestingAccount, endTime: 0n } });
  }
}

async function putCoins(branch: Branch): Promise<void> {
  const denoms = ["uorr", "ucred", "ibc/27394FB092D2", "uplain"];
  for (const person of PEOPLE) for (const denom of denoms) await putBalance(branch, addressOf(person), denom, 5000n);
  for (const denom of denoms) putSupply(branch, denom, 5000n * BigInt(PEOPLE.length));
  for (const base of denoms.slice(0, 3)) {
    const metadata = create(MetadataSchema, {
      description: `The token ${base}`,
      denomUnits: [
        { denom: base, exponent: 0, aliases: [`micro${base}`] },
        { denom: "whole", exponent: 6 },
      ],
      base,
      display: "whole",
      name: base,
      symbol: base.toUpperCase(),
      uri: "https://example.org/token",
      uriHash: "9f86d081884c7d65",
    });
    putMetadata(branch, metadata);
  }
}
