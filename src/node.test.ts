// A node as a value: which homes it takes, which it refuses and leaves as they are, and what it serves beside another.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devGenesis } from "./chain/dev-genesis.ts";
import { createNode, type DevOptions, importGenesis, importRecording, type Node } from "./node.ts";

const FIXTURES = join(import.meta.dir, "..", "test", "fixtures");
const LOG = { debug() {}, info() {}, warn() {}, error() {} };
let folder: string;
let home: string;
const open: Node[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-node-"));
  home = join(folder, "home");
});
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Without blocks by the clock, unless they are asked for. */
async function dev(options: Partial<DevOptions> = {}): Promise<Node> {
  const node = await createNode({ mode: "dev", home, api: null, log: LOG, emptyBlocks: false, ...options });
  open.push(node);
  return node;
}

async function serve(): Promise<Node> {
  const node = await createNode({ mode: "serve", home, api: { host: "127.0.0.1", port: 0 }, log: LOG });
  open.push(node);
  return node;
}

/** Everything in the home but the lock and its holder. */
function contents(): Record<string, string> {
  const own = readdirSync(home).filter((name) => name !== "lock.db" && name !== "holder.json");
  return Object.fromEntries(own.map((name) => [name, readFileSync(join(home, name), "base64")]));
}

test("a new home begins with height 1, and goes on where it stopped", async () => {
  const first = await dev();
  expect(first.range()).toEqual({ chainId: "orrery-1", earliest: 1n, latest: 1n });
  expect(await first.produceBlock()).toBe(2n);
  await first.close();
  const second = await dev();
  expect(second.head()).toBe(2n);
  expect(await second.produceBlock()).toBe(3n);
  expect(second.samples?.accounts.length).toBe(10);
});

test("without empty blocks none follows the first one", async () => {
  const node = await dev({ blockTimeMs: 5 });
  await Bun.sleep(60);
  expect(node.head()).toBe(1n);
});

test("a second writer is refused, with reset too, and a reader is not", async () => {
  const writer = await dev();
  await expect(dev()).rejects.toThrow(`is in use by process ${process.pid} (dev) since`);
  await expect(dev({ reset: true })).rejects.toThrow("is in use by process");
  const reader = await serve();
  await writer.produceBlock();
  await Bun.sleep(120);
  const latest = await fetch(`${reader.url}/core/base/consensus/v1beta1/blocks/latest`);
  expect(latest.headers.get("x-cosmos-block-height")).toBe("2");
  await expect(reader.produceBlock()).rejects.toThrow("makes no blocks");
});

test("a home of another chain or genesis is refused and stays as it is", async () => {
  await (await dev({ chainId: "mine-1" })).close();
  const before = contents();
  await expect(dev({ chainId: "other-1" })).rejects.toThrow("holds the chain mine-1, not other-1");
  await expect(dev({ genesis: devGenesis({ chainId: "mine-1" }) })).rejects.toThrow("was made from another genesis");
  expect(contents()).toEqual(before);
  expect((await dev({ chainId: "mine-1" })).chainId).toBe("mine-1");
});

test("a genesis that is refused costs nothing, not even with reset", async () => {
  const bad = { ...devGenesis(), chain_id: "" };
  await expect(dev({ genesis: bad })).rejects.toThrow("chain_id");
  expect(existsSync(home)).toBe(false);
  await (await dev()).close();
  const before = contents();
  await expect(dev({ genesis: bad, reset: true })).rejects.toThrow("chain_id");
  await expect(importGenesis({ home, genesis: bad, reset: true })).rejects.toThrow("chain_id");
  expect(contents()).toEqual(before);
});

test("reset begins anew, and refuses a folder that was never a home", async () => {
  const first = await dev({ chainId: "first-1" });
  await first.produceBlock();
  await first.close();
  const second = await dev({ chainId: "second-1", reset: true });
  expect(second.range()).toEqual({ chainId: "second-1", earliest: 1n, latest: 1n });
  await second.close();

  home = join(folder, "photos");
  const notes = join(folder, "photos", "notes.txt");
  await Bun.write(notes, "mine");
  await expect(dev({ reset: true })).rejects.toThrow("holds other files and no chain");
  expect(readFileSync(notes, "utf8")).toBe("mine");
});

test("a chain whose keys are gone is not continued with new ones", async () => {
  await (await dev()).close();
  rmSync(join(home, "validators.json"));
  await expect(dev()).rejects.toThrow("validators.json is gone");
  expect(existsSync(join(home, "validators.json"))).toBe(false);
});

test("an imported genesis can be served, and continued", async () => {
  const imported = await importGenesis({ home, genesis: devGenesis({ chainId: "imported-1" }) });
  expect(imported).toEqual({ chainId: "imported-1", height: 1n });
  const served = await serve();
  expect(served.range()).toEqual({ chainId: "imported-1", earliest: 1n, latest: 1n });
  await expect(importGenesis({ home, genesis: devGenesis({ chainId: "imported-1" }) })).rejects.toThrow("already");
  expect(await (await dev()).produceBlock()).toBe(2n);
});

test("a recording serves its blocks of all heights and its state at the last, and is not continued", async () => {
  await importRecording({ home, recording: FIXTURES });
  const node = await serve();
  expect(node.range()).toEqual({ chainId: "reference-1", earliest: 66n, latest: 66n });
  for (const height of [1, 7, 65, 66]) {
    const answer = await fetch(`${node.url}/core/base/consensus/v1beta1/blocks?height=${height}`);
    const { block } = (await answer.json()) as { block: { header: { height: string } } };
    expect([answer.status, block.header.height]).toEqual([200, String(height)]);
  }
  expect((await fetch(`${node.url}/core/bank/v1beta1/supply`)).status).toBe(200);
  const older = await fetch(`${node.url}/core/bank/v1beta1/supply`, { headers: { "x-cosmos-block-height": "65" } });
  expect(older.status).toBe(410);
  await expect(dev()).rejects.toThrow("holds the recording of reference-1, which can be served, but not continued");
});

test("in memory, no home is touched", async () => {
  const node = await dev({ engine: "memory", validators: 3 });
  expect(await node.produceBlock()).toBe(2n);
  expect(existsSync(home)).toBe(false);
});

test("serving a home without a chain says what to do", async () => {
  await expect(serve()).rejects.toThrow(/no store|no chain/);
  expect(existsSync(home)).toBe(false);
});

test("why a chain has stopped is told when it stops", async () => {
  const fault = new Error("a fault of our own");
  let broken = false;
  const executeBlock: DevOptions["executeBlock"] = async () => {
    if (broken) throw fault;
    return { results: [], beginBlockEvents: [], endBlockEvents: [], validatorUpdates: [], paramUpdates: {} };
  };
  const node = await dev({ executeBlock });
  expect(node.failure()).toBeNull();
  broken = true;
  await expect(node.produceBlock([])).rejects.toThrow(fault.message);
  expect(await Promise.race([node.failed, Bun.sleep(1000)])).toBe(fault);
  expect(node.failure()).toBe(fault);
});
