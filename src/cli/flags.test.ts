import { describe, expect, test } from "bun:test";
import { type Flag, type NeededFlag, nameOf, parseFlags, UsageError, variableOf } from "./flags.ts";
import {
  parseCoinList,
  parseCount,
  parseDuration,
  parseGas,
  parseHeight,
  parseHostPort,
  parseKeep,
  parseLogLevel,
  parseMinGasPrices,
  parseNames,
  parsePath,
  parseSwitch,
  parseText,
  parseUrl,
} from "./values.ts";

const text: Flag<string> = { placeholder: "DIR", about: "", fallback: "here", parse: parseText };
const optional: Flag<string, null> = { placeholder: "FILE", about: "", fallback: null, parse: parseText };
const onOff: Flag<boolean> = { placeholder: null, about: "", fallback: "false", parse: parseSwitch };
const count: Flag<number> = { placeholder: "N", about: "", fallback: "1", parse: parseCount(9) };
const flags = { home: text, genesis: optional, emptyBlocks: onOff, validators: count };

const defaults = { home: "here", genesis: undefined, emptyBlocks: false, validators: 1 };

describe("words become values", () => {
  const rows: [words: string, values: object][] = [
    ["", {}],
    ["--home there", { home: "there" }],
    ["--home=there", { home: "there" }],
    ["--home=a=b", { home: "a=b" }],
    ["--home one --home two", { home: "two" }],
    ["--genesis -", { genesis: "-" }],
    ["--empty-blocks", { emptyBlocks: true }],
    ["--empty-blocks true", { emptyBlocks: true }],
    ["--empty-blocks=true --empty-blocks false", { emptyBlocks: false }],
    ["--empty-blocks --home x", { emptyBlocks: true, home: "x" }],
    ["--empty-blocks --no-empty-blocks", { emptyBlocks: false }],
    ["--validators 4 --genesis f", { validators: 4, genesis: "f" }],
  ];
  test.each(rows)("%s", (words, values) => {
    expect(parseFlags(flags, words.split(" ").filter(Boolean), {})).toEqual({ ...defaults, ...values });
  });
});

describe("mistakes name the flag", () => {
  const rows: [words: string, sentence: string][] = [
    ["--hom x", "unknown flag --hom"],
    ["-h", 'unexpected argument "-h"'],
    ["extra", 'unexpected argument "extra"'],
    ["--home", "--home needs a value: DIR"],
    ["--home --genesis f", "--home needs a value: DIR"],
    ["--home=", "--home: the value is empty"],
    ["--empty-blocks=maybe", '--empty-blocks: "maybe" is neither true nor false'],
    ["--no-empty-blocks=true", "--no-empty-blocks takes no value"],
    ["--no-home", "unknown flag --no-home"],
    ["--validators none", '--validators: "none" is not a number from 1 to 9'],
  ];
  test.each(rows)("%s", (words, sentence) => {
    expect(() => parseFlags(flags, words.split(" "), {})).toThrow(new UsageError(sentence));
  });
});

describe("variables", () => {
  test("stand in for flags that are not given", () => {
    const environment = { ORRERY_HOME: "var", ORRERY_EMPTY_BLOCKS: "true", ORRERY_VALIDATORS: "", HOME: "no" };
    expect(parseFlags(flags, ["--home", "flag"], environment)).toEqual({
      ...defaults,
      home: "flag",
      emptyBlocks: true,
    });
    expect(parseFlags(flags, [], environment).home).toBe("var");
  });
  test("are named when they are wrong", () => {
    const sentence = 'ORRERY_EMPTY_BLOCKS: "1" is neither true nor false';
    expect(() => parseFlags(flags, [], { ORRERY_EMPTY_BLOCKS: "1" })).toThrow(new UsageError(sentence));
  });
  test("have the flag's name in capitals", () => {
    expect([nameOf("blockTime"), variableOf("blockTime")]).toEqual(["--block-time", "ORRERY_BLOCK_TIME"]);
  });
});

describe("what one call is about", () => {
  const to: NeededFlag<string> = { ...optional, placeholder: "ADDRESS", needed: true, variable: false };
  test("must be given where it is needed, and no variable gives it", () => {
    expect(parseFlags({ to }, ["--to", "bob"], { ORRERY_TO: "eve" })).toEqual({ to: "bob" });
    expect(() => parseFlags({ to }, [], { ORRERY_TO: "eve" })).toThrow(new UsageError("--to is needed: ADDRESS"));
  });
});

describe("values", () => {
  const good: [parse: (text: string) => unknown, text: string, value: unknown][] = [
    [parseHostPort, "127.0.0.1:1317", { host: "127.0.0.1", port: 1317 }],
    [parseHostPort, "localhost:0", { host: "localhost", port: 0 }],
    [parseHostPort, "[::1]:65535", { host: "::1", port: 65_535 }],
    [parseDuration, "5s", 5000],
    [parseDuration, "500ms", 500],
    [parseDuration, "1m", 60_000],
    [parseDuration, "2", 2000],
    [parseDuration, "0.25s", 250],
    [parseDuration, "24h", 86_400_000],
    [parseKeep, "all", "all"],
    [parseKeep, "100", 100],
    [parseLogLevel, "silent", "silent"],
    [parseCount(100), "100", 100],
    [parsePath, "/a/~/b", "/a/~/b"],
    [parseUrl, "http://127.0.0.1:1317", "http://127.0.0.1:1317"],
    [parseUrl, "https://node.example/chain//", "https://node.example/chain"],
    [parseHeight, "1", 1n],
    [parseGas, "auto", "auto"],
    [parseGas, "200000", 200_000n],
    [parseNames, "bob,carol", ["bob", "carol"]],
    [parseCoinList, "5uorr", [{ denom: "uorr", amount: 5n }]],
    [
      parseCoinList,
      "5uorr,1ucred",
      [
        { denom: "ucred", amount: 1n },
        { denom: "uorr", amount: 5n },
      ],
    ],
    [parseMinGasPrices, "0.5uorr", [{ denom: "uorr", price: 5n * 10n ** 17n }]],
  ];
  test.each(good)("%p accepts %s", (parse, input, value) => {
    expect(parse(input)).toEqual(value);
  });

  const bad: [parse: (text: string) => unknown, text: string][] = [
    ...["1317", ":1317", "host", "host:", "host:x", "::1:1317", "[::1]", "a b:1", "h:65536", "h:-1", "h:1:2"].map(
      (input): [typeof parseHostPort, string] => [parseHostPort, input],
    ),
    ...["", "s", "5 s", "-1s", "1d", "0", "0ms", "0.5ms", "25h", "1e3", "5S"].map(
      (input): [typeof parseDuration, string] => [parseDuration, input],
    ),
    ...["0", "-1", "some", "1.5", ""].map((input): [typeof parseKeep, string] => [parseKeep, input]),
    ...["0", "101", "1.5", "", "0x1"].map((input): [(input: string) => number, string] => [parseCount(100), input]),
    [parseLogLevel, "loud"],
    [parseSwitch, "yes"],
    [parsePath, ""],
    ...["", "localhost:1317", "ftp://a", "http://a?b", "http://a#b", "http://"].map(
      (input): [typeof parseUrl, string] => [parseUrl, input],
    ),
    ...["0", "-1", "1.5", "latest", ""].map((input): [typeof parseHeight, string] => [parseHeight, input]),
    ...["0", "-1", "some", ""].map((input): [typeof parseGas, string] => [parseGas, input]),
    ...["bob,", ",", ""].map((input): [typeof parseNames, string] => [parseNames, input]),
    ...["", "5", "uorr", "0uorr", "5uorr,", "5uorr,5uorr", "-5uorr", "1.5uorr", "5 uorr"].map(
      (input): [typeof parseCoinList, string] => [parseCoinList, input],
    ),
    [parseMinGasPrices, "cheap"],
  ];
  test.each(bad)("%p refuses %s", (parse, input) => {
    expect(() => parse(input)).toThrow(UsageError);
  });
});
