// Damage on the disk, seen from outside: after any flipped byte in a stored record, an answer is the one that it was
// before or an error, never another answer. An absence that the counted lists deny is damage too.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bytes } from "../../src/codec/bytes.ts";
import { balanceKey } from "../../src/state/bank.ts";
import { documentKey } from "../../src/state/identity.ts";
import { SPACE } from "../../src/state/keys.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import type { Change } from "../../src/store/store.ts";
import { directDoor } from "../harness/door.ts";
import { temporaryFolder } from "../harness/engines.ts";
import { richBlock } from "../harness/rich-block.ts";
import { addressOf, addressText, BARE_DID, PEOPLE, RICH_DID, sampleChanges } from "../harness/sample-state.ts";
import { commitBlock } from "../harness/test-chain.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const LOOK_UP = "/vendor/project/identity/key";
const HEIGHTS = ["1", "2", "3"];
/** The newest one, and one that is read through the history. */
const HEIGHTS_ASKED = ["0", "1"];
const QUESTIONS: readonly string[] = [
  "/vendor/project/identity/did",
  "/vendor/project/identity/did?pagination.limit=1&pagination.reverse=true",
  "/vendor/project/identity/did?pagination.offset=1",
  ...[RICH_DID, BARE_DID, "did:orr:devnet:nobody"].map((did) => `/vendor/project/identity/did?did=${did}`),
  ...[
    `key_id=${RICH_DID}%23key`,
    `service_id=${RICH_DID}%23site`,
    "network_id=devnet",
    "method_id=orr",
    "aka_id=bare.orr",
  ].map((query) => `${LOOK_UP}?${query}`),
  ...[
    "",
    "?pagination.limit=2",
    "?pagination.reverse=true",
    "?pagination.offset=2",
    "?denom=uorr",
    "?denom=uplain",
  ].map((query) => `/core/bank/v1beta1/denoms_metadata${query}`),
  ...["", "?pagination.limit=2", "?pagination.reverse=true&pagination.limit=3", "?pagination.key=dWNyZWQ%3D"].map(
    (query) => `/core/bank/v1beta1/supply${query}`,
  ),
  ...["", "?pagination.limit=3", "?pagination.reverse=true&pagination.limit=2"].map(
    (query) => `/core/auth/v1beta1/accounts${query}`,
  ),
  ...PEOPLE.flatMap((person) => [
    `/core/bank/v1beta1/balances?address=${addressText(person)}`,
    `/core/bank/v1beta1/spendable_balances?address=${addressText(person)}&pagination.limit=2&pagination.count_total=1`,
  ]),
  ...HEIGHTS.flatMap((height) => [
    `/core/base/consensus/v1beta1/blocks?height=${height}`,
    `/core/tx/v1beta1/txs/block?height=${height}`,
  ]),
  "/core/base/consensus/v1beta1/blocks/latest",
  "/core/base/consensus/v1beta1/node_info",
];

type Answers = ReadonlyMap<string, { readonly status: number; readonly text: string }>;
type StoredRecord = { readonly table: "latest" | "history"; readonly key: Bytes; readonly value: Bytes | null };
type Findings = { readonly wrong: string[]; readonly wrongLookUps: string[]; readonly noticed: Set<string> };

const findings: Findings = { wrong: [], wrongLookUps: [], noticed: new Set() };

beforeAll(async () => {
  const path = join(folder.path, "chain.db");
  await fill(path);
  const before = new Map(
    await Promise.all(HEIGHTS_ASKED.map(async (height) => [height, await ask(path, height)] as const)),
  );
  for (const answers of before.values()) for (const { status } of answers.values()) expect(status).toBeLessThan(500);
  const pristine = readFileSync(path);
  for (const record of sampleOf(recordsIn(path))) {
    for (const [i, position] of flipsOf(pristine, record).entries()) {
      const height = HEIGHTS_ASKED[i % HEIGHTS_ASKED.length]!;
      const after = await askDamaged(pristine, position, height);
      compare(record, before.get(height)!, after);
    }
  }
}, 120_000);

test("a flipped byte in a record of any kind is an error or nothing, never a wrong answer", () => {
  expect(findings.wrong).toEqual([]);
});

test("the damage was in records that answers are made of", () => {
  const kinds = ["a01", "b00", "b01", "b02", "i44", "k62", "k6d", "n02", "n13", "n17"];
  expect([...findings.noticed]).toEqual(expect.arrayContaining(kinds.map((kind) => `latest ${kind}`)));
  expect([...findings.noticed].some((kind) => kind.startsWith("history"))).toBeTrue();
});

// An entry of the look-up index has no counted list to hold its absence against: the store itself must notice that a
// damaged key led the search astray.
test("nor is an answer of the five look-ups, when the damage is in their index", () => {
  expect(findings.wrongLookUps).toEqual([]);
});

function compare(record: StoredRecord, before: Answers, after: Answers | null): void {
  const kind = `${record.table} ${kindOf(record.key)}`;
  // A store that refuses to open answers nothing at all.
  if (after === null) findings.noticed.add(kind);
  for (const [question, { status, text }] of after ?? []) {
    if (text === before.get(question)!.text) continue;
    findings.noticed.add(kind);
    if (status === 500 && text === INTERNAL) continue;
    const isLookUp = record.key[0] === SPACE.index && question.startsWith(LOOK_UP);
    const finding = `${kind} ${record.key.toHex()}: ${question} ${status} ${text.slice(0, 200)}`;
    (isLookUp ? findings.wrongLookUps : findings.wrong).push(finding);
  }
}

const INTERNAL = JSON.stringify({ code: 13, message: "internal error", details: [] });

/** Three heights, so that there is history: records that were replaced, removed and added. */
async function fill(path: string): Promise<void> {
  const store = openSqliteStore({ path });
  const changes = await sampleChanges();
  await commitBlock(store, { changes });
  const replaced = changes
    .filter(([key]) => key[0] !== 0x62 || key[1] === 2)
    .map(([key, value]): Change => [key, value]);
  await commitBlock(store, { ...richBlock(), changes: replaced.filter((_, i) => i % 2 === 0) });
  await commitBlock(store, {
    changes: [
      [documentKey(BARE_DID), null],
      [balanceKey(addressOf("delayed"), "uplain"), null],
      [balanceKey(addressOf("locked"), "unew"), new TextEncoder().encode("7")],
    ],
  });
  await store.close();
}

async function askDamaged(pristine: Buffer, position: number, height: string): Promise<Answers | null> {
  const path = join(folder.path, "damaged.db");
  const damaged = Buffer.from(pristine);
  damaged[position]! ^= 1 << (position % 8);
  writeFileSync(path, damaged);
  try {
    return await ask(path, height);
  } catch {
    return null;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  }
}

async function ask(path: string, height: string): Promise<Answers> {
  const store = openSqliteStore({ path });
  const answers = new Map<string, { status: number; text: string }>();
  try {
    const door = directDoor(store);
    for (const question of QUESTIONS) {
      const { status, text } = await door.get(question, { "x-cosmos-block-height": height });
      answers.set(question, { status, text });
    }
  } finally {
    await store.close();
  }
  return answers;
}

function recordsIn(path: string): StoredRecord[] {
  const database = new Database(path, { readonly: true });
  const read = (table: StoredRecord["table"]) =>
    database
      .query<{ key: Bytes; value: Bytes | null }, []>(`SELECT key, value FROM ${table} ORDER BY key`)
      .all()
      .map(({ key, value }): StoredRecord => ({ table, key, value }));
  const records = [...read("latest"), ...read("history")];
  database.close();
  return records;
}

/** Commits, hashes, parameters, results and validators of blocks: no operation reads them. */
const UNREAD = new Set(["k63", "k68", "k70", "k72", "k76"]);

/** The first, the last and one between of each kind: the edges of a list are where a search can go astray. */
function sampleOf(records: readonly StoredRecord[]): StoredRecord[] {
  const read = records.filter(({ key }) => !UNREAD.has(kindOf(key)));
  const kinds = Map.groupBy(read, ({ table, key }) => table + kindOf(key));
  return [...kinds.values()].flatMap((kind) => [...new Set([kind[0]!, kind[kind.length >> 1]!, kind.at(-1)!])]);
}

/** The space, and what parts a space into lists and kinds: the byte behind it. */
function kindOf(key: Bytes): string {
  return `${String.fromCharCode(key[0]!)}${key.subarray(1, 2).toHex()}`;
}

/** Places in the file: at the begin, in the middle and at the end of the record's key and of its value. */
function flipsOf(file: Buffer, { key, value }: StoredRecord): number[] {
  const positions: number[] = [];
  for (let at = file.indexOf(key); at !== -1; at = file.indexOf(key, at + 1)) {
    const end = at + key.length;
    const start = value === null ? end : file.indexOf(value.subarray(0, 64), end);
    // Between key and value lie a few small numbers; anything else is another place where the key stands.
    if (start === -1 || start > end + 24) continue;
    positions.push(at, at + (key.length >> 1), end - 1, end + 1);
    if (value !== null && value.length > 0) positions.push(start + (Math.min(value.length, 64) >> 1));
  }
  return [...new Set(positions)];
}
