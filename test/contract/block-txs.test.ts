// Operation 17 on blocks that hold anything: no transaction is ever dropped, and paging stays whole around those that
// cannot be decoded.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Bytes, utf8Encode } from "../../src/codec/bytes.ts";
import { WireWriter } from "../../src/codec/wire.ts";
import { type Door, directDoor, type JsonObject } from "../harness/door.ts";
import { ENGINES, openStore } from "../harness/engines.ts";
import { richTxs } from "../harness/rich-block.ts";
import { commitBlock } from "../harness/test-chain.ts";
import { transaction, undecodable } from "./interface-document.ts";
import type { Look } from "./interface-shapes.ts";

const [FULL] = richTxs();
/** A message of a type that nobody knows, inside an otherwise good transaction. */
const UNKNOWN_TYPE = bodyOf(new WireWriter().stringField(1, "/nobody.knows.Msg").bytesField(2, Uint8Array.of(8, 1)));
const BAD_MEMO = new WireWriter().messageField(1, Uint8Array.of(0x12, 1, 0xff)).finish();
const GARBAGE: readonly Bytes[] = [
  utf8Encode("not a transaction"),
  Uint8Array.of(0xff),
  Uint8Array.of(0x0a, 200, 1),
  FULL.slice(0, -1),
  new WireWriter().varintField(9, 1).finish(),
  new Uint8Array(300).fill(0x0b),
];

for (const engine of ENGINES) {
  describe(`transactions of a block on ${engine}`, () => {
    test("those that cannot be decoded are listed with their bytes and the reason", async () => {
      await withBlock(engine, [FULL, ...GARBAGE, FULL], async (door) => {
        const { txs, pagination } = await readTxs(door, "");
        expect(txs.length).toBe(GARBAGE.length + 2);
        expect(pagination).toEqual({ next_key: null, total: String(GARBAGE.length + 2) });
        for (const [i, garbage] of GARBAGE.entries()) {
          const tx = txs[i + 1]!;
          expectShape(undecodable, tx);
          expect(tx.raw).toBe(garbage.toBase64());
          expect(tx.decode_error).not.toBe("");
          expect((tx.body as JsonObject).messages).toEqual([]);
          expect(tx.signatures).toEqual([]);
        }
        for (const tx of [txs[0]!, txs.at(-1)!]) expectShape(transaction, tx);
      });
    });

    test("a transaction cannot call itself undecodable", async () => {
      const posing = new WireWriter()
        .messageField(15001, utf8Encode("other bytes"))
        .stringField(15002, "a lie")
        .finish();
      await withBlock(engine, [new Uint8Array([...FULL, ...posing])], async (door) => {
        const [tx] = (await readTxs(door, "")).txs;
        if ("raw" in tx!) expect(tx.raw).toBe(new Uint8Array([...FULL, ...posing]).toBase64());
        expect(tx!.decode_error).not.toBe("a lie");
      });
    });

    test("what cannot be named is shown all the same: an unknown message by its bytes, a memo that is no text", async () => {
      await withBlock(engine, [UNKNOWN_TYPE, BAD_MEMO], async (door) => {
        const [unknown, memo] = (await readTxs(door, "")).txs;
        for (const tx of [unknown!, memo!]) expectShape(transaction, tx);
        expect((unknown!.body as JsonObject).messages).toEqual([{ "@type": "/nobody.knows.Msg", value: "CAE=" }]);
        expect((memo!.body as JsonObject).memo).toBe("\uFFFD");
      });
    });

    test("a block without transactions gives an empty list, with any page", async () => {
      await withBlock(engine, [], async (door) => {
        for (const query of ["", "&pagination.offset=7", "&pagination.limit=1&pagination.reverse=true"]) {
          expect(await readTxs(door, query)).toEqual({ txs: [], pagination: { next_key: null, total: "0" } });
        }
      });
    });

    test("any page size, direction and way of going on gives each one once and in order", async () => {
      const walk = fc.record({
        kinds: fc.array(fc.nat(GARBAGE.length), { maxLength: 12 }),
        limit: fc.integer({ min: 1, max: 5 }),
        reverse: fc.boolean(),
        byKey: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(walk, async ({ kinds, limit, reverse, byKey }) => {
          // A last byte of its own makes each garbage transaction known again; good ones repeat.
          const txs = kinds.map((kind, i) => (kind === 0 ? FULL : new Uint8Array([...GARBAGE[kind - 1]!, 0xff, i])));
          await withBlock(engine, txs, async (door) => {
            const whole = (await readTxs(door, "")).txs;
            expect(whole.map((tx) => tx.raw ?? FULL.toBase64())).toEqual(txs.map((tx) => tx.toBase64()));
            const found: JsonObject[] = [];
            let key: string | null = null;
            do {
              const where: string = byKey && key !== null ? `key=${encodeURIComponent(key)}` : `offset=${found.length}`;
              const page = await readTxs(
                door,
                `&pagination.limit=${limit}&pagination.reverse=${reverse}&pagination.${where}`,
              );
              expect(page.pagination.total).toBe(String(txs.length));
              expect(page.txs.length).toBe(Math.min(limit, txs.length - found.length));
              found.push(...page.txs);
              key = page.pagination.next_key as string | null;
              expect(key === null).toBe(found.length === txs.length);
              await door.commit();
            } while (key !== null);
            expect(found).toEqual(reverse ? whole.toReversed() : whole);
          });
        }),
        { numRuns: 30 },
      );
    }, 30_000);

    test("a bad key is refused, and so is a key with an offset", async () => {
      await withBlock(engine, [FULL, FULL, FULL], async (door) => {
        const { pagination } = await readTxs(door, "&pagination.limit=1");
        const key = encodeURIComponent(pagination.next_key as string);
        expect((await readTxs(door, `&pagination.key=${key}&pagination.offset=0`)).txs.length).toBe(2);
        for (const bad of [
          `key=${key}&pagination.offset=1`,
          "key=AQ==",
          "key=AAAAAw==",
          "key=%2F%2F%2F%2F%2Fw==",
          "key=dW9ycg==",
        ]) {
          const reply = await door.get(`${BLOCK_TXS}&pagination.${bad}`);
          expect(reply.status).toBe(400);
          expect((reply.body as JsonObject).message).toStartWith("pagination.");
        }
      });
    });

    test("a page is never longer than 1,000", async () => {
      await withBlock(
        engine,
        Array.from({ length: 1003 }, () => GARBAGE[1]!),
        async (door) => {
          const first = await readTxs(door, "&pagination.limit=5000");
          expect(first.txs.length).toBe(1000);
          const second = await readTxs(
            door,
            `&pagination.key=${encodeURIComponent(first.pagination.next_key as string)}`,
          );
          expect(second.txs.length).toBe(3);
          expect(second.pagination).toEqual({ next_key: null, total: "1003" });
          expect((await readTxs(door, "&pagination.limit=0")).txs.length).toBe(100);
        },
      );
    });
  });
}

const BLOCK_TXS = "/core/tx/v1beta1/txs/block?height=1";

type BlockDoor = Door & { commit(): Promise<bigint> };

async function withBlock(
  engine: (typeof ENGINES)[number],
  txs: readonly Bytes[],
  use: (door: BlockDoor) => Promise<void>,
): Promise<void> {
  const opened = openStore(engine);
  await commitBlock(opened.store, { txs });
  await use({ ...directDoor(opened.store), commit: () => commitBlock(opened.store) });
  await opened.dispose();
}

async function readTxs(door: Door, query: string): Promise<{ txs: JsonObject[]; pagination: JsonObject }> {
  const reply = await door.get(BLOCK_TXS + query);
  expect(reply.status).toBe(200);
  const { txs, pagination } = reply.body as { txs: JsonObject[]; pagination: JsonObject };
  return { txs, pagination };
}

function expectShape(shape: typeof transaction, value: JsonObject): void {
  const look: Look = { seen: new Set(), wrong: [] };
  shape(value, "tx", look);
  expect(look.wrong).toEqual([]);
}

function bodyOf(message: WireWriter): Bytes {
  return new WireWriter().messageField(1, new WireWriter().messageField(1, message.finish()).finish()).finish();
}
