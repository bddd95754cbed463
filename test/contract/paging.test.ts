// Paging as a property: whatever the page size, direction and way of going on, a walk at one height gives each item of
// that height once and in order, while newer heights change the list. And what cannot be walked is refused, never empty.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareBytes } from "../../src/codec/bytes.ts";
import type { Change } from "../../src/store/store.ts";
import { type Door, directDoor, type JsonObject, type Reply } from "../harness/door.ts";
import { ENGINES, type OpenedStore, openStore } from "../harness/engines.ts";
import { STATE_LISTS, type StateList } from "../harness/lists.ts";
import { commitBlock } from "../harness/test-chain.ts";

const POOL = 40;
const RUNS = 25;

type Page = { readonly names: string[]; readonly nextKey: string | null; readonly total: string };

/** How a walk asks: by the key of the page before or by offset, and how many items it takes at each step. */
const walks = fc.record({
  start: fc.uniqueArray(fc.nat(POOL - 1), { maxLength: POOL }),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  reverse: fc.boolean(),
  byKey: fc.boolean(),
  later: fc.array(fc.record({ n: fc.nat(POOL - 1), put: fc.boolean() }), { minLength: 1, maxLength: 30 }),
});

for (const engine of ENGINES) {
  describe(`pages on ${engine}`, () => {
    for (const list of STATE_LISTS) {
      test(`${list.operation}: each item once and in order at a pinned height`, async () => {
        await fc.assert(
          fc.asyncProperty(walks, async ({ start, sizes, reverse, byKey, later }) => {
            const opened = openStore(engine);
            const door = directDoor(opened.store);
            const expected = await commitItems(opened, list, start);
            if (reverse) expected.reverse();
            const found: string[] = [];
            let key: string | null = null;
            for (let step = 0; step === 0 || (byKey ? key !== null : found.length < expected.length); step++) {
              const limit = sizes[step % sizes.length]!;
              const where: Record<string, string> =
                byKey && key !== null ? { key } : { offset: String(found.length), count_total: "true" };
              const page = await readPage(
                door,
                list,
                { ...where, limit: String(limit), reverse: String(reverse) },
                "1",
              );
              expect(page.names.length).toBe(Math.min(limit, expected.length - found.length));
              expect(page.total).toBe("key" in where ? "0" : String(expected.length));
              found.push(...page.names);
              key = page.nextKey;
              expect(key === null).toBe(found.length === expected.length);
              const { n, put } = later[step % later.length]!;
              const { key: item, value } = list.item(n);
              await commitBlock(opened.store, { changes: [[item, put ? value : null]] });
            }
            expect(found).toEqual(expected);
            await opened.dispose();
          }),
          { numRuns: RUNS },
        );
      }, 30_000);
    }
  });

  describe(`the edges of pages on ${engine}`, () => {
    const LARGE = 1205;
    const opened = openStore(engine);
    const door: Door = directDoor(opened.store);
    const expected = new Map<StateList, string[]>();

    beforeAll(async () => {
      const everything = Array.from({ length: LARGE }, (_, n) => n);
      // Balances and spendable balances are one list in the store.
      const changes = STATE_LISTS.flatMap((list) => changesOf(list, everything));
      for (const list of STATE_LISTS) expected.set(list, namesOf(list, everything));
      await commitBlock(opened.store, { changes });
    });
    afterAll(() => opened.dispose());

    for (const list of STATE_LISTS) {
      test(`${list.operation}: a limit above 1,000 is cut, and the walk goes on behind it`, async () => {
        for (const reverse of ["false", "true"]) {
          const names = reverse === "true" ? expected.get(list)!.toReversed() : expected.get(list)!;
          for (const limit of ["1001", "18446744073709551615"]) {
            const first = await readPage(door, list, { limit, reverse, count_total: "true" });
            expect(first.names).toEqual(names.slice(0, 1000));
            expect(first.total).toBe(String(LARGE));
            const second = await readPage(door, list, { limit, reverse, key: first.nextKey! });
            expect(second).toEqual({ names: names.slice(1000), nextKey: null, total: "0" });
          }
        }
      });

      test(`${list.operation}: no limit, an empty one and 0 mean 100 items and a total`, async () => {
        for (const query of [{}, { limit: "" }, { limit: "0" }, { limit: "0", count_total: "false" }]) {
          const page = await readPage(door, list, query);
          expect(page.names).toEqual(expected.get(list)!.slice(0, 100));
          expect(page.total).toBe(String(LARGE));
        }
        expect((await readPage(door, list, { limit: "5" })).total).toBe("0");
      });

      test(`${list.operation}: an offset beyond the end gives an empty page and the right total`, async () => {
        for (const offset of [String(LARGE), "1206", "18446744073709551615"]) {
          for (const reverse of ["false", "true"]) {
            const page = await readPage(door, list, { offset, reverse, count_total: "true" });
            expect(page).toEqual({ names: [], nextKey: null, total: String(LARGE) });
          }
        }
        const last = await readPage(door, list, { offset: String(LARGE - 1), limit: "1", count_total: "true" });
        expect(last).toEqual({ names: expected.get(list)!.slice(-1), nextKey: null, total: String(LARGE) });
      });

      test(`${list.operation}: a key goes with offset 0, and with no other offset`, async () => {
        const { nextKey } = await readPage(door, list, { limit: "3" });
        const page = await readPage(door, list, { key: nextKey!, offset: "0", limit: "2" });
        expect(page.names).toEqual(expected.get(list)!.slice(3, 5));
        const refused = await ask(door, list, { key: nextKey!, offset: "1" });
        expect(refused.status).toBe(400);
        expect((refused.body as JsonObject).message).toStartWith("pagination.");
      });

      test(`${list.operation}: both alphabets of base64, without padding, and a space for a plus`, async () => {
        for (const limit of ["1", "40", "333", "777"]) {
          const { nextKey } = await readPage(door, list, { limit });
          const next = (await readPage(door, list, { key: nextKey!, limit: "1" })).names;
          const urlSafe = nextKey!.replaceAll("+", "-").replaceAll("/", "_");
          for (const key of [urlSafe, urlSafe.replaceAll("=", ""), nextKey!.replaceAll("+", " ")]) {
            expect((await readPage(door, list, { key, limit: "1" })).names).toEqual(next);
          }
        }
      });

      test(`${list.operation}: a bad key is refused or gives items, never an empty page`, async () => {
        const own = (await readPage(door, list, { limit: "3" })).nextKey!;
        const foreign = await Promise.all(
          STATE_LISTS.map(async (other) => (await readPage(door, other, { limit: "2" })).nextKey!),
        );
        const bytes = Uint8Array.fromBase64(own);
        const cuts = Array.from(bytes, (_, n) => bytes.slice(0, n).toBase64()).slice(1);
        const random = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 40 }), 60).map((key) => key.toBase64());
        const beyond = new Uint8Array(bytes.length).fill(0xff).toBase64();
        for (const key of [...foreign, ...cuts, ...random, beyond]) {
          for (const reverse of ["false", "true"]) await expectNoSilence(await ask(door, list, { key, reverse }), list);
        }
      });
    }
  });
}

async function commitItems(opened: OpenedStore, list: StateList, numbers: readonly number[]): Promise<string[]> {
  await commitBlock(opened.store, { changes: changesOf(list, numbers) });
  return namesOf(list, numbers);
}

function changesOf(list: StateList, numbers: readonly number[]): Change[] {
  return numbers.map((n) => [list.item(n).key, list.item(n).value]);
}

function namesOf(list: StateList, numbers: readonly number[]): string[] {
  const items = numbers.map((n) => list.item(n));
  return items.sort((a, b) => compareBytes(a.key, b.key)).map(({ name }) => name);
}

async function readPage(door: Door, list: StateList, query: Record<string, string>, height?: string): Promise<Page> {
  const reply = await ask(door, list, query, height);
  expect(reply.text).not.toContain('"message"');
  expect(reply.status).toBe(200);
  return pageOf(reply, list);
}

function pageOf(reply: Reply, list: StateList): Page {
  const body = reply.body as JsonObject;
  const { next_key: nextKey, total } = body.pagination as { next_key: string | null; total: string };
  return { names: (body[list.field] as JsonObject[]).map(list.nameOf), nextKey, total };
}

function ask(door: Door, list: StateList, query: Record<string, string>, height?: string): Promise<Reply> {
  const parameters = Object.entries(query).map(([name, value]) => `pagination.${name}=${encodeURIComponent(value)}`);
  const headers: Record<string, string> = height === undefined ? {} : { "x-cosmos-block-height": height };
  return door.get(list.path + parameters.join("&"), headers);
}

async function expectNoSilence(reply: Reply, list: StateList): Promise<void> {
  if (reply.status === 200) return expect(pageOf(reply, list).names).not.toBeEmpty();
  expect(reply.status).toBe(400);
  expect((reply.body as JsonObject).message).toStartWith("pagination.key: ");
}
