// Stored bytes and block bytes of a recorded chain against the JSON that its node answered.

import { expect, test } from "bun:test";
import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { ParamsSchema as AuthParamsSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { QueryAccountsResponseSchema } from "../gen/cosmos/auth/v1beta1/query_pb.ts";
import { ParamsSchema as BankParamsSchema, MetadataSchema } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import { TxSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { BlockSchema } from "../gen/tendermint/types/block_pb.ts";
import { messageOfTypeUrl } from "./any.ts";
import { blockCodec } from "./block.ts";
import { type Bytes, fromBase64, fromHex, toHex, utf8Decode } from "./bytes.ts";
import { parseBlockAnswer } from "./comet-json.ts";
import { bytesFromJson } from "./from-json.ts";
import { encodeMessage } from "./reference-form.ts";
import { compileJson } from "./transcode.ts";
import { WireWriter } from "./wire.ts";

type Json = Record<string, unknown>;
type Answer = { name: string; path: string; status: number; body: Json };
type Pair = [key: string, value: string];

const accPairs: Pair[] = await fixture("state/acc.json");
const bankPairs: Pair[] = await fixture("state/bank.json");
const accountAnswers: Answer[] = await fixture("rest/accounts.json");
const tokenAnswers: Answer[] = await fixture("rest/denoms_metadata.json");
const txAnswers: Answer[] = await fixture("rest/txs_block.json");

const storedAccounts = accPairs.filter(([key]) => key.startsWith("01") && key.length > 2).map(([, value]) => value);
const recordedAccounts = accountAnswers.find(({ path }) => path.endsWith("limit=1000000"))?.body.accounts as Json[];
const storedTokens = bankPairs.filter(([key]) => key.startsWith("01")).map(([, value]) => value);
const recordedTokens = tokenAnswers.find(({ name }) => name === "list")?.body.metadatas as Json[];

test("accounts: the page that the reference answered, field order included", () => {
  expect(storedAccounts.length).toBe(256);
  const page = new WireWriter();
  for (const account of storedAccounts) page.messageField(1, fromHex(account));
  const answer = { accounts: recordedAccounts, pagination: { next_key: null, total: "0" } };
  expect(print(QueryAccountsResponseSchema, page.finish())).toBe(JSON.stringify(answer));
});

test("accounts: JSON and messages give the stored bytes back", () => {
  storedAccounts.forEach((stored, i) => {
    const any = fromBinary(AnySchema, fromHex(stored));
    const desc = messageOfTypeUrl(any.typeUrl) as DescMessage;
    expect(toHex(encodeMessage(desc, fromBinary(desc, any.value)))).toBe(toHex(any.value as Bytes));
    expect(toHex(encodeMessage(AnySchema, any))).toBe(stored);
    expect(toHex(bytesFromJson(AnySchema, recordedAccounts[i]))).toBe(stored);
  });
});

test("tokens: the stored metadata is the recorded JSON, both ways", () => {
  expect(storedTokens.length).toBe(4);
  storedTokens.forEach((stored, i) => {
    expect(print(MetadataSchema, fromHex(stored))).toBe(JSON.stringify(recordedTokens[i]));
    expect(toHex(bytesFromJson(MetadataSchema, recordedTokens[i]))).toBe(stored);
  });
});

test("parameters: decoded and encoded again they are the same bytes", () => {
  for (const [desc, pairs, key] of [
    [AuthParamsSchema, accPairs, "00"],
    [BankParamsSchema, bankPairs, "05"],
  ] as const) {
    const stored = pairs.find(([found]) => found === key)?.[1] as string;
    expect(toHex(toBinary(desc as DescMessage, fromBinary(desc as DescMessage, fromHex(stored))))).toBe(stored);
  }
});

const blockAnswers = txAnswers.filter(({ name, status }) => name.startsWith("at ") && status === 200);

for (const { name, body } of blockAnswers) {
  test(`block ${name}: transactions and block print as recorded`, async () => {
    const height = name.slice(3).padStart(4, "0");
    const recording = await fixture<{ block: { block: { data: { txs: string[] } } } }>(`rpc/blocks/${height}.json`);
    const rawTxs = recording.block.block.data.txs;
    const txs = body.txs as Json[];
    expect(rawTxs.length).toBe(txs.length);
    rawTxs.forEach((raw, i) => {
      expect(print(TxSchema, fromBase64(raw))).toBe(JSON.stringify(txs[i]));
      expect(bytesFromJson(TxSchema, txs[i])).toEqual(fromBase64(raw));
    });
    const block = blockCodec.encode(parseBlockAnswer(recording.block).block);
    expect(print(BlockSchema, block)).toBe(JSON.stringify(body.block));
  });
}

test("the recorded blocks hold transactions", () => {
  expect(blockAnswers.length).toBeGreaterThan(18);
  expect(blockAnswers.flatMap(({ body }) => body.txs as Json[]).length).toBeGreaterThan(18);
});

function print(desc: DescMessage, bytes: Bytes): string {
  return utf8Decode(compileJson(desc, "ecosystem")(bytes));
}

async function fixture<T>(path: string): Promise<T> {
  return Bun.file(new URL(`../../test/fixtures/${path}`, import.meta.url)).json() as Promise<T>;
}
