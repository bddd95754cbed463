// Requests that go wrong at random: every operation of the table under every path it has, its own parameters with values
// from a drawer of bad ones, headers and bodies to match; and the same as bytes, some of them changed.

import type { DescMessage } from "@bufbuild/protobuf";
import { NEIGHBOURS } from "../../src/api/neighbours.ts";
import { OPERATIONS } from "../../src/api/operations.ts";
import type { Random } from "../harness/random-changes.ts";

export type MalformedRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

type Target = { readonly method: "GET" | "POST"; readonly path: string; readonly parameters: readonly string[] };

const TARGETS: readonly Target[] = [...OPERATIONS, ...NEIGHBOURS].flatMap((operation) => {
  const paths = ["path" in operation ? operation.path : null, operation.ecosystemPath].filter((path) => path !== null);
  return paths.map((path) => ({ method: operation.method, path, parameters: parametersOf(operation.rpc.input) }));
});

/** As they stand in a URL. */
const BAD_VALUES = [
  ...["", "%", "%zz", "%00", "%ff%fe", "%ED%A0%80", "%0d%0aX-Injected:1", "+", "%20", "a=b", "&&&", "[]", "{}", "null"],
  ...["0", "1", "-1", "-0", "00007", "0x10", "1e3", "1.5", "1_000", "%D9%A3", "NaN", "Infinity", "true", "TRUE", "yes"],
  ...["18446744073709551615", "18446744073709551616", "9223372036854775807", "9223372036854775808", "9".repeat(300)],
  ...["__proto__", "constructor", "toString", "..%2F..%2Fetc%2Fpasswd", "..", ".", "*", "$(id)", "'%20or%201=1--"],
  ...["AQ==", "AQ=", "====", "_-_-", "%2B%2F", "A".repeat(2000), "did:orr:x", "did:orr:", "did::", "did:orr:a%23key-1"],
  ...[
    "uorr",
    "ibc%2FABC",
    "a",
    "u".repeat(200),
    "cosmos1",
    "cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a",
    "COSMOS1Q",
  ],
  ...[
    "%F0%9F%98%80",
    "%E2%80%AE",
    "%7F",
    "%1b%5b31m",
    "<script>",
    "%22%3E",
    "2026-01-01T00:00:00Z",
    "1d",
    "~",
    "|",
    "^",
  ],
];

const BAD_HEADERS: readonly (readonly [string, string])[] = [
  ...["x-cosmos-block-height", "x-core-block-height", "x-min-height"].flatMap((name) =>
    ["-1", "abc", "0", "999999999999", "1,2", " ", "0x1"].map((value) => [name, value] as const),
  ),
  ["x-cosmos-block-time", "yesterday"],
  ["accept", "*/*;q=x,,;"],
  ["accept-encoding", "gzip;q=9, zstd;;, \u00ff"],
  ["if-none-match", '"a, W/*, "'],
  ["range", "bytes=9-1"],
  ["content-type", "application/json; charset=\u00ff"],
  ["content-type", "multipart/form-data; boundary="],
  ["content-encoding", "gzip"],
  ["x-request-id", "a b\tc"],
  ["origin", "null"],
  ["x-http-method-override", "DELETE"],
];

/** A height that never comes is waited for: two seconds, unless told otherwise. */
const NO_WAITING = ["x-min-height-wait", "20"] as const;

const BODY_PARTS = [
  ...['{"tx_bytes":"', '"}', '{"tx":"', '","tx_bytes":"', "AAAA", "CgA=", "{", "}", "[", "]", "null", "1e999", '"'],
  ...["\\u0000", "\\ud800", "__proto__", '":', ",", " ", "\t", "é", "true", "[[[[[[[[", '{"tx":{"body":{"messages":[{'],
  ...['"@type":"/cosmos.bank.v1beta1.MsgSend"', '"amino_json":"{}"', '"amino_binary":"AA=="', "\u0000", "-", "0"],
];

const METHODS = ["PUT", "DELETE", "PATCH", "POST", "GET", "OPTIONS"];

export function malformedRequest(random: Random): MalformedRequest {
  const { method, path, parameters } = pick(TARGETS, random);
  const filled = path.replaceAll(/\{\w+\}/g, () => pick(BAD_VALUES, random));
  const query = Array.from({ length: random(4) }, () => {
    const name = random(8) === 0 || parameters.length === 0 ? pick(BAD_VALUES, random) : pick(parameters, random);
    return random(12) === 0 ? name : `${name}=${pick(BAD_VALUES, random)}`;
  });
  const used = random(10) === 0 ? pick(METHODS, random) : method;
  const headers = random(4) === 0 ? [pick(BAD_HEADERS, random), NO_WAITING] : [];
  return {
    method: used,
    target: `${damaged(filled, random)}${query.length === 0 ? "" : `?${query.join("&")}`}`,
    headers: Object.fromEntries(headers),
    body: used === "POST" ? badBody(random) : null,
  };
}

/** With one to eight bytes changed, left out or doubled. */
export function malformedBytes(random: Random): Uint8Array {
  const { method, target, headers, body } = malformedRequest(random);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = body === null ? [] : [`content-length: ${Buffer.byteLength(body) + random(3) - 1}`];
  const text = [`${method} ${target} HTTP/1.1`, "Host: node", "Connection: close", ...lines, ...length, "", body ?? ""];
  const bytes = [...Buffer.from(text.join("\r\n"))];
  for (let change = 1 + random(8); change > 0; change--) {
    const at = random(bytes.length);
    if (random(3) === 0) bytes.splice(at, 1);
    else if (random(2) === 0) bytes.splice(at, 0, bytes[at] as number);
    else bytes[at] = random(256);
  }
  return Uint8Array.from(bytes);
}

function damaged(path: string, random: Random): string {
  if (random(10) !== 0) return path;
  const at = 1 + random(path.length);
  return (
    path.slice(0, at) + pick(["/", "//", "%", "..", "\\", ";", "%00", "é", ""], random) + path.slice(at + random(2))
  );
}

function badBody(random: Random): string {
  return Array.from({ length: random(9) }, () => pick(BODY_PARTS, random)).join("");
}

function parametersOf(message: DescMessage): string[] {
  return message.fields.flatMap((field) =>
    field.message === undefined || field.fieldKind !== "message"
      ? [field.name, field.jsonName]
      : field.message.fields.map((inner) => `${field.name}.${inner.name}`),
  );
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)] as T;
}
