// A home: one holder at a time, keys that only their owner reads, and a reset that removes nothing of others.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HomeError, resetHome, writeHomeJson } from "./home.ts";
import { lockHome } from "./home-lock.ts";
import { loadOrCreateNodeId, loadOrCreateValidators } from "./validators.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "orrery-home-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("a second holder is told who holds the home", () => {
  const lock = lockHome(home, "dev");
  const since = new RegExp(`in use by process ${process.pid} \\(dev\\) since \\d{4}-\\d{2}-\\d{2}T`);
  expect(() => lockHome(home, "import")).toThrow(since);
  lock.release();
  lockHome(home, "import").release();
  expect(existsSync(join(home, "holder.json"))).toBe(false);
});

test("the lock of a killed process is free at once", async () => {
  const program = `
    const { lockHome } = await import(${JSON.stringify(join(import.meta.dir, "home-lock.ts"))});
    lockHome(process.argv[1], "dev");
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", program, home], { stdout: "pipe", stderr: "ignore" });
  try {
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toContain("held");
    expect(() => lockHome(home, "dev")).toThrow(new RegExp(`by process ${child.pid} \\(dev\\)`));
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  lockHome(home, "dev").release();
}, 20_000);

test("keys are made once, and only their owner can read them", () => {
  const made = loadOrCreateValidators(home, 4);
  expect(made.length).toBe(4);
  expect(loadOrCreateValidators(home)).toEqual(made);
  expect(loadOrCreateValidators(home, 4)).toEqual(made);
  expect(() => loadOrCreateValidators(home, 1)).toThrow(/holds a chain with 4 local validators, not 1/);
  expect(loadOrCreateNodeId(home)).toMatch(/^[0-9a-f]{40}$/);
  expect(loadOrCreateNodeId(home)).toBe(loadOrCreateNodeId(home));
  for (const file of ["validators.json", "node.json"]) expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
});

test("a damaged key file is refused with its name and place", () => {
  const made = loadOrCreateValidators(home, 2);
  const key = {
    type: "tendermint/PrivKeyEd25519",
    value: Buffer.concat([made[0]!.seed, made[1]!.seed]).toString("base64"),
  };
  writeHomeJson(home, "validators", [{ priv_key: key }]);
  expect(() => loadOrCreateValidators(home, 2)).toThrow(/validators\.json, key 1: the two halves do not fit/);
  writeFileSync(join(home, "validators.json"), "{");
  expect(() => loadOrCreateValidators(home, 2)).toThrow(HomeError);
});

test("a reset removes the node's files and nothing else", () => {
  const foreign = ["notes.txt", "chain.db.bak"];
  for (const file of ["chain.db", "chain.db-wal", "genesis.json", ...foreign]) writeFileSync(join(home, file), "x");
  loadOrCreateValidators(home, 1);
  resetHome(home);
  expect(readdirSync(home).sort()).toEqual(foreign.sort());
});

test("a folder that is no home is not reset", () => {
  for (const file of ["genesis.json", "notes.txt"]) writeFileSync(join(home, file), "x");
  expect(() => resetHome(home)).toThrow(/holds other files and no chain/);
  expect(readdirSync(home).length).toBe(2);
});
