// The page of neighbour routes says what the table says, row by row and in its order.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NEIGHBOURS } from "../../src/api/neighbours.ts";

const PAGE = join(import.meta.dir, "..", "..", "docs", "neighbour-routes.md");

test("docs/neighbour-routes.md has every neighbour, and no other", () => {
  const rows = readFileSync(PAGE, "utf8")
    .split("\n")
    .filter((line) => /^\| (GET|POST) /.test(line));
  const wanted = NEIGHBOURS.map(
    ({ method, ecosystemPath, rpc, summary }) =>
      `| ${method} | \`${ecosystemPath}\` | \`${rpc.parent.typeName}/${rpc.name}\` | ${summary} |`,
  );
  expect(rows).toEqual(wanted);
});
