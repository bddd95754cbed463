import { expect, test } from "bun:test";
import { formatTable } from "./table.ts";

test("columns are as wide as their widest cell, numbers end alike", () => {
  const text = formatTable(
    [{ title: "denom" }, { title: "amount", align: "right" }, { title: "note" }],
    [
      ["uorr", "1000000000", "x"],
      ["ucredits", "5", ""],
    ],
  );
  expect(text).toBe("denom         amount  note\nuorr      1000000000  x\nucredits           5");
});

test("nothing in it steers the terminal", () => {
  expect(formatTable([{ title: "name" }], [["a\u001b[2Jb\nc\u202Ed\u009b"]])).toBe(
    "name\na\uFFFD[2Jb\uFFFDc\uFFFDd\uFFFD",
  );
});

test("no rows leave the titles", () => {
  expect(formatTable([{ title: "a" }, { title: "b" }], [])).toBe("a  b");
});
