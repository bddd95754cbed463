// The engines that the contract must hold on.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryStore } from "../../src/store/memory.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import type { Retention, Store } from "../../src/store/store.ts";

export type EngineName = "memory" | "sqlite";

/** A store of its own; `dispose` closes it and leaves nothing behind. */
export type OpenedStore = { readonly store: Store; dispose(): Promise<void> };

export const ENGINES: readonly EngineName[] = ["memory", "sqlite"];

export function openStore(engine: EngineName, keep: Retention = "all"): OpenedStore {
  if (engine === "memory") {
    const store = openMemoryStore({ keep });
    return { store, dispose: () => store.close() };
  }
  const folder = temporaryFolder();
  const store = openSqliteStore({ path: join(folder.path, "chain.db"), keep });
  return {
    store,
    async dispose() {
      await store.close();
      folder.remove();
    },
  };
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "orrery-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
