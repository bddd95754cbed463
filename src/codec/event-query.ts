// The query language of events, in which clients search for transactions and subscribe to what happens:
// `tm.event='Tx' AND transfer.recipient='cosmos1…' AND tx.height > 5`.

import { parseTime } from "./time.ts";

export type Operator = "=" | "<" | ">" | "<=" | ">=" | "CONTAINS" | "EXISTS";

/** `operand` is the text as it stood in the query; for EXISTS it is empty. */
export type Condition = {
  /** `type.attribute`, or one of the reserved names such as tx.height. */
  readonly key: string;
  readonly operator: Operator;
  readonly operand: string;
  readonly kind: "text" | "number" | "time";
};

export class EventQueryError extends Error {
  override readonly name = "EventQueryError";
}

/** Longer queries are refused before they are read. */
const LONGEST_QUERY = 512;

const KEY = /^[^\s'"=<>()\\]+/;
const OPERATOR = /^(?:<=|>=|=|<|>|CONTAINS(?![\w.])|EXISTS(?![\w.]))/i;
const TEXT = /^'([^']*)'/;
const NUMBER = /^-?\d+(?:\.\d+)?(?![\w.])/;
const TIME = /^TIME\s+(\d{4}-\d{2}-\d{2}T[\d:.]+Z)/i;
const DATE = /^DATE\s+(\d{4}-\d{2}-\d{2})(?![\w:])/i;
const AND = /^AND(?!\w)/i;

/** All conditions must hold. Throws EventQueryError with the place of what cannot be read. */
export function parseEventQuery(text: string): Condition[] {
  if (text.length > LONGEST_QUERY) throw new EventQueryError(`maximum query length exceeded: ${text.length}`);
  const cursor = new Cursor(text);
  const conditions = [condition(cursor)];
  while (!cursor.done) {
    cursor.take(AND, "AND");
    conditions.push(condition(cursor));
  }
  return conditions;
}

/** Whether one value of an attribute fulfils a condition on that attribute. */
export function fulfils({ operator, operand, kind }: Condition, value: string): boolean {
  switch (operator) {
    case "EXISTS":
      return true;
    case "CONTAINS":
      return value.includes(operand);
    case "=":
      if (kind !== "time") return value === operand;
  }
  const order = compare(kind, value, operand);
  if (order === null) return false;
  if (operator === "=") return order === 0;
  if (order === 0) return operator === "<=" || operator === ">=";
  return order < 0 ? operator.startsWith("<") : operator.startsWith(">");
}

/** How a subscription matches: each condition by any value of its key, whichever event the value came from. */
export function matchesEvents(
  conditions: readonly Condition[],
  events: Readonly<Record<string, readonly string[]>>,
): boolean {
  return conditions.every((wanted) =>
    Object.hasOwn(events, wanted.key) ? events[wanted.key]!.some((value) => fulfils(wanted, value)) : false,
  );
}

function condition(cursor: Cursor): Condition {
  const [key] = cursor.take(KEY, "the name of an attribute");
  const operator = cursor
    .take(OPERATOR, "an operator (=, <, <=, >, >=, CONTAINS or EXISTS)")[0]
    .toUpperCase() as Operator;
  if (operator === "EXISTS") return { key, operator, operand: "", kind: "text" };
  const text = cursor.match(TEXT);
  if (text !== null) {
    if (operator !== "=" && operator !== "CONTAINS") throw cursor.wrong(`a number or a time after ${operator}`);
    return { key, operator, operand: text[1]!, kind: "text" };
  }
  if (operator === "CONTAINS") throw cursor.wrong("a text in single quotes after CONTAINS");
  const number = cursor.match(NUMBER);
  if (number !== null) return { key, operator, operand: number[0], kind: "number" };
  const time = cursor.match(TIME)?.[1] ?? dateStart(cursor.match(DATE)?.[1]);
  if (time === undefined || !isTime(time)) throw cursor.wrong("a text in single quotes, a number, TIME or DATE");
  return { key, operator, operand: time, kind: "time" };
}

function dateStart(date: string | undefined): string | undefined {
  return date === undefined ? undefined : `${date}T00:00:00Z`;
}

function isTime(text: string): boolean {
  try {
    parseTime(text);
    return true;
  } catch {
    return false;
  }
}

/** Null where the value is not of the operand's kind: it then fulfils no comparison. */
function compare(kind: Condition["kind"], value: string, operand: string): number | null {
  if (kind === "time") {
    if (!isTime(value)) return null;
    const [a, b] = [parseTime(value), parseTime(operand)];
    return a.seconds === b.seconds ? a.nanos - b.nanos : a.seconds < b.seconds ? -1 : 1;
  }
  if (!/^-?\d{1,80}(?:\.\d{1,80})?$/.test(value)) return null;
  const [a, b] = [scaled(value), scaled(operand)];
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Exact for any two decimals of at most this many fraction digits, integers of any size included. */
const FRACTION_DIGITS = 80;

function scaled(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, "0"));
}

class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  get done(): boolean {
    return this.#at === this.#text.length;
  }

  match(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.#text.slice(this.#at));
    if (found === null) return null;
    this.#at += found[0].length;
    this.#skipSpace();
    return found;
  }

  take(pattern: RegExp, what: string): RegExpExecArray {
    const found = this.match(pattern);
    if (found === null) throw this.wrong(what);
    return found;
  }

  wrong(what: string): EventQueryError {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const found = rest === "" ? "the query ends" : `found ${JSON.stringify(rest)}`;
    return new EventQueryError(`expected ${what} at character ${this.#at + 1}, but ${found}`);
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
  }
}
