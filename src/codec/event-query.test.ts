import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Condition, EventQueryError, fulfils, matchesEvents, parseEventQuery } from "./event-query.ts";

const text = (key: string, operator: Condition["operator"], operand: string): Condition => ({
  key,
  operator,
  operand,
  kind: "text",
});
const number = (key: string, operator: Condition["operator"], operand: string): Condition => ({
  ...text(key, operator, operand),
  kind: "number",
});

const understood: [query: string, conditions: Condition[]][] = [
  ["tm.event='NewBlock'", [text("tm.event", "=", "NewBlock")]],
  ["tm.event = 'Tx' AND tx.hash='AB'", [text("tm.event", "=", "Tx"), text("tx.hash", "=", "AB")]],
  ["tx.height=5", [number("tx.height", "=", "5")]],
  [" tx.height >= 5 and tx.height<7 ", [number("tx.height", ">=", "5"), number("tx.height", "<", "7")]],
  ["a.b EXISTS", [text("a.b", "EXISTS", "")]],
  ["a.b CONTAINS 'x AND y'", [text("a.b", "CONTAINS", "x AND y")]],
  ["a.b > 1.5", [number("a.b", ">", "1.5")]],
  ["message.action='/cosmos.bank.v1beta1.MsgSend'", [text("message.action", "=", "/cosmos.bank.v1beta1.MsgSend")]],
  ["a.t > DATE 2026-01-02", [{ key: "a.t", operator: ">", operand: "2026-01-02T00:00:00Z", kind: "time" }]],
  [
    "a.t <= TIME 2026-01-02T03:04:05.5Z",
    [{ key: "a.t", operator: "<=", operand: "2026-01-02T03:04:05.5Z", kind: "time" }],
  ],
];

test.each(understood)("%s", (query, conditions) => {
  expect(parseEventQuery(query)).toEqual(conditions);
});

const refused = [
  "",
  " ",
  "tx.height",
  "tx.height=",
  "tx.height='5",
  "tx.height=5 AND",
  "tx.height=5 tx.hash='A'",
  "tx.height=5 OR tx.hash='A'",
  "='5'",
  "a.b > 'x'",
  "a.b CONTAINS 5",
  "a.b = 5x",
  "a.b = TIME 2026-13-02T03:04:05Z",
  `a.b='${"x".repeat(600)}'`,
];

test.each(refused)("refused: %s", (query) => {
  expect(() => parseEventQuery(query)).toThrow(EventQueryError);
});

test("any text is read or refused, never worse", () => {
  const alphabet = fc.constantFrom("a.b", "=", "<", ">", "'", "AND", "EXISTS", "5", " ", "TIME", "\0", "é");
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 12 }), (parts) => {
      try {
        expect(parseEventQuery(parts.join("")).length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(EventQueryError);
      }
    }),
  );
});

describe("a value", () => {
  const cases: [query: string, value: string, holds: boolean][] = [
    ["k='5'", "5", true],
    ["k=5", "5", true],
    ["k=5", "05", false],
    ["k>5", "6", true],
    ["k>5", "5", false],
    ["k>=5", "5", true],
    ["k<5", "10", false],
    ["k<=5", "-10", true],
    ["k<5", "-0.5", true],
    ["k>1.25", "1.3", true],
    ["k>-1.5", "-1.4", true],
    ["k>5", "600uorr", false],
    ["k>9223372036854775807", "9223372036854775808", true],
    ["k CONTAINS 'b'", "abc", true],
    ["k CONTAINS 'z'", "abc", false],
    ["k EXISTS", "", true],
    ["k >= TIME 2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000001Z", true],
    ["k < DATE 2026-01-02", "2026-01-01T23:59:59Z", true],
    ["k = DATE 2026-01-02", "2026-01-02T00:00:00.000Z", true],
    ["k < DATE 2026-01-02", "yesterday", false],
  ];
  test.each(cases)("%s of %s", (query, value, holds) => {
    expect(fulfils(parseEventQuery(query)[0]!, value)).toBe(holds);
  });
});

test("a subscription matches each condition by any value of its key", () => {
  const events = { "tm.event": ["Tx"], "transfer.recipient": ["a", "b"], "tx.height": ["7"] };
  expect(matchesEvents(parseEventQuery("tm.event='Tx' AND transfer.recipient='b' AND tx.height>6"), events)).toBe(true);
  expect(matchesEvents(parseEventQuery("tm.event='Tx' AND transfer.recipient='c'"), events)).toBe(false);
  expect(matchesEvents(parseEventQuery("tm.event='Tx' AND transfer.sender EXISTS"), events)).toBe(false);
  expect(matchesEvents(parseEventQuery("constructor EXISTS"), events)).toBe(false);
});
