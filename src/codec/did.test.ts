import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { absoluteDidUrl, isDid, isDidUrl, parseDidUrl } from "./did.ts";

// The regular expression that the reference text gives for the same grammar.
const REFERENCE_DID = /^did:[a-z0-9]+:(?:(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*:)*(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;

describe("DID grammar", () => {
  test.each([
    "did:orr:cosmos1abc",
    "did:orr:testnet:cosmos1abc",
    "did:example::inner:empty",
    "did:web:localhost%3A8443:user",
    "did:key:z6Mk",
    "did:0:_",
  ])("%s is a DID", (text) => {
    expect(isDid(text)).toBe(true);
    expect(isDidUrl(text)).toBe(true);
  });

  test.each([
    "",
    "did",
    "did:",
    "did:orr",
    "did:orr:",
    "did:orr:a:",
    "did::a",
    "did:Orr:a",
    "DID:orr:a",
    "did:orr:a b",
    "did:orr:a%4",
    "did:orr:a%GG",
    "did:orr:é",
    " did:orr:a",
    "did:orr:a\n",
    "did:o-r:a",
  ])("%p is neither a DID nor a DID URL", (text) => {
    expect(isDid(text)).toBe(false);
    expect(parseDidUrl(text)).toBeNull();
  });

  test("a DID URL is taken apart", () => {
    expect(parseDidUrl("did:orr:testnet:abc/p/q?service=x&v=1#key-1")).toEqual({
      did: "did:orr:testnet:abc",
      method: "orr",
      segments: ["testnet", "abc"],
      path: "/p/q",
      query: "service=x&v=1",
      fragment: "key-1",
    });
  });

  test.each(["did:orr:a#k#k", "did:orr:a/p%", "did:orr:a?q ", "did:orr:a#é", "did:orr:a/[x]"])(
    "%p is not a DID URL",
    (text) => expect(isDidUrl(text)).toBe(false),
  );

  test("agrees with the published expression on texts near the grammar", () => {
    const near = fc.string({ unit: fc.constantFrom("d", "i", ":", "a", "Z", "9", ".", "%", "2", "F", "#", " ") });
    fc.assert(
      fc.property(near, (tail) => isDid(`did:${tail}`) === REFERENCE_DID.test(`did:${tail}`)),
      { numRuns: 2000 },
    );
  });

  test("long texts take no long time", () => {
    const started = performance.now();
    expect(isDidUrl(`did:orr:${"a:%41".repeat(20_000)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });

  test("relative references stand on the document's DID", () => {
    expect(absoluteDidUrl("#k", "did:orr:a")).toBe("did:orr:a#k");
    expect(absoluteDidUrl("did:orr:b#k", "did:orr:a")).toBe("did:orr:b#k");
  });
});
