import { describe, expect, test } from "bun:test";
import { OPERATIONS } from "../api/operations.ts";
import { OPERATIONS as CLIENT_OPERATIONS } from "../client/operations.ts";
import { parseFlags, UsageError } from "./flags.ts";
import { queryGroup } from "./query.ts";
import { queryFlags } from "./query-flags.ts";

const of = (id: string) => queryFlags(OPERATIONS.find((operation) => operation.id === id)!);

test("there is a command for each operation, named after it", () => {
  expect(queryGroup.commands).toHaveLength(18);
  const names = queryGroup.commands.map(({ name }) => name);
  expect(names).toContain("query list-spendable-balances");
  expect(names).toContain("query get-document-by-key");
  expect(names).toContain("query simulate-tx");
});

test.each(OPERATIONS.map(({ id }) => id))("%s has a flag for each of its parameters, explained", (id) => {
  const { query, body } = CLIENT_OPERATIONS[id];
  const { flags, parameters } = of(id);
  expect([...parameters.values()].sort()).toEqual([...query, ...body].sort());
  for (const [key, name] of parameters) {
    expect(flags[key]).toMatchObject({ variable: false });
    expect(flags[key]!.about).not.toBe(name);
    expect(flags[key]!.placeholder).not.toBe("TEXT");
  }
  expect(Object.keys(flags)).toContain("height");
});

describe("words", () => {
  const rows: [id: string, words: string, values: object][] = [
    ["listAccounts", "", {}],
    ["listAccounts", "--limit 5 --reverse --count-total", { limit: "5", reverse: true, countTotal: true }],
    ["listAccounts", "--key AAA= --offset 3 --height 10", { key: "AAA=", offset: "3", height: 10n }],
    ["listBalances", "--address cosmos1x --limit 1", { address: "cosmos1x", limit: "1" }],
    ["getBlock", "--height 7", { height: "7" }],
    ["getDocumentByKey", "--key-id z6Mk", { keyId: "z6Mk" }],
    ["getDocumentByAlias", "--aka-id alice.orr", { akaId: "alice.orr" }],
    ["simulateTx", "--tx-bytes AAAA --skip-sequence-check", { txBytes: "AAAA", skipSequenceCheck: true }],
  ];
  test.each(rows)("%s %s", (id, words, values) => {
    const read = parseFlags(of(id).flags, words.split(" ").filter(Boolean), { ORRERY_HEIGHT: "3", ORRERY_LIMIT: "3" });
    expect(JSON.parse(JSON.stringify(read, (_, value) => (typeof value === "bigint" ? `${value}n` : value)))).toEqual(
      JSON.parse(JSON.stringify(values, (_, value) => (typeof value === "bigint" ? `${value}n` : value))),
    );
  });

  const mistakes: [id: string, words: string, sentence: string][] = [
    ["listBalances", "", "--address is needed: ADDRESS"],
    ["getDocument", "--limit 5", "unknown flag --limit"],
    ["getBlock", "", "--height is needed: N"],
    ["listSupply", "--height 0", '--height: "0" is not a height from 1'],
    ["listSupply", "--reverse maybe", 'unexpected argument "maybe"'],
  ];
  test.each(mistakes)("%s %s is refused", (id, words, sentence) => {
    expect(() => parseFlags(of(id).flags, words.split(" ").filter(Boolean), {})).toThrow(new UsageError(sentence));
  });
});
