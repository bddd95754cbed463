// Reads at an old height equal the answers that were given when it was the newest.

import { describe, expect, test } from "bun:test";
import { verifyChain } from "../src/sources/verify.ts";
import { useNativeHashing } from "../src/state/native-hash.ts";
import { blockQuestions, stateQuestions } from "./harness/asked-at-heights.ts";
import { directDoor } from "./harness/door.ts";
import { ENGINES, openStore } from "./harness/engines.ts";
import { executeRandomBlock, seededRandom } from "./harness/random-changes.ts";
import { richTxs } from "./harness/rich-block.ts";
import { openSolo } from "./harness/solo-chain.ts";

const HEIGHTS = 200n;
const LOOK_UP = /(?<=identity\/key\?)\w+=/;

useNativeHashing();

describe("answers at old heights", () => {
  for (const engine of ENGINES) {
    test(`of ${HEIGHTS} heights of random changes: ${engine}`, async () => {
      const { store, dispose } = openStore(engine);
      const solo = await openSolo(store, { validators: 2, execute: executeRandomBlock });
      const door = directDoor(store);
      const random = seededRandom(2026);
      const given: { height: bigint; path: string; status: number; text: string }[] = [];
      const statuses = new Map<number, number>();
      while (store.head()! < HEIGHTS) {
        const height = await solo.produceBlock(random(10) === 0 ? richTxs() : []);
        for (const path of [...stateQuestions(random), ...blockQuestions(height)]) {
          const { status, text, headers } = await door.get(path);
          if (status === 200) expect(headers.get("x-cosmos-block-height")).toBe(String(height));
          given.push({ height, path, status, text });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
      await solo.stop();
      // Both found and not found things were asked for, and nothing else happened.
      expect([...statuses.keys()].sort()).toEqual([200, 404]);
      expect(statuses.get(200)!).toBeGreaterThan(given.length / 2);
      const found = new Set(given.flatMap(({ path, status }) => (status === 200 ? [LOOK_UP.exec(path)?.[0]] : [])));
      for (const parameter of ["key_id=", "service_id=", "network_id=", "method_id=", "aka_id="])
        expect(found).toContain(parameter);

      const different: unknown[] = [];
      for (const { height, path, status, text } of given) {
        const again = await door.get(path, { "x-cosmos-block-height": String(height) });
        if (again.status !== status || again.text !== text)
          different.push({ height, path, before: text, now: again.text });
      }
      expect(different).toEqual([]);
      expect(door.faults).toEqual([]);
      expect(await Array.fromAsync(verifyChain("the test's store", store, () => {}))).toEqual([]);
      await dispose();
    }, 60_000);
  }
});
