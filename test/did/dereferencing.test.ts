// DID URL dereferencing over HTTP: fragments, services, and the addresses they lead to.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Door, type JsonObject, NODE, openDoor, type Reply } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { ALICE, BOB, didOf, loadDidChain } from "./did-chain.ts";

const opened = openStore("memory");
let door: Door;

beforeAll(async () => {
  await loadDidChain(opened.store);
  door = openDoor(opened.store, { ...NODE, chainId: "orrery-1" });
}, 60_000);

afterAll(async () => {
  await door.close();
  await opened.dispose();
});

function get(identifier: string, accept = "*/*"): Promise<Reply> {
  return door.send(`/1.0/identifiers/${identifier}`, { headers: { accept }, redirect: "manual" });
}

async function errorOf(identifier: string, accept?: string): Promise<[number, string]> {
  const { status, body } = await get(identifier, accept);
  const { dereferencingMetadata, didResolutionMetadata } = body as Record<string, JsonObject>;
  const { error } = (dereferencingMetadata ?? didResolutionMetadata) as JsonObject;
  return [status, ((error as JsonObject).type as string).split("#")[1] as string];
}

test("a fragment gives the key, listed or embedded, or the service with that id", async () => {
  for (const fragment of ["account", "passkey-1", "vault"]) {
    for (const identifier of [`${ALICE}%23${fragment}`, encodeURIComponent(`${ALICE}#${fragment}`)]) {
      const { status, headers, body } = await get(identifier);
      expect([status, headers.get("content-type")]).toEqual([200, "application/did-url-dereferencing"]);
      expect(body).toMatchObject({ contentStream: { id: `${ALICE}#${fragment}` } });
    }
  }
  expect((await get(`${ALICE}%23account`, "application/did+json")).body).toMatchObject({ id: `${ALICE}#account` });
  expect(await errorOf(`${ALICE}%23nothing`)).toEqual([404, "NOT_FOUND"]);
});

test("a key must stand in the relationship that is asked for", async () => {
  const url = (fragment: string, name: string) => `${ALICE}%23${fragment}?verificationRelationship=${name}`;
  expect((await get(url("passkey-1", "authentication"))).status).toBe(200);
  expect((await get(url("account", "capabilityInvocation"))).status).toBe(200);
  const wrong = "INVALID_RELATIONSHIP_FOR_VERIFICATION_METHOD";
  expect(await errorOf(url("passkey-1", "assertionMethod"))).toEqual([400, wrong]);
  expect(await errorOf(url("vault", "authentication"))).toEqual([400, "INVALID_VERIFICATION_METHOD"]);
  expect(await errorOf(url("account", "friendship"))).toEqual([400, "INVALID_OPTIONS"]);
});

test("a service selects: the document holds only it", async () => {
  const dave = await serviceHolder();
  for (const query of [`service=${dave.fragment}`, `service=${encodeURIComponent(dave.id)}`]) {
    const { body } = await get(`${dave.did}?${query}`, "application/did");
    expect((body as JsonObject).id).toBe(dave.did);
    expect(((body as JsonObject).service as JsonObject[]).map(({ id }) => id as string)).toEqual([dave.id]);
  }
  const { body } = await get(`${dave.did}?serviceType=${dave.type}`);
  expect(body).toMatchObject({ contentStream: { service: [{ type: dave.type }] } });
  expect(await errorOf(`${ALICE}?service=nothing`)).toEqual([404, "NOT_FOUND"]);
  expect(await errorOf(`${ALICE}?serviceType=Nothing`)).toEqual([404, "NOT_FOUND"]);
});

/** A document of the chain with several services, and one of them. */
async function serviceHolder() {
  const { body } = await door.get("/vendor/project/identity/did");
  const documents = (body as JsonObject).didDocument as { iD: string; service: { data: JsonObject[] } }[];
  const { iD, service } = documents.find((document) => document.service.data.length > 1)!;
  const { iD: id, type } = service.data[1] as { iD: string; type: string };
  return { did: iD, id, type, fragment: id.split("#")[1] as string };
}

test.each([
  ["service=vault", "https://vault.example.com/third/"],
  ["service=vault&relativeRef=a/b%3Fc%3D1", "https://vault.example.com/third/a/b?c=1"],
  ["service=vault&relativeRef=%2Froot", "https://vault.example.com/root"],
  ["service=vault&versionId=2&relativeRef=x", "https://vault.example.com/x"],
  ["service=vault&relativeRef=a/../b", "https://vault.example.com/third/b"],
])("%s leads to %s", async (query, location) => {
  const { status, headers, text } = await get(`${ALICE}?${query}`, "text/uri-list");
  expect([status, headers.get("location"), text]).toEqual([303, location, ""]);
});

test.each([
  "../secret",
  "..%252f..%252fsecret",
  "a/../../secret",
  "//evil.example/",
  "https://evil.example/",
  "%5C%5Cevil",
])("relativeRef %s is refused", async (relativeRef) => {
  const query = `service=vault&relativeRef=${encodeURIComponent(relativeRef)}`;
  expect(await errorOf(`${ALICE}?${query}`, "text/uri-list")).toEqual([400, "INVALID_DID_URL"]);
});

test("addresses need a service that has one", async () => {
  expect(await errorOf(ALICE, "text/uri-list")).toEqual([406, "REPRESENTATION_NOT_SUPPORTED"]);
  expect(await errorOf(`${ALICE}?relativeRef=a`, "text/uri-list")).toEqual([400, "INVALID_DID_URL"]);
  expect(await errorOf(`${ALICE}?service=vault&service=vault`)).toEqual([400, "INVALID_DID_URL"]);
});

test("nothing lies at a path", async () => {
  expect(await errorOf(`${ALICE}/some/path`)).toEqual([404, "NOT_FOUND"]);
  expect(await errorOf(`${didOf("carol")}/..%2f`)).toEqual([404, "NOT_FOUND"]);
});

test("of a deactivated DID nothing can be dereferenced", async () => {
  const { status, body } = await get(`${BOB}%23account`, "application/did-url-dereferencing");
  expect(status).toBe(410);
  expect(body).toMatchObject({ contentStream: null, contentMetadata: { deactivated: true } });
});

test("other methods than GET are refused", async () => {
  const { status, headers } = await door.send(`/1.0/identifiers/${ALICE}`, { method: "POST" });
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});
