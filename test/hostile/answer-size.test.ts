// Pages whose entries are large: an answer that would be too large ends earlier, and a walk still meets every entry once.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Bytes } from "../../src/codec/bytes.ts";
import { MetadataSchema } from "../../src/gen/cosmos/bank/v1beta1/bank_pb.ts";
import type { Limits } from "../../src/http/limits.ts";
import { type Door, directDoor, type JsonObject, NODE } from "../harness/door.ts";
import { ENGINES, openStore } from "../harness/engines.ts";
import { STATE_LISTS, type StateList } from "../harness/lists.ts";
import { commitBlock } from "../harness/test-chain.ts";

const MIB = 1024 * 1024;
const ITEMS = 400;
const TOKENS = STATE_LISTS.find(({ operation }) => operation === "listTokens") as StateList;

type Walked = { readonly names: string[]; readonly sizes: number[]; readonly counts: number[] };

async function walk(door: Door, list: StateList, query: string, headers = {}): Promise<Walked> {
  const walked: Walked = { names: [], sizes: [], counts: [] };
  let key: string | null = "";
  while (key !== null) {
    const next: string = key === "" ? "" : `&pagination.key=${encodeURIComponent(key)}`;
    const { status, text, body } = await door.get(`${list.path}${query}${next}`, headers);
    expect(status).toBe(200);
    const items = (body as JsonObject)[list.field] as JsonObject[];
    walked.names.push(...items.map((item) => list.nameOf(item)));
    walked.sizes.push(text.length);
    walked.counts.push(items.length);
    key = ((body as JsonObject).pagination as JsonObject).next_key as string | null;
  }
  return walked;
}

/** A token of about so many bytes. */
function largeToken(n: number, bytes: number): { readonly key: Bytes; readonly value: Bytes; readonly name: string } {
  const { key, name } = TOKENS.item(n);
  const metadata = create(MetadataSchema, { base: name, display: name, description: "x".repeat(bytes) });
  return { key, name, value: toBinary(MetadataSchema, metadata) as Bytes };
}

for (const engine of ENGINES) {
  describe(`a small bound on ${engine}`, () => {
    const opened = openStore(engine);
    const limits: Partial<Limits> = { maxAnswer: 4000 };
    let door: Door;
    beforeAll(async () => {
      door = directDoor(opened.store, NODE, limits);
      const items = STATE_LISTS.flatMap((list) => Array.from({ length: ITEMS }, (_, n) => list.item(n)));
      await commitBlock(opened.store, { changes: items.map(({ key, value }) => [key, value] as const) });
      await commitBlock(opened.store, { changes: items.slice(0, 9).map(({ key }) => [key, null] as const) });
    });
    afterAll(() => opened.dispose());

    for (const list of STATE_LISTS) {
      test(`${list.operation}: no page above it, and every entry once`, async () => {
        const all = Array.from({ length: ITEMS }, (_, n) => list.item(n).name).sort();
        for (const query of ["pagination.limit=1000", "pagination.limit=150&pagination.reverse=true"]) {
          const { names, sizes, counts } = await walk(door, list, query, { "x-cosmos-block-height": "1" });
          expect(Math.max(...sizes)).toBeLessThanOrEqual(4000);
          expect(Math.min(...counts)).toBeGreaterThan(0);
          expect(names.toSorted()).toEqual(all);
        }
      });
    }

    test("a request without a limit still counts the total", async () => {
      const { body, text } = await door.get(`${TOKENS.path}height=1`);
      expect(text.length).toBeLessThanOrEqual(4000);
      expect(((body as JsonObject).pagination as JsonObject).total).toBe(String(ITEMS));
    });

    test("one entry is given whatever its size", async () => {
      const narrow = directDoor(opened.store, NODE, { maxAnswer: 10 });
      const { body } = await narrow.get(`${TOKENS.path}pagination.limit=50`);
      expect((body as JsonObject)[TOKENS.field] as JsonObject[]).toHaveLength(1);
    });
  });

  test(`8 MiB by default on ${engine}, with records of all sizes`, async () => {
    const { store, dispose } = openStore(engine);
    // Small ones first: the size of what is still to come cannot be told from them.
    const tokens = Array.from({ length: 500 }, (_, n) => largeToken(n, n < 200 ? 10 : 64 * 1024));
    await commitBlock(store, { changes: tokens.map(({ key, value }) => [key, value] as const) });
    const { names, sizes, counts } = await walk(directDoor(store), TOKENS, "pagination.limit=1000");
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8 * MIB);
    expect(names.toSorted()).toEqual(tokens.map(({ name }) => name).sort());
    expect(Math.max(...counts)).toBeGreaterThan(100);
    await dispose();
  }, 60_000);
}

test("answers that are shortened at the same time do not meet", async () => {
  const opened = openStore("memory");
  const tokens = Array.from({ length: 700 }, (_, n) => largeToken(n, n < 600 ? 10 : 120_000));
  await commitBlock(opened.store, { changes: tokens.map(({ key, value }) => [key, value] as const) });
  const door = directDoor(opened.store);
  const paths = Array.from({ length: 4 }, (_, n) => `${TOKENS.path}pagination.limit=1000&pagination.offset=${n}`);
  const together = await Promise.all(paths.map((path) => door.get(path)));
  const firsts = together.map(({ body }) => ((body as JsonObject)[TOKENS.field] as JsonObject[])[0] as JsonObject);
  const names = tokens.map(({ name }) => name).sort();
  expect(firsts.map((item) => TOKENS.nameOf(item))).toEqual(names.slice(0, 4));
  for (const [i, path] of paths.entries())
    expect((await door.get(path)).text).toBe((together[i] as { text: string }).text);
  await opened.dispose();
});
