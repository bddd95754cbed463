// Every recorded answer of the reference node, asked of ours over HTTP under the ecosystem's spelling.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Door, type JsonObject, openDoor, type Reply } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { type RecordedCase, recordedCases } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";

const FILES = ["denoms_metadata", "supply", "balances", "spendable_balances", "accounts", "blocks", "txs_block"];

/** Routes beside the 18 operations, which come with the edge milestone: how many recorded cases each one has. */
const NEIGHBOURS: readonly { readonly route: RegExp; readonly cases: number }[] = [
  { route: /\/accounts\/[^/?]+$/, cases: 17 },
  { route: /\/auth\/v1beta1\/params$/, cases: 1 },
  { route: /\/auth\/v1beta1\/module_accounts$/, cases: 1 },
  { route: /\/supply\/by_denom\?/, cases: 4 },
  { route: /\/balances\/[^/?]+\/by_denom\?/, cases: 1 },
];

type Exception = {
  /** Which cases: tested on the path. */
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
    cases: /\/blocks\/-1$/,
    differs: "another sentence: a sign is no part of a number, so there is no height -1 to judge",
    reason: "numbers: decimal digits only; signs are 400",
    check: (reply) => expectRefusal(reply, 400, 3, 'height: strconv.ParseInt: parsing "-1": invalid syntax'),
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
];

const cases = FILES.flatMap(recordedCases);
const replayed = cases.filter(({ path }) => !NEIGHBOURS.some(({ route }) => route.test(path)));
const opened = openStore("sqlite");
let door: Door;

beforeAll(async () => {
  await loadRecording(opened.store);
  door = openDoor(opened.store);
});

afterAll(async () => {
  await door.close();
  await opened.dispose();
});

test("the neighbour routes are the known ones, and no case of the operations is left out", () => {
  for (const { route, cases: known } of NEIGHBOURS)
    expect(cases.filter(({ path }) => route.test(path)).length).toBe(known);
  expect(cases.length).toBe(247);
  expect(replayed.length).toBe(223);
});

test("every case has at most one exception, and every exception has a case", () => {
  for (const { path } of replayed) expect(EXCEPTIONS.filter((row) => row.cases.test(path)).length).toBeLessThan(2);
  for (const row of EXCEPTIONS) expect(replayed.some(({ path }) => row.cases.test(path))).toBeTrue();
});

describe("recorded answers", () => {
  for (const recorded of replayed) {
    test(`${recorded.status} ${recorded.path}`, async () => {
      const reply = await door.get(recorded.path, recorded.headers);
      const exception = EXCEPTIONS.find((row) => row.cases.test(recorded.path));
      if (exception === undefined) return expectSame(reply, recorded);
      // An exception that is not needed any more must go.
      expect(() => expectSame(reply, recorded)).toThrow();
      exception.check(reply, recorded);
    });
  }
});

function expectSame(reply: Reply, recorded: RecordedCase): void {
  if (recorded.status !== 200) {
    const { code } = recorded.body as { code: number };
    expectRefusal(reply, recorded.status, code, sentenceOf(recorded));
    return;
  }
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(recorded.body);
  expect(reply.headers.get("x-cosmos-block-height")).toBe("66");
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
    .replace(/(: invalid height)?: (invalid request|unknown request|key not found)$/, "")
    .replace(/ at input byte \d+$/, "");
}

function recordedBody(file: string, name: string): JsonObject {
  return recordedCases(file).find((candidate) => candidate.name === name)!.body as JsonObject;
}
