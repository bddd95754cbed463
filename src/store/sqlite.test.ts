import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "./sqlite.ts";
import { describeStore } from "./store.suite.ts";
import type { Store } from "./store.ts";

const directory = mkdtempSync(join(tmpdir(), "orrery-store-"));
afterAll(() => rmSync(directory, { recursive: true }));

const paths = new Map<Store, string>();
let opened = 0;

describeStore("sqlite", {
  runs: 40,
  async open(keep) {
    const path = join(directory, `${opened++}.db`);
    const store = openSqliteStore({ path, keep });
    paths.set(store, path);
    return store;
  },
  async reopen(store, keep) {
    await store.close();
    return openSqliteStore({ path: paths.get(store)!, keep });
  },
});
