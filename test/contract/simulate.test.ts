// Every recorded simulation of the reference node, asked of ours over HTTP on the recorded state: gas to the unit,
// results and events equal; failures with our status and the reference's sentence.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Door, Json, JsonObject, Reply } from "../harness/door.ts";
import { readFixture } from "../harness/fixtures.ts";
import { serveRecording } from "../harness/served-recording.ts";

type Recorded = {
  readonly name: string;
  readonly tx_bytes?: string;
  readonly body?: Json;
  readonly status: number;
  readonly answer: JsonObject;
};

type Exception = {
  readonly name: string;
  readonly differs: string;
  readonly reason: string;
  check(reply: Reply): void;
};

/** The only differences but the status of failures, which design.md decides for all of them: 400. */
const EXCEPTIONS: readonly Exception[] = [
  {
    name: "multisig, empty signature",
    differs: "a sentence there is none of; the reference panics with an index out of range",
    reason: "a caller's mistake is answered, never panicked about (fixtures/README.md)",
    check(reply) {
      expect(reply.status).toBe(400);
      expect((reply.body as JsonObject).message).toStartWith("the multisignature holds 0 signatures for 2 mode infos");
    },
  },
];

const CASES = readFixture<Recorded[]>("simulate.json");
const SUCCESSES = CASES.filter(({ status }) => status === 200);
const FAILURES = CASES.filter(({ status, name }) => status !== 200 && !EXCEPTIONS.some((row) => row.name === name));

const ECOSYSTEM = "/cosmos/tx/v1beta1/simulate";
const PRIMARY = "/core/tx/v1beta1/simulate";

let door: Door;

beforeAll(async () => {
  door = await serveRecording();
});

afterAll(() => door.close());

const post = (path: string, body: Json) => {
  return door.send(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
};

const bodyOf = ({ tx_bytes, body }: Recorded): Json => body ?? { tx_bytes: tx_bytes as string };

describe("the recorded simulations", () => {
  test("there are 62, and the table of exceptions has a case for each row", () => {
    expect([CASES.length, SUCCESSES.length, FAILURES.length]).toEqual([62, 29, 32]);
    for (const { name } of EXCEPTIONS) expect(CASES.map((recorded) => recorded.name)).toContain(name);
  });

  test.each(SUCCESSES)("succeeds: $name", async (recorded) => {
    const reply = await post(ECOSYSTEM, bodyOf(recorded));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(recorded.answer);
    expect(reply.headers.get("x-cosmos-block-height")).toBe("66");
  });

  test.each(SUCCESSES)("succeeds on the primary path: $name", async ({ tx_bytes, answer }) => {
    const reply = await post(PRIMARY, { tx: "", tx_bytes: tx_bytes as string });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(answer);
  });

  test.each(FAILURES)("$name", async (recorded) => {
    const reply = await post(ECOSYSTEM, bodyOf(recorded));
    const { sentence, gas } = expected(recorded);
    const { code, message, details } = reply.body as JsonObject;
    expect([reply.status, code]).toEqual([400, 3]);
    if (recorded.body !== undefined || recorded.tx_bytes === "") {
      // Refused before it was a transaction: the message begins with the member at fault.
      expect(message).toBe(`tx_bytes: ${sentence}`);
      expect(details).toEqual([]);
      return;
    }
    const [detail] = details as JsonObject[];
    expect(detail?.["@type"]).toBe("/orrery.tx.v1.SimulationFailure");
    expect(message).toBe(
      gas === null ? sentence : `${sentence} With gas wanted: '${gas[0]}' and gas used: '${gas[1]}' `,
    );
    expect([detail?.gas_wanted, detail?.gas_used]).toEqual(gas ?? ["0", "0"]);
  });

  test.each(EXCEPTIONS)("exception: $name: $differs", async ({ name, check }) => {
    check(await post(ECOSYSTEM, bodyOf(CASES.find((recorded) => recorded.name === name)!)));
  });

  test("none of them was our fault, and none changed anything", async () => {
    expect(door.faults).toEqual([]);
    const again = await post(ECOSYSTEM, bodyOf(SUCCESSES[0]!));
    expect(again.body).toEqual(SUCCESSES[0]!.answer);
  });
});

/** The sentence inside the recorded wrapper, and the gas figures where they mean something. */
function expected({ answer }: Recorded): { sentence: string; gas: [string, string] | null } {
  const text = (answer.message as string)
    .replace(/^rpc error: code = \w+ desc = /, "")
    .replace(/: (unknown|invalid) request$/, "");
  const figures = / With gas wanted: '(\d+)' and gas used: '(\d+)' $/.exec(text);
  if (figures === null) return { sentence: text, gas: null };
  // A failure before the first step reports gas wanted 0, and a meter that requests share: noise.
  const gas: [string, string] | null = figures[1] === "0" ? null : [figures[1]!, figures[2]!];
  return { sentence: text.slice(0, figures.index), gas };
}
