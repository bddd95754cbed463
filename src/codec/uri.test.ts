import { expect, test } from "bun:test";
import { isAbsoluteUri } from "./uri.ts";

test.each([
  "https://alice.example.com/",
  "https://alice.example.com",
  "https://user:pass@[2001:db8::7]:8443/a/b?q=1#f",
  "mqtts://broker.example:8883",
  "urn:uuid:7c6f1d0e-2d55-4f0b-9a55-1b1f5f0a9c11",
  "mailto:alice@example.com",
  "did:orr:abc#svc",
  "file:///etc/hosts",
  "ipfs://bafy/x%20y",
])("%s is an absolute URI", (text) => expect(isAbsoluteUri(text)).toBe(true));

test.each([
  "",
  "alice.orr",
  "//example.com/",
  "/path",
  "#f",
  "https:",
  "https://",
  "https:///path",
  "https:/example.com",
  "https://a b/",
  "https://a/%zz",
  "https://a/#x#y",
  "https://[::1/",
  "https://a:80a/",
  "1http://a",
  "https://exämple.com",
  "https://a/<x>",
])("%p is not an absolute URI", (text) => expect(isAbsoluteUri(text)).toBe(false));
