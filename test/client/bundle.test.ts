// What is published: small, without a runtime for protobuf, free of Node and Bun, and with declarations that a strict
// project can use.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildClient, type ClientSize } from "../../scripts/build-client.ts";
import { runTool } from "../../scripts/step.ts";

const LIMIT = 15 * 1024;

let folder: string;
let size: ClientSize;
let code: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-bundle-"));
  size = await buildClient(join(folder, "dist"));
  code = readFileSync(join(folder, "dist", "client.js"), "utf8");
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test("it is below 15 KB, minified and compressed", () => {
  expect(size.gzipped).toBeLessThan(LIMIT);
  expect(size.gzipped).toBeGreaterThan(1024);
  expect(Bun.gzipSync(code, { level: 9 })).toHaveLength(size.gzipped);
});

test.each([
  ["an import", /\bimport\s*[("'{*\w]|\brequire\s*\(/],
  ["protobuf", /protobuf|typeName|bufbuild|google\.|\$typeName|fieldKind/i],
  ["Node or Bun", /\bnode:|\bBun\b|\bprocess\b|\bBuffer\b|__dirname/],
])("it holds no trace of %s", (_what, pattern) => {
  expect(pattern.exec(code)?.[0]).toBeUndefined();
});

test("its declarations stand on their own in a strict project of another kind", async () => {
  const declarations = readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".d.ts"));
  expect(declarations).toContain("client.d.ts");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(folder, "use.ts"),
    `import { type Account, type Coin, createClient, OrreryError } from "./dist/client.js";
const client = createClient(["https://a.example", "https://b.example"], { integers: "bigint" });
export async function richest(): Promise<Coin<bigint> | undefined> {
  let most: Coin<bigint> | undefined;
  for await (const coin of client.listSupply.all({ pagination: { limit: 500 } })) {
    if (most === undefined || coin.amount > most.amount) most = coin;
  }
  return most;
}
export async function sequenceOf(account: Account<bigint>): Promise<bigint> {
  return account["@type"] === "/cosmos.auth.v1beta1.BaseAccount" ? account.sequence : 0n;
}
export const text: Promise<string> = createClient("https://a.example").listSupply().then(({ supply }) => supply[0]?.amount ?? "0");
export const isOurs = (error: unknown): boolean => error instanceof OrreryError && error.code === 5;
// @ts-expect-error: the address is missing
client.listBalances({});
// @ts-expect-error: an integer that was asked for as bigint is no string
export const wrong: Promise<string> = client.listSupply().then(({ supply }) => supply[0]!.amount);
// @ts-expect-error: a single thing has no pages
client.getToken.all({ denom: "uorr" });
`,
  );
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023", "dom"],
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  expect((await runTool(["tsc", "-p", folder, "--pretty", "false"])).output).toBe("");
}, 30_000);
