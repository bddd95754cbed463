import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Bytes, toHex, utf8Encode } from "../codec/bytes.ts";
import { type Condition, fulfils, parseEventQuery } from "../codec/event-query.ts";
import { sha256 } from "../codec/hash.ts";
import type { TxEvent, TxResult } from "../codec/tx-result.ts";
import { openMemoryStore } from "../store/memory.ts";
import type { Reader } from "../store/store.ts";
import { type IndexedBlock, indexBlock, type Place, placeOfTx } from "./tx-index.ts";
import { SearchTooWide, searchIndex } from "./tx-search.ts";

const attribute = fc.record({
  key: fc.constantFrom("a", "b", "a.b", "", "k\0"),
  value: fc.constantFrom("", "1", "2", "10", "-3", "x", "x\0", "1\0", "é", "2.5"),
  index: fc.boolean(),
});
const event = fc.record({
  type: fc.constantFrom("t", "t.a", "u", ""),
  attributes: fc.array(attribute, { maxLength: 3 }),
});
const events = fc.array(event, { maxLength: 3 });
const blocks = fc.array(fc.record({ txs: fc.array(events, { maxLength: 3 }), own: events }), {
  minLength: 1,
  maxLength: 6,
});
const condition = fc.constantFrom(
  "t.a='1'",
  "t.a=1",
  "t.a='x'",
  "t.a='x\0'",
  "t.b=''",
  "t.a>1",
  "t.a<=2",
  "t.a>2.4",
  "t.a.b='1'",
  "t.b EXISTS",
  "u.a CONTAINS 'x'",
  "u.k\0='1'",
  "tx.height>2",
  "tx.height='3'",
  "tx.height=3",
  "tx.height<4",
);
const query = fc.array(condition, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" AND "));

test("a search finds what a look at every event finds", async () => {
  await fc.assert(
    fc.asyncProperty(blocks, query, async (content, text) => {
      const chain = content.map(({ txs, own }, i) => indexed(BigInt(i + 1), txs, own));
      const reader = await commitAll(chain);
      const conditions = parseEventQuery(text);
      expect(await searchIndex(reader, "tx", conditions)).toEqual(expectedTxs(chain, conditions));
      const onBlocks = conditions.map((c) => (c.key === "tx.height" ? { ...c, key: "block.height" } : c));
      expect(await searchIndex(reader, "block", onBlocks)).toEqual(expectedBlocks(chain, onBlocks));
    }),
    { numRuns: 300 },
  );
});

test("a transaction is found by its hash, in either case, and with other conditions", async () => {
  const chain = [indexed(1n, [[]], []), indexed(2n, [[sent("a")], [sent("b")]], [])];
  const reader = await commitAll(chain);
  const hash = toHex(sha256(chain[1]!.txs[1]!));
  const place = { height: 2n, index: 1 };
  expect(await placeOfTx(reader, sha256(chain[1]!.txs[1]!))).toEqual(place);
  expect(await placeOfTx(reader, sha256(utf8Encode("unknown")))).toBeNull();
  const search = (text: string) => searchIndex(reader, "tx", parseEventQuery(text));
  expect(await search(`tx.hash='${hash}'`)).toEqual([place]);
  expect(await search(`tx.hash='${hash.toUpperCase()}' AND tx.height=2`)).toEqual([place]);
  expect(await search(`tx.hash='${hash}' AND transfer.to='b'`)).toEqual([place]);
  expect(await search(`tx.hash='${hash}' AND transfer.to='a'`)).toEqual([]);
  expect(await search(`tx.hash='${hash}' AND tx.height=1`)).toEqual([]);
  expect(await search("tx.hash='zz'")).toEqual([]);
});

test("conditions are met by one event together", async () => {
  const both: TxEvent = { type: "transfer", attributes: [...sent("a").attributes, ...attributes({ from: "c" })] };
  const apart: TxEvent[] = [sent("a"), { type: "transfer", attributes: attributes({ from: "c" }) }];
  const reader = await commitAll([indexed(1n, [[both], apart], [])]);
  const found = await searchIndex(reader, "tx", parseEventQuery("transfer.to='a' AND transfer.from='c'"));
  expect(found).toEqual([{ height: 1n, index: 0 }]);
});

test("a search that reads too much is refused, a narrow one is not", async () => {
  const chain = Array.from({ length: 30 }, (_, i) => indexed(BigInt(i + 1), [[sent("a")]], []));
  const reader = await commitAll(chain);
  const search = (text: string) => searchIndex(reader, "tx", parseEventQuery(text), { budget: 20 });
  await expect(search("transfer.to='a'")).rejects.toThrow(SearchTooWide);
  await expect(search("tx.height>0")).rejects.toThrow(SearchTooWide);
  expect(await search("transfer.to='a' AND tx.height>20")).toHaveLength(10);
});

function attributes(values: Record<string, string>): TxEvent["attributes"] {
  return Object.entries(values).map(([key, value]) => ({ key, value, index: true }));
}

function sent(to: string): TxEvent {
  return { type: "transfer", attributes: attributes({ to }) };
}

function indexed(height: bigint, txs: readonly (readonly TxEvent[])[], blockEvents: readonly TxEvent[]): IndexedBlock {
  const raw = txs.map((_, i): Bytes => utf8Encode(`transaction ${height}/${i}`));
  return { height, txs: raw, results: txs.map(resultOf), blockEvents };
}

function resultOf(events: readonly TxEvent[]): TxResult {
  const data = new Uint8Array(0);
  return { code: 0, data, log: "", info: "", gasWanted: 0n, gasUsed: 0n, events, codespace: "" };
}

async function commitAll(chain: readonly IndexedBlock[]): Promise<Reader> {
  const store = openMemoryStore({ keep: "all" });
  for (const block of chain) await store.commit(block.height, indexBlock(block));
  return store.at(chain.at(-1)!.height);
}

function expectedTxs(chain: readonly IndexedBlock[], conditions: readonly Condition[]): Place[] {
  return chain.flatMap(({ height, results }) =>
    results.flatMap(({ events }, index) => (matches({ height, index }, events, conditions) ? [{ height, index }] : [])),
  );
}

function expectedBlocks(chain: readonly IndexedBlock[], conditions: readonly Condition[]): Place[] {
  return chain.flatMap(({ height, blockEvents }) =>
    matches({ height, index: 0 }, blockEvents, conditions) ? [{ height, index: 0 }] : [],
  );
}

function matches({ height }: Place, events: readonly TxEvent[], conditions: readonly Condition[]): boolean {
  const onHeight = conditions.filter(({ key }) => key.endsWith(".height"));
  const onEvents = conditions.filter(({ key }) => !key.endsWith(".height"));
  if (!onHeight.every((c) => fulfils(c, String(height)))) return false;
  if (onEvents.length === 0) return true;
  return events.some(({ type, attributes }) =>
    onEvents.every((c) =>
      attributes.some(
        ({ key, value, index }) =>
          index && type !== "" && key !== "" && `${type}.${key}` === c.key && fulfils(c, value),
      ),
    ),
  );
}
