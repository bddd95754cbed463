import { expect, test } from "bun:test";
import { headerOf } from "../../test/harness/test-chain.ts";
import { announcementsOf } from "./announcements.ts";

const block = { header: headerOf(7n), data: { txs: [] }, evidence: [], lastCommit: null };

const announced = (count: number) => {
  const attributes = Array.from({ length: count }, (_, i) => ({ key: "number", value: String(i), index: true }));
  const beginBlockEvents = [
    { type: "many", attributes },
    { type: "", attributes: [{ key: "nameless", value: "1", index: true }] },
  ];
  const nothing = { results: [], endBlockEvents: [], validatorUpdates: [], paramUpdates: {} };
  return announcementsOf({ block, results: { ...nothing, beginBlockEvents } })[0]!.events;
};

test("the values of an attribute, in their order", () => {
  expect(announced(3)).toEqual({ "many.number": ["0", "1", "2"], "tm.event": ["NewBlock"] });
});

test("many values of one attribute cost as much each as few do", () => {
  const begin = performance.now();
  expect(announced(30_000)["many.number"]).toHaveLength(30_000);
  expect(performance.now() - begin).toBeLessThan(3000);
});
