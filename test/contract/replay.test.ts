// Every recorded answer of the reference node, asked of ours over HTTP under the ecosystem's spelling.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Door, Json, JsonObject, Reply } from "../harness/door.ts";
import { FIXTURES, type RecordedCase, recordedCases } from "../harness/fixtures.ts";
import { serveRecording } from "../harness/served-recording.ts";

/** Every file of recorded REST answers, and how many cases it has. */
const FILES = {
  accounts: 50,
  balances: 52,
  blocks: 13,
  denoms_metadata: 30,
  heights: 8,
  node: 5,
  spendable_balances: 41,
  supply: 33,
  txs_block: 28,
};

type Exception = {
  /** Which cases: tested on the path and, behind a space, the height that is asked for. */
  readonly cases: RegExp;
  readonly differs: string;
  /** The row of design.md, part 7, that decides it. */
  readonly reason: string;
  /** What we answer instead; throws when it is something else. */
  check(reply: Reply, recorded: RecordedCase): void;
};

/** The only differences from the reference. A row that no case needs fails the test. */
const EXCEPTIONS: readonly Exception[] = [
  {
    cases: /\/(denoms_metadata|supply|accounts)\?pagination\.key=AQ==&pagination\.offset=1$/,
    differs: "500 there, 400 code 3 here, with the same sentence",
    reason: "status: the caller's mistake is always 4xx",
    check: (reply, recorded) => expectRefusal(reply, 400, 3, sentenceOf(recorded)),
  },
  {
    cases: /\/txs\/block\/(0|999999999)$/,
    differs: "500 there, 400 code 3 here, with the same sentence",
    reason: "status: the caller's mistake is always 4xx",
    check: (reply, recorded) => expectRefusal(reply, 400, 3, sentenceOf(recorded)),
  },
  {
    cases: /\/denoms_metadata\/(ibc|factory)(\/|%2F)/,
    differs: "501 there; here the token, because a denom may hold slashes, raw or escaped",
    reason: "the 18 operations: getToken answers for every denom that has metadata",
    check(reply, { path }) {
      const denom = decodeURIComponent(path.slice("/cosmos/bank/v1beta1/denoms_metadata/".length));
      const listed = recordedBody("denoms_metadata", "list").metadatas as JsonObject[];
      const token = listed.find(({ base }) => base === denom)!;
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ metadata: token });
    },
  },
  {
    cases: /\/supply\?(?=.*pagination\.reverse=true)/,
    differs: "the coins of a page stand in descending order; there each page is sorted again, ascending",
    reason: "reverse: true descending walk on every list",
    check(reply, recorded) {
      const body = recorded.body as JsonObject;
      expect(reply.body).toEqual({ ...body, supply: (body.supply as JsonObject[]).toReversed() });
    },
  },
  {
    cases: /\/txs\/block\/60\?pagination\.(limit=2|offset=1&pagination\.limit=1)$/,
    differs: "a next_key where more transactions follow; there it is always null",
    reason: "next_key: the raw key, null at the end; op 17: offset, limit and reverse work",
    check(reply, recorded) {
      const { pagination, ...rest } = reply.body as JsonObject;
      const { pagination: old, ...same } = recorded.body as JsonObject;
      expect(rest).toEqual(same);
      expect(pagination).toEqual({ ...(old as JsonObject), next_key: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) });
    },
  },
  {
    cases: /\/txs\/block\/60\?pagination\.(reverse=true|limit=0)$/,
    differs: "all transactions, reversed where asked; there a request without a limit gets none",
    reason: "page size: limit 0 or empty means default; op 17: offset, limit and reverse work",
    check(reply, recorded) {
      const whole = recordedBody("txs_block", "at 60");
      const txs = whole.txs as JsonObject[];
      expect(txs.length).toBe(5);
      const reversed = recorded.path.endsWith("reverse=true");
      expect(reply.body).toEqual({ ...whole, txs: reversed ? txs.toReversed() : txs });
    },
  },
  {
    cases: /\/txs\/block\/60\?pagination\.offset=99$/,
    differs: "500 there; here an empty page with the right total",
    reason: "offset beyond the end: 200 with an empty list and the right total",
    check(reply) {
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ ...recordedBody("txs_block", "at 60"), txs: [] });
    },
  },
  {
    cases: /\/module_accounts$/,
    differs: "without the module nft, which has no account: there one is made up for the answer, with a free number",
    reason: "the state decides: the recorded store and the recorded list of all accounts do not hold it",
    check(reply, recorded) {
      const accounts = (recorded.body as JsonObject).accounts as JsonObject[];
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ accounts: accounts.filter(({ name }) => name !== "nft") });
    },
  },
  {
    cases: /\/node_info$/,
    differs: "the node, its program and its parts are ours; the members, the chain and the protocol are the same",
    reason: "a node tells of itself",
    check(reply, recorded) {
      const [ours, theirs] = [reply.body, recorded.body].map((body) => body as Record<string, JsonObject>);
      expect(reply.status).toBe(200);
      expect(membersOf(ours!)).toEqual(membersOf(theirs!));
      for (const same of ["protocol_version", "network", "version", "channels"]) {
        expect(ours!.default_node_info![same]).toEqual(theirs!.default_node_info![same]!);
      }
      for (const { application_version } of [ours!, theirs!]) {
        expect(application_version!.cosmos_sdk_version).toMatch(/^v0\.47\.\d+$/);
      }
    },
  },
  {
    cases: /^\/nothing$/,
    differs: "501 there, 404 code 5 here",
    reason: "status: an unknown route is 501 code 12 under /cosmos, and 404 code 5 elsewhere",
    check: (reply) => expectRefusal(reply, 404, 5, "unknown route: /nothing"),
  },
  {
    cases: / (1|5|65)$/,
    differs: "410 code 11 with the kept heights; there the balances of that height",
    reason: "the recording holds the state of height 66 alone: a height that is not kept is 410, never a guess",
    check(reply, { headers }) {
      const height = headers!["x-cosmos-block-height"];
      expectRefusal(reply, 410, 11, `height ${height} is not kept any more; the kept heights are 66 to 66`);
    },
  },
  {
    cases: / (67|abc)$/,
    differs: "500 there, 400 code 3 here, with the same sentence",
    reason: "status: the caller's mistake is always 4xx",
    check: (reply, recorded) => expectRefusal(reply, 400, 3, sentenceOf(recorded)),
  },
  {
    cases: / -3$/,
    differs: "500 there, 400 code 3 here, with another sentence: a sign is no part of a number",
    reason: "numbers: decimal digits only; signs are 400",
    check: (reply) =>
      expectRefusal(reply, 400, 3, 'x-cosmos-block-height: strconv.ParseInt: parsing "-3": invalid syntax'),
  },
];

const cases = Object.keys(FILES).flatMap(recordedCases);
let door: Door;

beforeAll(async () => {
  door = await serveRecording();
});

afterAll(() => door.close());

test("no file and no case is left out", () => {
  const files = readdirSync(join(FIXTURES, "rest"));
  expect(files.sort()).toEqual(Object.keys(FILES).map((name) => `${name}.json`));
  for (const [name, count] of Object.entries(FILES)) expect([name, recordedCases(name).length]).toEqual([name, count]);
});

test("every case has at most one exception, and every exception has a case", () => {
  for (const recorded of cases) expect(exceptionsOf(recorded).length).toBeLessThan(2);
  const needed = new Set(cases.flatMap(exceptionsOf));
  expect(EXCEPTIONS.filter((row) => !needed.has(row))).toEqual([]);
});

describe("recorded answers", () => {
  for (const recorded of cases) {
    test(`${recorded.status} ${questionOf(recorded)}`, async () => {
      const reply = await door.get(recorded.path, recorded.headers);
      const [exception] = exceptionsOf(recorded);
      if (exception === undefined) return expectSame(reply, recorded);
      // An exception that is not needed any more must go.
      expect(() => expectSame(reply, recorded)).toThrow();
      exception.check(reply, recorded);
    });
  }
});

function exceptionsOf(recorded: RecordedCase): Exception[] {
  return EXCEPTIONS.filter((row) => row.cases.test(questionOf(recorded)));
}

function questionOf({ path, headers }: RecordedCase): string {
  const height = headers?.["x-cosmos-block-height"];
  return height === undefined ? path : `${path} ${height}`;
}

function expectSame(reply: Reply, recorded: RecordedCase): void {
  if (recorded.status !== 200) {
    const { code } = recorded.body as { code: number };
    expectRefusal(reply, recorded.status, code, sentenceOf(recorded));
    return;
  }
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(recorded.body);
  expect(reply.headers.get("x-cosmos-block-height")).toBe(recorded.grpc_height);
}

function expectRefusal(reply: Reply, status: number, code: number, sentence: string): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toEqual({ code, message: expect.stringContaining(sentence), details: [] });
}

/**
 * The reference's own sentence: without what its query transport wraps around an error, without `paginate: ` and
 * without the words with which its gateway names a path parameter, as our messages begin with the parameter's name.
 */
function sentenceOf({ body }: RecordedCase): string {
  const { message } = body as { message: string };
  return message
    .replace(/^rpc error: code = \w+ desc = /, "")
    .replace(/^paginate: /, "")
    .replace(/^type mismatch, parameter: height, error: /, "")
    .replace(/(: invalid height)?(: (invalid request|unknown request|key not found))?$/, "")
    .replace(/ at input byte \d+$/, "");
}

/** The names of all members, at every depth but those of lists. */
function membersOf(value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, membersOf(inner)]));
}

function recordedBody(file: string, name: string): JsonObject {
  return recordedCases(file).find((candidate) => candidate.name === name)!.body as JsonObject;
}
