import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex } from "./bytes.ts";
import { blockIdJson, blockJson, commitJson, headerJson, validatorJson } from "./comet-block-json-writer.ts";
import { parseRecordedHeight, parseSignedHeader } from "./comet-json.ts";
import {
  consensusParamsJson,
  eventJson,
  paramUpdatesJson,
  shortTxResultJson,
  txResultJson,
  validatorUpdateJson,
} from "./comet-json-writer.ts";
import { consensusParamsUpdateCodec } from "./consensus-params.ts";
import { publicKey } from "./public-key.ts";

const folder = join(import.meta.dir, "..", "..", "test", "fixtures", "rpc", "blocks");

describe("what was read is written back as it was", () => {
  test.each(readdirSync(folder))("%s", (file) => {
    const json = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const read = parseRecordedHeight(json);
    expect({ block_id: blockIdJson(read.blockId), block: blockJson(read.block) }).toEqual(json.block);
    const { header, commit } = parseSignedHeader(json.commit);
    expect({ header: headerJson(header), commit: commitJson(commit) }).toEqual(json.commit.signed_header);
    expect(read.validators.map(validatorJson)).toEqual(json.validators.validators);
    expect(consensusParamsJson(read.params)).toEqual(json.consensus_params.consensus_params);
    const { results } = read;
    expect(results.txs.map(txResultJson)).toEqual(json.block_results.txs_results ?? []);
    expect(results.beginBlockEvents.map(eventJson)).toEqual(json.block_results.begin_block_events ?? []);
    expect(results.validatorUpdates.map(validatorUpdateJson)).toEqual(json.block_results.validator_updates ?? []);
    const updates = consensusParamsUpdateCodec.decode(consensusParamsUpdateCodec.encode(results.paramUpdates));
    expect(paramUpdatesJson(updates)).toEqual(json.block_results.consensus_param_updates);
  });
});

test("zeros are left out only where the reference leaves them out", () => {
  const zero = { code: 0, data: new Uint8Array(0), log: "", info: "", gasWanted: 0n, gasUsed: 0n, events: [] };
  const result = { ...zero, codespace: "" };
  expect(shortTxResultJson(result)).toEqual({});
  expect(Object.keys(txResultJson(result))).toHaveLength(8);
  expect(txResultJson(result)).toMatchObject({ code: 0, data: null, gas_wanted: "0", events: [] });
  expect(paramUpdatesJson({})).toBeNull();
  expect(paramUpdatesJson({ version: { app: 2n } })).toEqual({ version: { app: "2" } });
  expect(eventJson({ type: "empty", attributes: [] })).toEqual({ type: "empty" });
  expect(validatorUpdateJson({ publicKey: publicKey("secp256k1", fromHex("02".repeat(33))), power: 0n })).toEqual({
    pub_key: { Sum: { type: "tendermint.crypto.PublicKey_Secp256K1", value: { secp256k1: expect.any(String) } } },
  });
});
