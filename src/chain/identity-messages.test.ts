// The three identity messages: what they refuse and in which words, who may send them, and what they leave behind.

import { beforeEach, describe, expect, test } from "bun:test";
import { fromBinary } from "@bufbuild/protobuf";
import {
  CHAIN_ID,
  type DocumentInit,
  didOf,
  IdentityChain,
  type Outcome,
  PEOPLE,
} from "../../test/harness/identity-chain.ts";
import { KeyType } from "../gen/orrery/identity/v1/did_pb.ts";
import { DidVersion_Kind } from "../gen/orrery/identity/v1/state_pb.ts";
import { MsgUpdateDidDocumentResponseSchema } from "../gen/orrery/identity/v1/tx_pb.ts";
import { decodeDocument, getDocument, getMeta, getNameHolder, getVersion } from "../state/identity.ts";
import { accountMultikey, p256Multikey, secp256k1Jwk } from "./dev-keys.ts";

const [alice, bob, carol] = PEOPLE.map(({ address }) => address) as [string, string, string];
const [ALICE, BOB, CAROL] = [didOf(alice), didOf(bob), didOf(carol)];

let chain: IdentityChain;
beforeEach(() => {
  chain = new IdentityChain();
});

function document(did: string, more: Omit<DocumentInit, "$typeName"> = {}): DocumentInit {
  return { iD: did, ...more };
}

const verdictOf = ({ verdict, message }: Outcome) => (verdict === "ok" ? "ok" : `${verdict} ${message}`);

describe("refusals", () => {
  const spent = async () => {
    await chain.create(alice, document(ALICE));
    await chain.deactivate(alice, ALICE);
  };
  const created = async () => void (await chain.create(alice, document(ALICE, { alsoKnownAs: ["alice.orr"] })));
  const nothing = async () => {};
  const many = Array.from({ length: 65 }, (_, i) => `https://example.org/${i}`);

  test.each<[refusal: string, before: () => Promise<void>, send: () => Promise<Outcome>]>([
    [
      "sdk 7 invalid creator address (empty address string is not allowed): invalid address",
      nothing,
      () => chain.create("", document(ALICE)),
    ],
    [
      "sdk 7 invalid creator address (decoding bech32 failed: invalid separator index -1): invalid address",
      nothing,
      () => chain.deactivate("somebody", ALICE),
    ],
    ["identity 1103 invalid did document: document: missing", nothing, () => chain.create(alice)],
    ["identity 1103 invalid did document: document: missing", nothing, () => chain.update(alice)],
    ['identity 1102 invalid did: iD: "alice" is not a DID', nothing, () => chain.create(alice, document("alice"))],
    ['identity 1102 invalid did: did: "" is not a DID', nothing, () => chain.deactivate(alice, "")],
    [
      `identity 1102 invalid did: did: "${ALICE}#key" is not a DID`,
      nothing,
      () => chain.deactivate(alice, `${ALICE}#key`),
    ],
    [
      `identity 1102 invalid did: iD: the last segment must be the creator's address ${bob}`,
      nothing,
      () => chain.create(bob, document(ALICE)),
    ],
    [
      `identity 1103 invalid did document: creator: ${bob} is not the signer ${alice}`,
      nothing,
      () => chain.create(alice, document(ALICE, { creator: bob })),
    ],
    [`identity 1101 did document already exists: ${ALICE}`, created, () => chain.create(alice, document(ALICE))],
    [`identity 1105 did is deactivated: ${ALICE}`, spent, () => chain.create(alice, document(ALICE))],
    [`identity 1105 did is deactivated: ${ALICE}`, spent, () => chain.update(alice, document(ALICE))],
    [`identity 1105 did is deactivated: ${ALICE}`, spent, () => chain.deactivate(alice, ALICE)],
    [`identity 1100 did document not found: ${BOB}`, created, () => chain.update(bob, document(BOB))],
    [`identity 1100 did document not found: ${BOB}`, created, () => chain.deactivate(bob, BOB)],
    [
      `identity 1104 unauthorized for this did: ${bob} is neither creator in control nor controller of ${ALICE}`,
      created,
      () => chain.update(bob, document(ALICE)),
    ],
    [
      `identity 1104 unauthorized for this did: ${bob} is neither creator in control nor controller of ${ALICE}`,
      created,
      () => chain.deactivate(bob, ALICE),
    ],
    [
      "identity 1106 unexpected did version: expected 2, the version is 1",
      created,
      () => chain.update(alice, document(ALICE), "2"),
    ],
    [
      "identity 1106 unexpected did version: expected 01, the version is 1",
      created,
      () => chain.deactivate(alice, ALICE, "01"),
    ],
    [
      "identity 1103 invalid did document: the update changes nothing",
      created,
      () => chain.update(alice, document(ALICE, { creator: alice, alsoKnownAs: ["alice.orr"] })),
    ],
    [
      `identity 1103 invalid did document: creator: must stay ${alice}`,
      created,
      () => chain.update(alice, document(ALICE, { creator: bob })),
    ],
    [
      `identity 1107 alias already claimed: alice.orr belongs to ${ALICE}`,
      created,
      () => chain.create(bob, document(BOB, { alsoKnownAs: ["bob.orr", "alice.orr"] })),
    ],
    [
      `identity 1103 invalid did document: controller[1]: ${CAROL} is not an active document`,
      created,
      () => chain.create(bob, document(BOB, { controller: [ALICE, CAROL] })),
    ],
    [
      `identity 1103 invalid did document: controller[0]: ${ALICE} is not an active document`,
      spent,
      () => chain.create(bob, document(BOB, { controller: [ALICE] })),
    ],
    [
      "identity 1108 document too large: 65 aliases, at most 64",
      nothing,
      () => chain.create(alice, document(ALICE, { alsoKnownAs: many })),
    ],
  ])("%s", async (refusal, before, send) => {
    await before();
    const state = chain.state.changes();
    expect(verdictOf(await send())).toBe(refusal);
    expect(chain.state.changes()).toEqual(state);
  });
});

describe("who may change a document", () => {
  const bobDocument = (more: Omit<DocumentInit, "$typeName">) => document(BOB, more);
  const method = (more: object) => ({ iD: "#invoke", controller: BOB, ...more });
  const listed = (more: object) => ({
    verificationMethod: { data: [method(more)] },
    capabilityInvocation: { data: [{ reference: "#invoke" }] },
  });
  const embedded = (more: object) => ({ capabilityInvocation: { data: [{ verificationMethod: method(more) }] } });
  const secp = KeyType.KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019;
  const jwk = KeyType.KeyType_JSON_WEB_KEY_2020;
  const aliceKey = PEOPLE[0]!.publicKey;
  const account = `cosmos:${CHAIN_ID}:${alice}`;

  test.each<[what: string, allowed: boolean, signer: string, more: Omit<DocumentInit, "$typeName">]>([
    ["the creator", true, bob, {}],
    ["the creator, in capitals", true, bob.toUpperCase(), {}],
    ["a stranger", false, carol, {}],
    ["the creator beside itself and another", true, bob, { controller: [BOB, ALICE] }],
    ["a controller beside the creator", true, alice, { controller: [BOB, ALICE] }],
    ["a stranger beside controllers", false, carol, { controller: [BOB, ALICE] }],
    ["the new controller after a hand-over", true, alice, { controller: [ALICE] }],
    ["the creator after a hand-over", false, bob, { controller: [ALICE] }],
    ["the account of a listed method", true, alice, listed({ type: secp, blockchainAccountId: account })],
    ["the account of an embedded method", true, alice, embedded({ type: secp, blockchainAccountId: alice })],
    ["another account than the method's", false, carol, embedded({ type: secp, blockchainAccountId: account })],
    [
      "the same address on another chain",
      false,
      alice,
      embedded({ type: secp, blockchainAccountId: `cosmos:other-1:${alice}` }),
    ],
    ["the key of a method", true, alice, embedded({ type: secp, publicKeyMultibase: accountMultikey(aliceKey) })],
    ["the JWK of a method", true, alice, listed({ type: jwk, publicKeyJwk: secp256k1Jwk(aliceKey).jwk })],
    [
      "a key on another curve",
      false,
      alice,
      embedded({ type: KeyType.KeyType_MULTIKEY, publicKeyMultibase: p256Multikey("alice") }),
    ],
    [
      "the key of a method for something else",
      false,
      alice,
      { authentication: { data: [{ verificationMethod: method({ type: secp, blockchainAccountId: account }) }] } },
    ],
    [
      "the creator by a method, after a hand-over",
      true,
      bob,
      { controller: [ALICE], ...embedded({ type: secp, blockchainAccountId: bob }) },
    ],
    [
      "a method that is only referred to in another document",
      false,
      alice,
      { capabilityInvocation: { data: [{ reference: `${ALICE}#account` }] } },
    ],
  ])("%s: %p", async (_what, allowed, signer, more) => {
    await chain.create(alice, document(ALICE));
    expect(verdictOf(await chain.create(bob, bobDocument(more)))).toBe("ok");
    const changes = document(BOB, { ...more, alsoKnownAs: ["https://example.org/new"] });
    const wanted = allowed ? "ok" : "identity 1104";
    expect((await chain.update(signer, changes)).verdict).toBe(wanted);
    expect((await chain.deactivate(signer, BOB)).verdict).toBe(wanted);
  });

  test("what counts is the stored document, not the one that comes with the message", async () => {
    await chain.create(alice, document(ALICE));
    await chain.create(bob, document(BOB));
    expect((await chain.update(alice, document(BOB, { controller: [ALICE] }))).verdict).toBe("identity 1104");
    expect((await chain.update(bob, document(BOB, { controller: [ALICE] }))).verdict).toBe("ok");
    expect((await chain.update(bob, document(BOB, { controller: [BOB] }))).verdict).toBe("identity 1104");
    expect((await chain.update(alice, document(BOB, { controller: [BOB] }))).verdict).toBe("ok");
    expect((await chain.deactivate(bob, BOB)).verdict).toBe("ok");
    expect(await getMeta(chain.state, BOB)).toMatchObject({ creator: bob, deactivated: true });
  });

  test("an account whose DID leaves out the prefix, and one on a network of its own", async () => {
    chain = new IdentityChain({ allowedNetworks: ["testnet"] });
    const short = `did:orr:${alice.slice("cosmos".length)}`;
    const remote = `did:orr:testnet:${carol}`;
    expect((await chain.create(alice, document(short))).verdict).toBe("ok");
    expect((await chain.create(carol, document(remote))).verdict).toBe("ok");
    await chain.create(bob, document(BOB, { controller: [short, remote] }));
    expect((await chain.update(alice, document(BOB, { controller: [short] }))).verdict).toBe("ok");
    expect((await chain.update(carol, document(BOB))).verdict).toBe("identity 1104");
    expect((await chain.update(bob, document(BOB))).verdict).toBe("identity 1104");
  });
});

describe("what is left behind", () => {
  test("versions, marks, events and responses", async () => {
    const first = await chain.create(alice, document(ALICE));
    const second = await chain.update(alice, document(ALICE, { alsoKnownAs: ["alice.orr"] }), "1");
    const third = await chain.deactivate(alice, ALICE, "2");
    const attributes = (version: string) => [
      ["did", ALICE],
      ["creator", alice],
      ["version_id", version],
    ];
    expect([first, second, third].map(({ events }) => events)).toEqual([
      [{ type: "did_created", attributes: attributes("1") }],
      [{ type: "did_updated", attributes: attributes("2") }],
      [{ type: "did_deactivated", attributes: attributes("3") }],
    ] as never);
    expect(fromBinary(MsgUpdateDidDocumentResponseSchema, second.response).creator).toBe(alice);

    const mark = (tx: number) => ({
      height: 7n,
      time: { seconds: 1_800_000_000n, nanos: 0 },
      txHash: chain.txHash(tx),
    });
    const meta = (await getMeta(chain.state, ALICE))!;
    expect(meta).toMatchObject({ version: 3n, deactivated: true, network: "devnet", creator: alice });
    expect(meta.created).toMatchObject(mark(1));
    expect(meta.updated).toMatchObject(mark(3));
    const versions = await Promise.all([1n, 2n, 3n, 4n].map((n) => getVersion(chain.state, ALICE, n)));
    expect(versions.map((version) => version?.kind)).toEqual([
      DidVersion_Kind.CREATED,
      DidVersion_Kind.UPDATED,
      DidVersion_Kind.DEACTIVATED,
      undefined,
    ]);
    expect(versions[0]!.document).toMatchObject({ iD: ALICE, creator: alice, alsoKnownAs: [] });
    expect(versions[1]!.document).toMatchObject({ alsoKnownAs: ["alice.orr"] });
    expect(versions[1]!.written).toMatchObject(mark(2));
    expect(versions[2]!.document).toBeUndefined();
    expect(await getDocument(chain.state, ALICE)).toBeNull();
  });

  test("a document in its one stored form", async () => {
    await chain.create(alice.toUpperCase(), document(ALICE));
    const stored = decodeDocument((await getDocument(chain.state, ALICE))!);
    expect(stored).toMatchObject({ creator: alice, iD: ALICE, context: ["https://www.w3.org/ns/did/v1"] });
  });

  test("names move with the documents, and only bare ones are exclusive", async () => {
    const shared = "https://example.org/";
    await chain.create(alice, document(ALICE, { alsoKnownAs: ["one.orr", "two.orr", shared] }));
    expect((await chain.create(bob, document(BOB, { alsoKnownAs: [shared] }))).verdict).toBe("ok");
    expect((await chain.update(bob, document(BOB, { alsoKnownAs: ["two.orr"] }))).verdict).toBe("identity 1107");
    await chain.update(alice, document(ALICE, { alsoKnownAs: ["one.orr", "three.orr"] }));
    expect(await getNameHolder(chain.state, "two.orr")).toBeNull();
    expect(await getNameHolder(chain.state, "three.orr")).toBe(ALICE);
    expect((await chain.update(bob, document(BOB, { alsoKnownAs: ["two.orr"] }))).verdict).toBe("ok");
    await chain.deactivate(alice, ALICE);
    expect(await getNameHolder(chain.state, "one.orr")).toBeNull();
    expect((await chain.create(carol, document(CAROL, { alsoKnownAs: ["one.orr"] }))).verdict).toBe("ok");
    expect(await getNameHolder(chain.state, shared)).toBeNull();
  });
});

describe("gas", () => {
  const read = (key: string, value: number) => 1000 + 3 * (key.length + value);
  const write = (key: string, value: number) => 2000 + 30 * (key.length + value);
  const paramsLength = () => lengthOf("Params");
  const lengthOf = (prefix: string) => {
    const text = new TextDecoder("latin1");
    const found = chain.state.changes().find(([key]) => text.decode(key).startsWith(`i${prefix}`));
    return found![1]!.length;
  };
  const DOCUMENT = `DidDocument/value/${ALICE}/`;
  const META = `DidMeta/${ALICE}/`;
  const VERSION = `DidVersion/${ALICE}/12345678`;
  const NAME = "DidName/alice.orr";

  test("is the sum of the accesses, at bank's prices", async () => {
    const { gas } = await chain.create(alice, document(ALICE, { alsoKnownAs: ["alice.orr"] }));
    const stored = { document: lengthOf(DOCUMENT), meta: lengthOf(META), version: lengthOf("DidVersion/") };
    const wanted =
      read("Params", paramsLength()) +
      read(META, 0) +
      read(NAME, 0) +
      write(NAME, ALICE.length) +
      write(DOCUMENT, stored.document) +
      write(META, stored.meta) +
      write(VERSION, stored.version);
    expect(gas).toBe(BigInt(wanted));

    const end = await chain.deactivate(alice, ALICE);
    const versions = chain.state.changes().filter(([key]) => new TextDecoder().decode(key).startsWith("iDidVersion/"));
    expect(end.gas).toBe(
      BigInt(
        read("Params", paramsLength()) +
          read(META, stored.meta) +
          read(DOCUMENT, stored.document) +
          1000 +
          1000 +
          write(META, lengthOf(META)) +
          write(VERSION, versions.at(-1)![1]!.length),
      ),
    );
  });

  test("is the same on the same state, whatever was refused before", async () => {
    const other = new IdentityChain();
    const wanted = document(ALICE, { alsoKnownAs: ["alice.orr"] });
    await other.create(bob, document(ALICE));
    await other.deactivate(alice, ALICE);
    expect((await other.create(alice, wanted)).gas).toBe((await chain.create(alice, wanted)).gas);
  });
});
