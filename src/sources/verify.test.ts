// Each check of verify fails for the damage it is there for, and none of them for a healthy chain.

import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { executeRandomBlock } from "../../test/harness/random-changes.ts";
import { openSolo } from "../../test/harness/solo-chain.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import { BlockResultsSchema } from "../gen/orrery/state/v1/state_pb.ts";
import { accounts, baseOf, decodeAccount, encodeAccount } from "../state/account.ts";
import { supply } from "../state/bank.ts";
import { documents } from "../state/identity.ts";
import { be64, SPACE, spaceKey } from "../state/keys.ts";
import { useNativeHashing } from "../state/native-hash.ts";
import { prefixEnd } from "../store/key-range.ts";
import { openMemoryStore } from "../store/memory.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { Change, Entry, Reader, Store } from "../store/store.ts";
import { verifyChain, verifyHome } from "./verify.ts";

const HEAD = 40n;
useNativeHashing();

/** All records of a healthy chain, to be stored again with one thing changed. */
let records: Entry[];
beforeAll(async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store, { validators: 2, execute: executeRandomBlock });
  while (store.head()! < HEAD) await solo.produceBlock();
  records = await entriesOf(store.at(HEAD), Uint8Array.of(0), Uint8Array.of(0xff));
});

type Damage = (reader: Reader) => Promise<Change[]>;

const block = (part: string, height: bigint) => spaceKey(SPACE.block, utf8Encode(part), be64(height));
const flipped = (bytes: Bytes, at: number): Bytes => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)) as Bytes;

/** Removes the nth record below a prefix. */
const drop =
  (prefix: Bytes, n = 0): Damage =>
  async (reader) => [[(await below(reader, prefix))[n]![0], null]];

const flip =
  (prefix: Bytes, at: (value: Bytes) => number, n = 0): Damage =>
  async (reader) => {
    const [key, value] = (await below(reader, prefix))[n]!;
    return [[key, flipped(value, at(value))]];
  };

const last = (value: Bytes) => value.length - 1;
const bank = (kind: number) => spaceKey(SPACE.bank, Uint8Array.of(kind));
const index = (kind: number) => spaceKey(SPACE.index, Uint8Array.of(kind));

const CASES: [name: string, damage: Damage, sentence: RegExp][] = [
  ["a block", flip(block("b", 20n), last), /block 20: /],
  ["a missing block", drop(block("b", 20n)), /block 20 is not stored/],
  ["a commit's signature", flip(block("c", 20n), last), /block 20: signature 1 .* is wrong/],
  ["a block's id", flip(block("m", 20n), () => 6), /block 20: its bytes make the id/],
  ["a validator set", flip(block("v", 20n), last), /block 20: /],
  ["a result that no transaction has", addResult, /block 20: 1 results for 0 transactions/],
  ["a block's hash", drop(spaceKey(SPACE.block, utf8Encode("h"))), /its hash [0-9a-f]{64} leads to nothing/],
  ["an account that is not counted", drop(accounts.prefix), /list 6101: \d+ entries, but \d+ are counted/],
  ["a document that is gone", drop(documents.prefix), /the index has an entry for .* that no document claims/],
  ["a counted list", drop(spaceKey(SPACE.count)), /(entries, but 0 are counted|counted list: )/],
  ["a balance", flip(bank(0x02), last, 3), /the supply of \S+ is \d+, its balances are \d+/],
  ["a supply", flip(supply.prefix, last), /the supply of \S+ is \d+, its balances are \d+/],
  ["a holder's entry", drop(bank(0x03)), /but is not among its holders/],
  ["an account number", drop(spaceKey(SPACE.acc, utf8Encode("accountNumber"))), /account number \d+ does not lead to/],
  ["two accounts of one number", shareNumber, /both have account number/],
  ["an index entry", drop(index(1)), /the index lacks an entry for/],
  ["another index entry", flip(index(5), last), /the index has .* in the place of/],
  ["the claims of a document", drop(index(0)), /is not among the claims of its document/],
  ["a value under the tree", flip(bank(0x01), last), /the tree has another value of/],
  ["a tree node", flip(spaceKey(SPACE.tree), last), /(does not have its hash|tree: )/],
  ["a missing tree node", drop(spaceKey(SPACE.tree), 5), /tree: no node/],
  ["a tree node too many", addNode, /tree nodes are stored, the tree has/],
  ["the roots of the stores", flip(spaceKey(SPACE.meta, utf8Encode("roots")), last), /the app hash is not the root/],
];

describe("damage is found", () => {
  test("none in a healthy chain", async () => expect(await findings([])).toEqual([]));

  for (const [name, damage, sentence] of CASES) {
    test(name, async () => {
      const found = await findings(await damage((await stored([])).at(HEAD)));
      expect(found.some((finding) => sentence.test(finding)) ? [] : found).toEqual([]);
      expect(found.length).toBeGreaterThan(0);
    });
  }
});

test("a state that its next header does not vouch for is found, though it is sound in itself", async () => {
  const store = openMemoryStore();
  const solo = await openSolo(store, { execute: executeRandomBlock });
  for (let i = 0; i < 5; i++) await solo.produceBlock();
  // The roots of height 3 in the place of those of height 5: a sound record, but not the one of that height.
  const roots = spaceKey(SPACE.meta, utf8Encode("roots")).toHex();
  const forged: Store = {
    ...bound(store),
    at(height) {
      const view = store.at(height);
      const get = (key: Bytes) => (height === 5n && key.toHex() === roots ? store.at(3n).get(key) : view.get(key));
      return { ...boundReader(view), get, height, newest: view.newest, close: () => view.close() };
    },
  };
  expect(await Array.fromAsync(verifyChain("test", forged, () => {}))).toContainEqual(
    expect.stringMatching(/block 6: app_hash [0-9a-f]{64}, expected [0-9a-f]{64}/),
  );
});

test("a flipped byte in the file is found by its checksum", async () => {
  const home = mkdtempSync(join(tmpdir(), "orrery-verify-"));
  try {
    const path = join(home, "chain.db");
    const store = openSqliteStore({ path });
    const solo = await openSolo(store, { execute: executeRandomBlock });
    for (let i = 0; i < 10; i++) await solo.produceBlock();
    await store.close();
    expect(await verifyHome({ home })).toEqual([]);
    const database = new Database(path);
    // A value that only old heights can see: no read of the newest one would come upon it.
    const victim = "SELECT key, height, value FROM history WHERE length(value) > 4 ORDER BY key LIMIT 1";
    const row = database.query<{ key: Bytes; height: number; value: Bytes }, []>(victim).get()!;
    const damaged = flipped(row.value, 3);
    database.query("UPDATE history SET value = ? WHERE key = ? AND height = ?").run(damaged, row.key, row.height);
    database.close();
    const found = await verifyHome({ home });
    expect(found).toContainEqual(expect.stringContaining("its checksum does not match"));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

async function addResult(): Promise<Change[]> {
  const results = create(BlockResultsSchema, { txResults: [new Uint8Array(0)] });
  return [[block("r", 20n), toBinary(BlockResultsSchema, results) as Bytes]];
}

async function shareNumber(reader: Reader): Promise<Change[]> {
  const [first, second] = await below(reader, accounts.prefix);
  const account = decodeAccount(second![1]);
  baseOf(account).accountNumber = baseOf(decodeAccount(first![1])).accountNumber;
  return [[second![0], encodeAccount(account)]];
}

async function addNode(reader: Reader): Promise<Change[]> {
  const [key, value] = (await below(reader, spaceKey(SPACE.tree)))[0]!;
  return [[flipped(key, key.length - 5), value]];
}

/** The whole chain as one commit at its last height, as a recording is stored, but with own app hashes. */
async function stored(changes: readonly Change[]): Promise<Store> {
  const store = openMemoryStore();
  await store.commit(HEAD, [...records, ...changes]);
  return store;
}

async function findings(changes: readonly Change[]): Promise<string[]> {
  const store = await stored(changes);
  return await Array.fromAsync(verifyChain("test", store, () => {}));
}

function below(reader: Reader, prefix: Bytes): Promise<Entry[]> {
  return entriesOf(reader, prefix, prefixEnd(prefix));
}

function entriesOf(reader: Reader, start: Bytes, end: Bytes): Promise<Entry[]> {
  return reader.range({ start, end, limit: 1_000_000 });
}

function boundReader(reader: Reader): Reader {
  return {
    get: (key) => reader.get(key),
    getMany: (keys) => reader.getMany(keys),
    range: (request) => reader.range(request),
  };
}

function bound(store: Store): Store {
  return {
    head: () => store.head(),
    keep: store.keep,
    earliest: () => store.earliest(),
    at: (height) => store.at(height),
    commit: (height, changes) => store.commit(height, changes),
    close: () => store.close(),
  };
}
