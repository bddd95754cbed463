// A node that keeps N heights keeps the blocks of those heights and no more: what it stores has a bound, what is gone is
// said to be gone, and what is left is whole.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Bytes, toHex } from "../src/codec/bytes.ts";
import { sha256 } from "../src/codec/hash.ts";
import { verifyChain, verifyHome } from "../src/sources/verify.ts";
import { firstBlockHeight } from "../src/state/block.ts";
import { SPACE, spaceKey } from "../src/state/keys.ts";
import { useNativeHashing } from "../src/state/native-hash.ts";
import { openSqliteStore } from "../src/store/sqlite.ts";
import type { Retention, Store } from "../src/store/store.ts";
import { person, sendTx, signerOf } from "./harness/dev-txs.ts";
import { directDoor, type JsonObject } from "./harness/door.ts";
import { ENGINES, openStore, temporaryFolder } from "./harness/engines.ts";
import { openRpcDoor } from "./harness/rpc-door.ts";
import { openSolo } from "./harness/solo-chain.ts";

const KEEP = 5n;
const HEIGHTS = 50n;

useNativeHashing();
const [alice, bob] = [person("alice"), person("bob")];

/** A send in every block up to a height. Gives the transaction of each. */
async function grow(store: Store, height: bigint): Promise<Map<bigint, Bytes>> {
  const solo = await openSolo(store);
  const txs = new Map<bigint, Bytes>();
  while (store.head()! < height) {
    const tx = sendTx(await signerOf(store.at(store.head()!), alice), bob, 1n);
    txs.set(await solo.produceBlock([tx]), tx);
  }
  await solo.stop();
  return txs;
}

const verify = (store: Store) => Array.fromAsync(verifyChain("the test's store", store, () => {}));
const hashOf = (tx: Bytes) => toHex(sha256(tx)).toUpperCase();

async function recordsIn(store: Store, space: Bytes): Promise<number> {
  const end = Uint8Array.of(space[0]! + 1);
  return (await store.at(store.head()!).range({ start: space, end, limit: 100_000 })).length;
}

describe.each(ENGINES)("%s, the newest 5 of 50 heights", (engine) => {
  const { store, dispose } = openStore(engine, Number(KEEP));
  const reference = openStore(engine);
  const first = HEIGHTS - KEEP + 1n;
  let txs: Map<bigint, Bytes>;
  beforeAll(async () => {
    txs = await grow(store, HEIGHTS);
    await grow(reference.store, HEIGHTS);
  });
  afterAll(() => Promise.all([dispose(), reference.dispose()]));

  test("hold the records of 5 blocks, and of the index what belongs to them", async () => {
    expect(await firstBlockHeight(store.at(HEIGHTS))).toBe(first);
    const [blocks, index] = [spaceKey(SPACE.block), spaceKey(SPACE.tx)];
    expect(await recordsIn(store, blocks)).toBe(((await recordsIn(reference.store, blocks)) / 50) * 5);
    // Every block of the reference but the first one has a transaction and its events.
    const all = await recordsIn(reference.store, index);
    expect(await recordsIn(store, index)).toBeLessThan((all / 50) * 6);
    expect(await recordsIn(store, index)).toBeGreaterThan((all / 50) * 4);
  });

  test("a block below them is gone, over HTTP and RPC, with the range in words and headers", async () => {
    const door = directDoor(store);
    for (const path of ["/core/base/consensus/v1beta1/blocks?height=", "/core/tx/v1beta1/txs/block?height="]) {
      const { status, headers, body } = await door.get(`${path}${first - 1n}`);
      expect([status, (body as JsonObject).code]).toEqual([410, 11]);
      expect((body as JsonObject).message).toContain(`${first} to ${HEIGHTS}`);
      expect([headers.get("x-earliest-height"), headers.get("x-latest-height")]).toEqual([`${first}`, `${HEIGHTS}`]);
      expect((await door.get(`${path}${first}`)).status).toBe(200);
    }
    const rpc = openRpcDoor(store);
    await expect(rpc.call("block", { height: `${first - 1n}` })).rejects.toThrow(`lowest height is ${first}`);
    const { sync_info } = (await rpc.call("status")) as { sync_info: JsonObject };
    expect(sync_info.earliest_block_height).toBe(`${first}`);
    expect([door.faults, rpc.faults]).toEqual([[], []]);
  });

  test("transactions are found by hash and by search exactly where their blocks are kept", async () => {
    const rpc = openRpcDoor(store);
    for (const [height, tx] of txs) {
      const found = rpc.call("tx", { hash: Buffer.from(sha256(tx)).toString("base64") });
      if (height < first) await expect(found).rejects.toThrow("not found");
      else expect(await found).toMatchObject({ height: `${height}`, hash: hashOf(tx) });
    }
    const kept = [...txs].filter(([height]) => height >= first).map(([, tx]) => hashOf(tx));
    for (const query of ["tx.height > 0", `transfer.sender = '${alice.address}'`, "message.action EXISTS"]) {
      const answer = (await rpc.call("tx_search", { query, per_page: "100" })) as { txs: { hash: string }[] };
      expect({ query, found: answer.txs.map(({ hash }) => hash) }).toEqual({ query, found: kept });
    }
    const blocks = await rpc.call("block_search", { query: "block.height > 0", per_page: "100" });
    expect(blocks).toMatchObject({ total_count: `${KEEP}` });
    expect(rpc.faults).toEqual([]);
  });

  test("verify is content, and is not when a block of the range is missing", async () => {
    expect(await verify(store)).toEqual([]);
    const hidden = withoutBlock(store, first);
    expect(await verify(hidden)).toContainEqual(`block ${first} is not stored`);
  });
});

test("a transaction that a later block holds too stays findable when the earlier one goes", async () => {
  const { store, dispose } = openStore("memory", 3);
  const solo = await openSolo(store);
  // Its sequence is not the account's: it fails before it costs anything, and may be sent again.
  const signer = await signerOf(store.at(store.head()!), alice);
  const tx = sendTx({ ...signer, sequence: 7n }, bob, 1n);
  await solo.produceBlock([tx]);
  const again = await solo.produceBlock([tx]);
  await solo.produceBlock([]);
  await solo.produceBlock([]);
  const rpc = openRpcDoor(store);
  const hash = Buffer.from(sha256(tx)).toString("base64");
  expect(await firstBlockHeight(store.at(store.head()!))).toBe(again);
  expect(await rpc.call("tx", { hash })).toMatchObject({ height: `${again}` });
  await solo.produceBlock([]);
  await expect(rpc.call("tx", { hash })).rejects.toThrow("not found");
  await dispose();
});

test("a file does not grow any more once the range is full, over restarts", async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "chain.db");
  const rows: number[] = [];
  for (let height = 20n; height <= 100n; height += 20n) {
    const store = openSqliteStore({ path, keep: Number(KEEP) });
    await grow(store, height);
    await store.close();
    rows.push(rowsOf(path));
    expect(await verifyHome({ home: folder.path })).toEqual([]);
  }
  // The state itself grows by a few records; those of 20 blocks and their transactions would be some hundreds.
  expect(rows.at(-1)! - rows[0]!).toBeLessThan(40);
  folder.remove();
}, 60_000);

test.each([1, 2] as const)("a chain that keeps %d can be taken up again, and verified", async (keep) => {
  const folder = temporaryFolder();
  for (let height = 3n; height <= 9n; height += 2n) {
    const store = openSqliteStore({ path: join(folder.path, "chain.db"), keep });
    await grow(store, height);
    expect(await firstBlockHeight(store.at(height))).toBe(height - 1n);
    await store.close();
    expect(await verifyHome({ home: folder.path })).toEqual([]);
  }
  folder.remove();
});

test("a chain that shall keep less is shortened step by step", async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "chain.db");
  const firstAfter = async (keep: Retention, height: bigint) => {
    const store = openSqliteStore({ path, keep });
    await grow(store, height);
    const found = await firstBlockHeight(store.at(height));
    await store.close();
    expect(await verifyHome({ home: folder.path })).toEqual([]);
    return found;
  };
  expect(await firstAfter("all", 48n)).toBe(1n);
  expect(await firstAfter(5, 49n)).toBe(21n);
  expect(await firstAfter(5, 50n)).toBe(41n);
  expect(await firstAfter(5, 51n)).toBe(47n);
  expect(await firstAfter("all", 53n)).toBe(47n);
  folder.remove();
}, 60_000);

function rowsOf(path: string): number {
  const database = new Database(path, { readonly: true });
  const count = "SELECT (SELECT count(*) FROM latest) + (SELECT count(*) FROM history) AS rows";
  const { rows } = database.query<{ rows: number }, []>(count).get()!;
  database.close();
  return rows;
}

/** The same store, as if the block had never been there. */
function withoutBlock(store: Store, height: bigint): Store {
  const hidden = (key: Bytes) => key[0] === SPACE.block && toHex(key).endsWith(height.toString(16).padStart(16, "0"));
  return {
    keep: store.keep,
    head: () => store.head(),
    earliest: () => store.earliest(),
    commit: (at, changes) => store.commit(at, changes),
    close: () => store.close(),
    at: (at) => {
      const view = store.at(at);
      return {
        height: at,
        newest: view.newest,
        get: async (key) => (hidden(key) ? null : view.get(key)),
        getMany: (keys) => view.getMany(keys),
        range: async (request) =>
          (await view.range({ ...request, limit: request.limit + 1 }))
            .filter(([key]) => !hidden(key))
            .slice(0, request.limit),
        close: () => view.close(),
      };
    },
  };
}
