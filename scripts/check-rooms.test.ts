import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkRooms, unusedAllowances } from "./check-rooms.ts";
import { parseSource } from "./source-file.ts";

const trees: string[] = [];
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

/** A tree in a temporary folder that holds these files. */
function tree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "orrery-rooms-"));
  trees.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const value = "export const value = 1;\n";

const refused: [what: string, files: Record<string, string>, finding: string][] = [
  [
    "an import that the table does not name",
    { "src/http/app.ts": `import { a } from "../state/a.ts";\n${value}`, "src/state/a.ts": value },
    "src/http/app.ts:1: http may not import state (src/state/a.ts)",
  ],
  [
    "the same with import type, over several lines",
    { "src/api/a.ts": `\nimport type {\n  A,\n  B,\n} from "../queries/a.ts";\n${value}`, "src/queries/a.ts": value },
    "src/api/a.ts:2: api may not import queries (src/queries/a.ts)",
  ],
  [
    "a dynamic import",
    { "src/store/a.ts": `export const load = () => import("../codec/a.ts");\n` },
    "src/store/a.ts:1: store may not import codec (src/codec/a.ts)",
  ],
  [
    "a re-export from a room out of reach",
    { "src/codec/a.ts": `export { b } from "../store/b.ts";\n${value}` },
    "src/codec/a.ts:1: codec may not import store (src/store/b.ts)",
  ],
  [
    "the command line reaching past node.ts",
    { "src/cli/dev.ts": `import { solo } from "../sources/solo.ts";\n${value}` },
    "src/cli/dev.ts:1: cli may not import sources (src/sources/solo.ts)",
  ],
  [
    "anyone importing the command line",
    { "src/node.ts": `import { flags } from "./cli/flags.ts";\n${value}` },
    "src/node.ts:1: node.ts may not import cli (src/cli/flags.ts)",
  ],
  ["a room that is not in the table", { "src/misc/a.ts": value }, "src/misc/a.ts: belongs to no room"],
  [
    "the product importing a test",
    { "src/store/a.ts": `import { suite } from "./store.suite.ts";\n${value}` },
    "src/store/a.ts:1: imports the test src/store/store.suite.ts",
  ],
  [
    "the product importing a script",
    { "src/store/a.ts": `import { run } from "../../scripts/run.ts";\n${value}` },
    "src/store/a.ts:1: imports scripts/run.ts, which lies outside src/",
  ],
  [
    "a runtime cycle",
    {
      "src/state/b.ts": `import { c } from "./c.ts";\n${value}`,
      "src/state/c.ts": `import { d } from "./d.ts";\n${value}`,
      "src/state/d.ts": `import { b } from "./b.ts";\n${value}`,
    },
    "src/state/b.ts: import cycle src/state/b.ts -> src/state/c.ts -> src/state/d.ts -> src/state/b.ts",
  ],
  ["a barrel", { "src/codec/all.ts": `// All.\nexport * from "./a.ts";\n` }, "src/codec/all.ts: only passes on"],
  [
    "a barrel in two steps",
    { "src/codec/all.ts": `import { a } from "./a.ts";\nexport { a };\n` },
    "src/codec/all.ts: only passes on",
  ],
  ["a file of 501 lines", { "test/long.test.ts": "\n".repeat(501) }, "test/long.test.ts: 501 lines, the limit is 500"],
  [
    "node: in a browser room",
    { "src/client/a.ts": `import { join } from "node:path";\n${value}` },
    "src/client/a.ts:1: may not import node:path",
  ],
  ["Buffer in a browser room", { "src/codec/a.ts": 'export const a = Buffer.from("");\n' }, "may not use Buffer"],
  ["process in a browser room", { "src/api/a.ts": "export const a = process.argv;\n" }, "may not use process"],
  [
    "Bun inside a template's expression",
    { "src/codec/a.ts": "export const a = `x $" + "{Bun.version} y`;\n" },
    "src/codec/a.ts:1: may not use Bun",
  ],
  [
    "Bun outside its places",
    { "src/queries/a.ts": "\nexport const a = Bun.hash;\n" },
    "src/queries/a.ts:2: may not use Bun",
  ],
  ["bun: outside its places", { "src/state/a.ts": `import { Database } from "bun:sqlite";\n${value}` }, "bun:sqlite"],
  ["node: outside its places", { "src/state/a.ts": `import fs from "node:fs";\n${value}` }, "node:fs"],
  [
    "the environment outside cli",
    { "src/node.ts": "export const a = process.env.HOME;\n" },
    "may not use the environment",
  ],
];

describe("refused", () => {
  test.each(refused)("%s", (_what, files, finding) => {
    const found = checkRooms(tree(files));
    expect(found.filter((sentence) => sentence.includes(finding))).toHaveLength(1);
  });
});

const accepted: [what: string, files: Record<string, string>][] = [
  [
    "the command line as a client",
    {
      "src/cli/query.ts": `import { createClient } from "../client/client.ts";
import { OPERATIONS } from "../api/operations.ts";
import { parseCoins } from "../codec/coin.ts";
${value}`,
    },
  ],
  [
    "a single file that the table names",
    { "src/store/a.ts": `import { concatBytes } from "../codec/bytes.ts";\n${value}` },
  ],
  ["an import that the table names", { "src/state/a.ts": `import { b } from "../codec/b.ts";\n${value}` }],
  [
    "gen and log from anywhere",
    { "src/store/a.ts": `import type { Log } from "../log.ts";\nimport { M } from "../gen/m_pb.ts";\n${value}` },
  ],
  ["src/index.ts as a barrel", { "src/index.ts": `export { createNode } from "./node.ts";\n` }],
  [
    "a cycle of types alone",
    {
      "src/state/b.ts": `import type { C } from "./c.ts";\n${value}`,
      "src/state/c.ts": `import { b } from "./b.ts";\n${value}`,
    },
  ],
  [
    "a test that imports any room",
    { "src/codec/a.test.ts": `import { a } from "../cli/a.ts";\nimport "node:fs";\nBun.gc();\n` },
  ],
  [
    "Bun and node: in their places",
    { "src/store/sqlite-file.ts": `import { Database } from "bun:sqlite";\nimport "node:fs";\n${value}` },
  ],
  ["node: in sources", { "src/sources/home.ts": `import { readFileSync } from "node:fs";\n${value}` }],
  ["the environment in cli", { "src/cli/flags.ts": "export const a = process.env;\n" }],
  ["500 lines", { "src/codec/a.ts": "export const a = 1;\n".repeat(500) }],
  ["generated code of any length", { "src/gen/a_pb.ts": "export const a = 1;\n".repeat(900) }],
  [
    "words in comments, strings and patterns",
    {
      "src/codec/a.ts": `// Bun.hash, Buffer.from, process.env, import { x } from "../cli/x.ts"
/* import "node:fs" */
export const text = "Bun.hash of a Buffer.from";
export const quote = /["'\`]Bun.hash/;
export const template = \`import "node:fs"; process.env\`;
export const name = { Buffer: 1, process: 2 };
`,
    },
  ],
];

describe("accepted", () => {
  test.each(accepted)("%s", (_what, files) => {
    expect(checkRooms(tree(files))).toEqual([]);
  });
});

test("an allowance that no file makes use of is found", () => {
  const root = tree({
    "src/store/sqlite-file.ts": `import { Database } from "bun:sqlite";\n${value}`,
    "src/cli/dev.ts": "// process.env\nexport const a = Bun.version;\n",
    "src/rpc/serve.ts": "// Bun.serve would be used here.\n",
  });
  const found = unusedAllowances(root).join("\n");
  expect(found).toContain("src/rpc/serve.ts is allowed Bun, and");
  expect(found).toContain("src/cli/ is allowed the environment, and");
  expect(found).not.toContain("src/store/sqlite is allowed Bun");
  expect(found).not.toContain("src/cli/ is allowed Bun");
});

test("imports are found with their line and kind", () => {
  const text = `import "./a.ts";
import type { B } from "./b.ts";
import c, { type D } from "../x/c.ts";
export * as e from "hono";
const f = await import("./f.ts");
export type G = "./g.ts";
`;
  expect(parseSource("src/codec/here.ts", text).imports).toEqual([
    { target: "src/codec/a.ts", typeOnly: false, line: 1 },
    { target: "src/codec/b.ts", typeOnly: true, line: 2 },
    { target: "src/x/c.ts", typeOnly: false, line: 3 },
    { target: "hono", typeOnly: false, line: 4 },
    { target: "src/codec/f.ts", typeOnly: false, line: 5 },
  ]);
});
