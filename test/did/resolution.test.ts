// W3C DID resolution over HTTP: statuses, media types, versions, and what the live suites of the W3C check.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Door, type JsonObject, NODE, openDoor, type Reply } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { ALICE, BOB, didOf, HEIDI, loadDidChain } from "./did-chain.ts";

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

function get(identifier: string, accept?: string, more: Record<string, string> = {}): Promise<Reply> {
  // A client of the runtime sends an Accept header of its own unless told; */* stands for none.
  return door.get(`/1.0/identifiers/${identifier}`, { accept: accept ?? "*/*", ...more });
}

async function metadataOf(identifier: string): Promise<JsonObject> {
  return ((await get(identifier)).body as JsonObject).didDocumentMetadata as JsonObject;
}

function errorType(reply: Reply): unknown {
  const metadata = (reply.body as JsonObject).didResolutionMetadata as JsonObject;
  return (metadata.error as JsonObject).type;
}

describe("what the live suites check", () => {
  test("a plain GET answers the whole result", async () => {
    for (const identifier of [ALICE, encodeURIComponent(ALICE)]) {
      const reply = await get(identifier);
      expect(reply.status).toBe(200);
      const type = reply.headers.get("content-type") as string;
      expect(type).toContain("application/did-resolution");
      const { didResolutionMetadata, didDocument, didDocumentMetadata } = reply.body as Record<string, JsonObject>;
      expect(didResolutionMetadata?.contentType).toBe("application/did");
      expect(type).toContain(didResolutionMetadata?.contentType as string);
      expect(didDocument?.id).toBe(ALICE);
      expect(typeof didDocumentMetadata).toBe("object");
    }
  });

  test.each([
    ["", 400, "INVALID_DID"],
    ["not-a-did", 400, "INVALID_DID"],
    ["did:example", 400, "INVALID_DID"],
    ["did:orr:", 400, "INVALID_DID"],
    ["did%3Aorr%zz", 400, "INVALID_DID"],
    [encodeURIComponent(`${ALICE}#a b`), 400, "INVALID_DID_URL"],
    ["did:unsupported:abcdefghi", 501, "METHOD_NOT_SUPPORTED"],
    ["did:orr:cosmos1nobody", 404, "NOT_FOUND"],
    [`${ALICE}?accept=%C3%A9`, 400, "INVALID_OPTIONS"],
  ])("%p is %p %p, with an error object and no document", async (identifier, status, type) => {
    const reply = await get(identifier);
    expect([reply.status, errorType(reply)]).toEqual([status, `https://www.w3.org/ns/did#${type}`]);
    expect(reply.headers.get("content-type")).toBe("application/did-resolution");
    expect(reply.body).toMatchObject({ didDocument: null, didDocumentMetadata: {} });
  });

  test("an unknown media type is 406", async () => {
    const reply = await get(ALICE, "image/png");
    expect([reply.status, errorType(reply)]).toEqual([406, "https://www.w3.org/ns/did#REPRESENTATION_NOT_SUPPORTED"]);
    expect((await get(ALICE, "image/png, application/did;q=0.1")).status).toBe(200);
  });

  test("a deactivated DID is 410 and says so", async () => {
    for (const did of [BOB, HEIDI]) {
      const { status, body } = await get(did);
      expect(status).toBe(410);
      expect(body).toMatchObject({ didDocument: null, didDocumentMetadata: { deactivated: true } });
    }
  });

  test("a dereferencing result has its three members", async () => {
    const reply = await get(`${ALICE}%23account`, "application/did-url-dereferencing");
    expect(reply.headers.get("content-type")).toBe("application/did-url-dereferencing");
    const { dereferencingMetadata, contentStream, contentMetadata } = reply.body as Record<string, JsonObject>;
    expect(dereferencingMetadata?.error).toBeUndefined();
    expect(contentStream?.id).toBe(`${ALICE}#account`);
    expect(contentMetadata).toEqual({});
  });
});

describe("media types", () => {
  test.each(["application/did", "application/did+ld+json", "application/did+json"])(
    "%s: the document",
    async (type) => {
      const { status, headers, body } = await get(ALICE, type);
      expect([status, headers.get("content-type")]).toEqual([200, type]);
      expect((body as JsonObject).id).toBe(ALICE);
      expect("@context" in (body as JsonObject)).toBe(type !== "application/did+json");
    },
  );

  test.each([
    "application/json",
    "application/ld+json",
    'application/ld+json;profile="https://w3id.org/did-resolution"',
  ])("%s: the whole result, with errors as words", async (type) => {
    const { headers, body } = await get(ALICE, type);
    expect(headers.get("content-type")).toBe(type);
    expect((body as Record<string, JsonObject>).didDocument?.id).toBe(ALICE);
    const missing = (await get("did:orr:nobody", type)).body as Record<string, JsonObject>;
    expect(missing.didResolutionMetadata?.error).toBe("notFound");
    const malformed = (await get("nonsense", type)).body as Record<string, JsonObject>;
    expect(malformed.didResolutionMetadata?.error).toBe("invalidDid");
  });

  test("an error comes as a whole result where a document was asked for", async () => {
    const { status, headers, body } = await get("did:orr:nobody", "application/did");
    expect([status, headers.get("content-type")]).toEqual([404, "application/did-resolution"]);
    expect(body).toMatchObject({ didDocument: null });
  });

  test("the accept option stands for the header", async () => {
    const { headers } = await get(`${ALICE}?accept=application/did`, "application/json");
    expect(headers.get("content-type")).toBe("application/did");
  });
});

describe("versions", () => {
  const endpointOf = async (identifier: string) => {
    const { body } = await get(identifier, "application/did");
    return ((body as JsonObject).service as JsonObject[])[0]?.serviceEndpoint;
  };

  test("by number: each with its document, its times and the next one", async () => {
    const ids = ["1", "2", "3"];
    const found = await Promise.all(ids.map((id) => metadataOf(`${ALICE}?versionId=${id}`)));
    expect(found.map(({ versionId, nextVersionId }) => [versionId, nextVersionId])).toEqual([
      ["1", "2"],
      ["2", "3"],
      ["3", undefined],
    ]);
    expect(found[0]?.updated).toBeUndefined();
    expect(found[0]?.nextUpdate).toBe(found[1]?.updated as string);
    expect(found[1]?.nextUpdate).toBe(found[2]?.updated as string);
    expect(found[2]?.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(found[2]?.method).toMatchObject({ height: "3", txHash: expect.stringMatching(/^[0-9A-F]{64}$/) });
    expect(await endpointOf(`${ALICE}?versionId=2`)).toBe("https://vault.example.com/second");
    expect(await endpointOf(ALICE)).toBe("https://vault.example.com/third/");
    expect(await endpointOf(encodeURIComponent(`${ALICE}?versionId=2`))).toBe("https://vault.example.com/second");
  });

  test("by time: the newest at or before it", async () => {
    const times = await Promise.all(
      ["1", "2", "3"].map(async (id) => {
        const { created, updated } = await metadataOf(`${ALICE}?versionId=${id}`);
        return (updated ?? created) as string;
      }),
    );
    for (const [index, time] of times.entries()) {
      expect((await metadataOf(`${ALICE}?versionTime=${time}`)).versionId).toBe(String(index + 1));
    }
    const before = new Date(Date.parse(times[1] as string) - 1).toISOString();
    expect((await metadataOf(`${ALICE}?versionTime=${before}`)).versionId).toBe("1");
    expect((await metadataOf(`${ALICE}?versionTime=2999-01-01T00:00:00Z`)).versionId).toBe("3");
    expect((await get(`${ALICE}?versionTime=2000-01-01T00:00:00Z`)).status).toBe(404);
  });

  test("an older version of a deactivated DID stays readable, and says that it is deactivated", async () => {
    const { status, body } = await get(`${BOB}?versionId=1`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ didDocument: { id: BOB }, didDocumentMetadata: { deactivated: true } });
    expect((await get(`${BOB}?versionId=2`)).status).toBe(410);
  });

  test("at an older height the DID is as it was", async () => {
    const { status, headers, body } = await get(BOB, "*/*", { "x-cosmos-block-height": "1" });
    expect([status, headers.get("x-cosmos-block-height")]).toEqual([200, "1"]);
    expect((body as Record<string, JsonObject>).didDocumentMetadata?.deactivated).toBeUndefined();
    expect((await get(BOB, "*/*", { "x-cosmos-block-height": "99" })).status).toBe(400);
  });

  test.each([
    ["versionId=0", 404, "NOT_FOUND"],
    ["versionId=4", 404, "NOT_FOUND"],
    ["versionId=99999999999999999999999", 404, "NOT_FOUND"],
    ["versionId=x", 404, "NOT_FOUND"],
    ["versionId=", 400, "INVALID_OPTIONS"],
    ["versionTime=yesterday", 400, "INVALID_OPTIONS"],
    ["versionId=1&versionTime=2999-01-01T00:00:00Z", 400, "INVALID_OPTIONS"],
    ["versionId=1&versionId=1", 400, "INVALID_DID_URL"],
    ["versionId=%zz", 400, "INVALID_DID_URL"],
    ["noCache=perhaps", 400, "INVALID_OPTIONS"],
  ])("%s is %p %p", async (query, status, type) => {
    const reply = await get(`${ALICE}?${query}`);
    expect([reply.status, errorType(reply)]).toEqual([status, `https://www.w3.org/ns/did#${type}`]);
  });

  test("unknown parameters of the request are ignored, those of an escaped DID URL are not", async () => {
    expect((await get(`${ALICE}?utm=1`)).status).toBe(200);
    expect((await get(encodeURIComponent(`${ALICE}?hl=zQm`))).status).toBe(404);
  });
});

describe("caching", () => {
  test("a tag that is known is 304; an unchanged document keeps its tag at another height", async () => {
    const first = await get(ALICE);
    const tag = first.headers.get("etag") as string;
    expect((await get(ALICE, "*/*", { "if-none-match": tag })).status).toBe(304);
    expect((await get(ALICE, "*/*", { "x-cosmos-block-height": "3" })).headers.get("etag")).toBe(tag);
    expect((await get(ALICE, "*/*", { "x-cosmos-block-height": "2" })).headers.get("etag")).not.toBe(tag);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("vary")).toMatch(/^accept,/);
  });

  test("only the document of a version is fixed: what is said about it is not", async () => {
    const fixed = await get(`${ALICE}?versionId=1`, "application/did");
    expect(fixed.headers.get("cache-control")).toContain("immutable");
    expect((await get(`${ALICE}?versionId=1`)).headers.get("cache-control")).toBe("no-cache");
  });
});

test("every active document of the chain resolves, under its own id", async () => {
  const { body } = await door.get("/vendor/project/identity/did");
  const documents = (body as JsonObject).didDocument as JsonObject[];
  expect(documents.length).toBeGreaterThanOrEqual(7);
  for (const { iD } of documents) {
    const { status, body: document } = await get(iD as string, "application/did");
    expect([status, (document as JsonObject).id]).toEqual([200, iD as string]);
    const methods = ((document as JsonObject).verificationMethod ?? []) as JsonObject[];
    for (const { id, type } of methods) expect([typeof id, typeof type]).toEqual(["string", "string"]);
  }
  expect(didOf("alice")).toBe(ALICE);
});
