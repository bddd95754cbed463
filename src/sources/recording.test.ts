// The recorded chain of a real node: stored as it is, verified block by block, and refused when anything was changed.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockCodec } from "../codec/block.ts";
import { toHex } from "../codec/bytes.ts";
import { getChainInfo } from "../state/block.ts";
import { SPACE, spaceKey } from "../state/keys.ts";
import { useNativeHashing } from "../state/native-hash.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { readCommitted } from "./block-records.ts";
import { importRecording } from "./import-home.ts";
import { verifyHome } from "./verify.ts";
import { entriesBelow } from "./verify-walk.ts";

useNativeHashing();
const FIXTURES = join(import.meta.dir, "..", "..", "test", "fixtures");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-recording-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("all 66 blocks and the state of the last one are stored, and verify finds nothing", async () => {
  const home = join(folder, "home");
  expect(await importRecording({ home, recording: FIXTURES })).toEqual({ chainId: "reference-1", height: 66n });
  expect(await verifyHome({ home })).toEqual([]);

  const store = openSqliteStore({ path: join(home, "chain.db"), readonly: true });
  expect([store.earliest(), store.head()]).toEqual([66n, 66n]);
  const view = store.at(66n);
  expect(await getChainInfo(view)).toMatchObject({
    chainId: "reference-1",
    bech32Prefix: "cosmos",
    source: "recording",
  });
  for (let height = 1n; height <= 66n; height++) {
    const recorded = readJson(join(FIXTURES, "rpc", "blocks", `${String(height).padStart(4, "0")}.json`));
    const { block, blockId, commit, results, validators } = await readCommitted(view, height);
    expect(toHex(blockId.hash).toUpperCase()).toBe(recorded.block.block_id.hash);
    expect(blockCodec.decode(block).data.txs.length).toBe(recorded.block.block.data.txs.length);
    expect(results.results.map(({ gasUsed }) => String(gasUsed))).toEqual(
      (recorded.block_results.txs_results ?? []).map((result: { gas_used: string }) => result.gas_used),
    );
    expect(commit.signatures.length).toBe(recorded.commit.signed_header.commit.signatures.length);
    expect(validators.validators.map(({ proposerPriority }) => String(proposerPriority))).toEqual(
      recorded.validators.validators.map((member: { proposer_priority: string }) => member.proposer_priority),
    );
  }
  for (const [name, space] of [
    ["acc", SPACE.acc],
    ["bank", SPACE.bank],
  ] as const) {
    const pairs = (await Array.fromAsync(entriesBelow(view, spaceKey(space)))).map(([key, value]) => {
      return [toHex(key.subarray(1)), toHex(value)];
    });
    expect(pairs).toEqual(readJson(join(FIXTURES, "state", `${name}.json`)));
  }
  await store.close();
});

describe("a recording that was changed is refused, and the home stays as it was", () => {
  const block7 = join("rpc", "blocks", "0007.json");
  type Edit = (json: ReturnType<typeof readJson>) => void;
  const cases: [name: string, file: string, edit: Edit, sentence: RegExp][] = [
    [
      "a header",
      block7,
      (json) => (json.block.block.header.time = "2026-11-15T02:01:09.319566225Z"),
      /block_id is not the id of the recorded block/,
    ],
    [
      "a transaction",
      block7,
      (json) => json.block.block.data.txs.push("AAEC"),
      /block_id is not the id of the recorded block/,
    ],
    [
      "a vote",
      block7,
      (json) => (signatures(json)[0].timestamp = "2026-11-15T02:01:09Z"),
      /block 7: signature 0 .* is wrong/,
    ],
    ["too few votes", block7, (json) => signatures(json).pop(), /block 7: 3 signatures for 4 validators/],
    [
      "gas of a result",
      block7,
      (json) => (json.block_results.txs_results[0].gas_used = "1"),
      /block 8: last_results_hash/,
    ],
    [
      "a missing result",
      block7,
      (json) => (json.block_results.txs_results = null),
      /block 7: 0 results for 1 transactions/,
    ],
    [
      "a priority",
      block7,
      (json) => (json.validators.validators[0].proposer_priority = "5"),
      /block 7: the validators or their/,
    ],
    [
      "parameters",
      block7,
      (json) => (json.consensus_params.consensus_params.block.max_gas = "7"),
      /block 7: .*parameters/,
    ],
    [
      "the genesis time",
      join("rpc", "genesis.json"),
      (json) => (json.genesis_time = "2026-01-02T03:04:05Z"),
      /block 1: first block at/,
    ],
    [
      "the chain id",
      join("rpc", "genesis.json"),
      (json) => (json.chain_id = "other-1"),
      /block 1: chain id "reference-1", expected "other-1"/,
    ],
    ["a pair", join("state", "bank.json"), (json) => json[0].pop(), /bank\.json\[0\] is not a key and a value/],
  ];
  for (const [name, file, edit, sentence] of cases) {
    test(name, async () => {
      const recording = join(folder, "recording");
      for (const part of ["rpc", "state"]) cpSync(join(FIXTURES, part), join(recording, part), { recursive: true });
      const json = readJson(join(recording, file));
      edit(json);
      writeFileSync(join(recording, file), JSON.stringify(json));
      const home = join(folder, "home");
      await expect(importRecording({ home, recording })).rejects.toThrow(sentence);
      expect(existsSync(home)).toBe(false);
    });
  }
  const signatures = (json: ReturnType<typeof readJson>) => json.commit.signed_header.commit.signatures;
});

test("a gap between the blocks is refused", async () => {
  const recording = join(folder, "recording");
  for (const part of ["rpc", "state"]) cpSync(join(FIXTURES, part), join(recording, part), { recursive: true });
  rmSync(join(recording, "rpc", "blocks", "0030.json"));
  const refused = importRecording({ home: join(folder, "home"), recording });
  await expect(refused).rejects.toThrow("block 31: height 31, expected 30");
});

test("a home that holds a chain is not filled again, unless it is reset", async () => {
  const home = join(folder, "home");
  await importRecording({ home, recording: FIXTURES });
  await expect(importRecording({ home, recording: FIXTURES })).rejects.toThrow(/holds the chain reference-1 already/);
  await importRecording({ home, recording: FIXTURES, reset: true });
  expect(readdirSync(home).sort()).toEqual(["chain.db", "genesis.json", "lock.db", "node.json"]);
});

function readJson(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}
