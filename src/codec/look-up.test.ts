import { describe, expect, test } from "bun:test";
import { LookUpError, type LookUpKind, parseLookUp } from "./look-up.ts";

const ACCOUNT = "cosmos1f7n8f9w5vs6cp7jf80e6cufe8yqj0fn8gnupkw";
const THUMBPRINT = "Z0SaUsMP90uPpKzem4kt_dkBXHpiN3Oxwm1a9zzteGg";

describe("well-formed values", () => {
  test.each<[LookUpKind, string, string]>([
    ["key", "did:orr:a#key-1", "did:orr:a#key-1"],
    ["key", " \t did:orr:a \r\n", "did:orr:a"],
    ["key", "zQ3shjX9DrLRjq3ysCJKKQXFgwve8Y88S8aBtzpcdmB5rPqwt", "zQ3shjX9DrLRjq3ysCJKKQXFgwve8Y88S8aBtzpcdmB5rPqwt"],
    ["key", `cosmos:orrery-1:${ACCOUNT}`, `cosmos:orrery-1:${ACCOUNT}`],
    ["key", ACCOUNT.toUpperCase(), ACCOUNT],
    ["key", THUMBPRINT, THUMBPRINT],
    ["service", "did:orr:a#vault", "did:orr:a#vault"],
    ["service", "https://example.com/s", "https://example.com/s"],
    ["network", "devnet", "devnet"],
    ["network", "cosmos:orrery-1", "cosmos:orrery-1"],
    ["method", "orr", "orr"],
    ["method", "did:orr", "orr"],
    ["method", "did:orr:a#key-1", "did:orr:a#key-1"],
    ["alias", "alice.orr", "alice.orr"],
    ["alias", "https://alice.example.com/", "https://alice.example.com/"],
    ["alias", "漢字.orr", "漢字.orr"],
  ])("%s %p", (kind, text, value) => expect(parseLookUp(kind, text)).toBe(value));
});

describe("malformed values", () => {
  test.each<[LookUpKind, string, string]>([
    ["key", " ", "must not be empty"],
    ["key", "did:orr", "begins with did:"],
    ["key", "key-1", "must be a DID, a DID URL, a multibase key"],
    ["key", `${ACCOUNT}x`, "must be a DID"],
    ["key", "z0OIl", "must be a DID"],
    ["service", "vault", "must be a DID or an absolute URI"],
    ["service", "did:orr:a b", "begins with did:"],
    ["network", "dev net", "must be a network name"],
    ["network", "cosmos:orrery-1:x", "must be a network name"],
    ["method", "Orr", "must be a DID method name"],
    ["method", "did:orr:a", "must be a DID method name"],
    ["method", "did:orr:a#", "must be a DID method name"],
    ["alias", "alice orr", "must not contain white space"],
    ["alias", "alice\u0000.orr", "must not contain white space or control"],
    ["alias", "alice\u00a0.orr", "must not contain white space"],
    ["alias", "\ud800.orr", "must not contain"],
    ["alias", "é".repeat(1025), "must not be longer than 2048 bytes"],
  ])("%s %p: %s", (kind, text, reason) => {
    expect(() => parseLookUp(kind, text)).toThrow(LookUpError);
    expect(() => parseLookUp(kind, text)).toThrow(reason);
  });
});
