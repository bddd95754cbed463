import { describe, expect, test } from "bun:test";
import device from "../../test/fixtures/identity/device.json";
import organisation from "../../test/fixtures/identity/organisation.json";
import person from "../../test/fixtures/identity/person.json";
import { DidVersion_Kind } from "../gen/orrery/identity/v1/state_pb.ts";
import {
  DEFAULT_IDENTITY_PARAMS,
  decodeDocument,
  getDocument,
  getIdentityParams,
  getMeta,
  getNameHolder,
  getVersion,
} from "../state/identity.ts";
import { createBranch } from "../store/branch.ts";
import { openMemoryStore } from "../store/memory.ts";
import { GenesisError } from "./genesis-error.ts";
import { parseIdentityGenesis, writeIdentityGenesis } from "./genesis-identity.ts";

const CHAIN = { chainId: "project-1", bech32Prefix: "snr" };
const PARAMS = { did_method_name: "snr", allowed_networks: ["testnet"], name_suffixes: [".snr"] };
const TIME = { seconds: 1_767_225_600n, nanos: 5 };

const spent = { did: person.iD, creator: person.creator };

function refusal(section: unknown): string {
  try {
    parseIdentityGenesis(section, CHAIN);
  } catch (error) {
    if (error instanceof GenesisError) return error.message;
    throw error;
  }
  return "accepted";
}

async function written(section: unknown) {
  const store = openMemoryStore();
  await store.commit(0n, []);
  const branch = createBranch(store.at(0n));
  writeIdentityGenesis(branch, parseIdentityGenesis(section, CHAIN)!, TIME);
  return branch;
}

describe("a sound section", () => {
  const section = { params: PARAMS, didDocumentList: [organisation, device, person] };

  test("is written with meta and first version, in the order of the list", async () => {
    const branch = await written(section);
    const listed = branch.changes().flatMap(([key]) => {
      const text = new TextDecoder().decode(key);
      return text.startsWith("iDidDocument/value/") ? [text.slice("iDidDocument/value/".length, -1)] : [];
    });
    expect(listed).toEqual([organisation.iD, device.iD, person.iD]);
    for (const [sample, network] of [
      [person, "devnet"],
      [device, "testnet"],
    ] as const) {
      const document = decodeDocument((await getDocument(branch, sample.iD))!);
      expect(document.iD).toBe(sample.iD);
      const meta = (await getMeta(branch, sample.iD))!;
      expect(meta).toMatchObject({ version: 1n, deactivated: false, network, creator: sample.creator });
      expect(meta.created).toMatchObject({ height: 0n, time: { seconds: TIME.seconds, nanos: 0 } });
      expect(meta.updated).toBeUndefined();
      const version = (await getVersion(branch, sample.iD, 1n))!;
      expect(version.kind).toBe(DidVersion_Kind.CREATED);
      expect(version.document).toEqual(document);
    }
  });

  test("bare names are held, other aliases are not", async () => {
    const branch = await written(section);
    expect(await getNameHolder(branch, "alice.snr")).toBe(person.iD);
    expect(await getNameHolder(branch, organisation.also_known_as[0]!)).toBeNull();
    const spentOnly = await written({ params: PARAMS, deactivated: [{ ...spent, document: person }] });
    expect(await getNameHolder(spentOnly, "alice.snr")).toBeNull();
  });

  test("params that are not given have their defaults", async () => {
    const params = await getIdentityParams(await written(section));
    expect(params).toMatchObject({ didMethodName: "snr", didNetwork: "devnet", idPolicy: "account", maxServices: 32 });
    expect(await getIdentityParams(await written({}))).toEqual(DEFAULT_IDENTITY_PARAMS);
  });

  test("a genesis without the section has none", () => {
    expect(parseIdentityGenesis(undefined, CHAIN)).toBeNull();
  });

  test("null members are empty, as exported files of the ecosystem write them", () => {
    const nothing = { params: null, didDocumentList: null, deactivated: null };
    expect(parseIdentityGenesis(nothing, CHAIN)).toMatchObject({ documents: [], deactivated: [] });
  });
});

describe("deactivated DIDs", () => {
  test("with the last content: two versions and no document", async () => {
    const branch = await written({ params: PARAMS, deactivated: [{ ...spent, document: person }] });
    expect(await getDocument(branch, person.iD)).toBeNull();
    expect(await getMeta(branch, person.iD)).toMatchObject({ version: 2n, deactivated: true, creator: person.creator });
    expect((await getVersion(branch, person.iD, 1n))!.document!.iD).toBe(person.iD);
    expect(await getVersion(branch, person.iD, 2n)).toMatchObject({ kind: DidVersion_Kind.DEACTIVATED });
    expect((await getVersion(branch, person.iD, 2n))!.document).toBeUndefined();
  });

  test("without it: one version", async () => {
    const branch = await written({ params: PARAMS, deactivated: [spent] });
    expect(await getMeta(branch, person.iD)).toMatchObject({ version: 1n, deactivated: true });
    expect(await getVersion(branch, person.iD, 1n)).toMatchObject({ kind: DidVersion_Kind.DEACTIVATED });
    expect(await getVersion(branch, person.iD, 2n)).toBeNull();
  });

  test("they cannot control, and their names are free", () => {
    const section = { params: PARAMS, didDocumentList: [organisation], deactivated: [{ ...spent, document: person }] };
    expect(refusal(section)).toBe(
      `identity.didDocumentList[0] (${organisation.iD}): invalid did document: controller[1]: ${person.iD} is not an active document`,
    );
    const heir = { ...organisation, controller: [organisation.iD], also_known_as: ["alice.snr"] };
    expect(refusal({ ...section, didDocumentList: [heir] })).toBe("accepted");
  });
});

describe("refusals name the entry", () => {
  const list = (...didDocumentList: unknown[]) => ({ params: PARAMS, didDocumentList });
  const at = (i: number, did: string) => `identity.didDocumentList[${i}] (${did}): `;
  test.each<[string, unknown]>([
    ["identity: must be an object", []],
    ['identity: unknown field "documents"', { documents: [] }],
    ["identity.params: must be an object", { params: 1 }],
    ["identity.params: ", { params: { did_method: "x" } }],
    ["identity.params: did_method_name must be", { params: { did_method_name: "Orr" } }],
    ['identity.params: "a:b" cannot be a network', { params: { allowed_networks: ["a:b"] } }],
    ["identity.params: id_policy must be", { params: { id_policy: "any" } }],
    ["identity.params: name_suffixes", { params: { name_suffixes: ["orr"] } }],
    ["identity.params: max_services must not be zero", { params: { max_services: 0 } }],
    ["identity.didDocumentList: must be a list", { didDocumentList: {} }],
    ["identity.didDocumentList[0]: must be an object", list("x")],
    [at(0, person.iD), list({ ...person, surname: "x" })],
    [`${at(0, person.iD)}invalid did document: creator: empty address`, list({ ...person, creator: "" })],
    [`${at(1, "did:snr:x")}invalid did: iD: `, list(person, { ...device, iD: "did:snr:x" })],
    [`${at(1, person.iD)}duplicate of identity.didDocumentList[0]`, list(person, person)],
    [
      `${at(1, device.iD)}alias already claimed: alice.snr belongs to ${person.iD}`,
      list(person, { ...device, controller: [], also_known_as: ["alice.snr"] }),
    ],
    [`${at(0, device.iD)}invalid did document: controller[0]: ${organisation.iD} is not`, list(device)],
    [`identity.deactivated[0] (${person.iD}): duplicate of`, { ...list(person), deactivated: [spent] }],
    [
      `identity.deactivated[0] (${person.iD}): the document is that of ${device.iD}`,
      { params: PARAMS, deactivated: [{ ...spent, document: device }] },
    ],
    ["identity.deactivated[0]: did and creator must be texts", { params: PARAMS, deactivated: [{}] }],
    [
      `identity.deactivated[0] (${person.iD}): unknown field "since"`,
      { params: PARAMS, deactivated: [{ ...spent, since: 1 }] },
    ],
  ])("%s", (message, section) => expect(refusal(section)).toStartWith(message));
});
