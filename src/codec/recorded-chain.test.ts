// Every block of a real network of four validators, checked from the genesis on as a validating node would.

import { describe, expect, test } from "bun:test";
import { type Block, blockCodec, blockIdOf, dataHash } from "./block.ts";
import { toBase64, toHex } from "./bytes.ts";
import { parseRecordedHeight, type RecordedHeight } from "./comet-json.ts";
import { ABSENT, COMMIT, type Commit, commitCodec, commitHash } from "./commit.ts";
import { consensusHash, consensusParamsCodec } from "./consensus-params.ts";
import { advanceState, type ConsensusState, genesisState } from "./consensus-state.ts";
import { headerHash } from "./header.ts";
import { formatTime, parseTime, type Time } from "./time.ts";
import { resultsHash, txResultCodec } from "./tx-result.ts";
import { InvalidBlock, validateBlock } from "./validate-block.ts";
import { type ValidatorSet, validatorSetCodec, validatorsHash } from "./validator.ts";
import { medianTime, verifyCommit } from "./verify-commit.ts";

const fixtures = new URL("../../test/fixtures/rpc/", import.meta.url);
const genesis = await Bun.file(new URL("genesis.json", fixtures)).json();
const recorded: { json: RecordedJson; height: RecordedHeight }[] = [];
for (let h = 1; h <= 66; h++) {
  const json = await Bun.file(new URL(`blocks/${String(h).padStart(4, "0")}.json`, fixtures)).json();
  recorded.push({ json, height: parseRecordedHeight(json) });
}

type RecordedJson = {
  block: { block: { header: { time: string }; data: { txs: string[] } } };
  block_results: { txs_results: Record<string, unknown>[] | null };
};

const at = (h: number): RecordedHeight => recorded[h - 1]!.height;

/** The state before each height, as the genesis, the blocks and their results make it. */
const states: ConsensusState[] = [];
{
  const first = at(1);
  let state = genesisState({
    chainId: genesis.chain_id,
    initialHeight: 1n,
    time: parseTime(genesis.genesis_time),
    validators: first.validators.map(({ publicKey, votingPower }) => ({ publicKey, power: votingPower })).reverse(),
    params: first.params,
    appHash: first.block.header.appHash,
  });
  for (let h = 1; h <= 66; h++) {
    states.push(state);
    const { block, blockId, results } = at(h);
    const appHash = h < 66 ? at(h + 1).block.header.appHash : block.header.appHash;
    const { validatorUpdates, paramUpdates } = results;
    state = advanceState(state, block.header, blockId, {
      results: results.txs,
      validatorUpdates,
      paramUpdates,
      appHash,
    });
  }
  states.push(state);
}

test("every block is valid after the state before it", () => {
  for (let h = 1; h <= 66; h++) validateBlock(states[h - 1]!, at(h).block);
});

test("every block id is made of its header and its bytes", () => {
  for (let h = 1; h <= 66; h++) {
    const { block, blockId } = at(h);
    expect(blockIdOf(block)).toEqual(blockId);
    if (h > 1) expect(block.header.lastBlockId).toEqual(at(h - 1).blockId);
  }
});

test("every hash in every header can be computed", () => {
  for (let h = 1; h <= 66; h++) {
    const { block, validators, params, blockId } = at(h);
    expect(toHex(headerHash(block.header))).toBe(toHex(blockId.hash));
    expect(toHex(dataHash(block.data.txs))).toBe(toHex(block.header.dataHash));
    expect(toHex(commitHash(block.lastCommit!))).toBe(toHex(block.header.lastCommitHash));
    expect(toHex(validatorsHash(validators))).toBe(toHex(block.header.validatorsHash));
    if (h < 66) expect(toHex(validatorsHash(at(h + 1).validators))).toBe(toHex(block.header.nextValidatorsHash));
    expect(toHex(consensusHash(params))).toBe(toHex(block.header.consensusHash));
    if (h > 1) expect(toHex(resultsHash(at(h - 1).results.txs))).toBe(toHex(block.header.lastResultsHash));
  }
});

test("every commit is signed by the validators of its height", () => {
  let [signed, absent] = [0, 0];
  for (let h = 1; h <= 66; h++) {
    const { commit, blockId, validators } = at(h);
    verifyCommit("reference-1", { validators, proposer: null }, blockId, BigInt(h), commit);
    signed += commit.signatures.filter(({ flag }) => flag === COMMIT).length;
    absent += commit.signatures.filter(({ flag }) => flag === ABSENT).length;
    if (h < 66) expect(commit).toEqual(at(h + 1).block.lastCommit!);
  }
  expect([signed, absent]).toEqual([263, 1]);
});

test("every block time is the median of the votes before it", () => {
  for (let h = 2; h <= 66; h++) {
    const set: ValidatorSet = { validators: at(h - 1).validators, proposer: null };
    expect(medianTime(at(h).block.lastCommit!, set)).toEqual(at(h).block.header.time);
  }
});

test("the rotation gives every recorded priority and proposer", () => {
  for (let h = 1; h <= 66; h++) {
    expect(states[h - 1]!.validators.validators).toEqual(at(h).validators as never);
    expect(toHex(states[h - 1]!.validators.proposer!.address)).toBe(toHex(at(h).block.header.proposerAddress));
  }
  const priorities = (h: number) => states[h - 1]!.validators.validators.map((v) => Number(v.proposerPriority));
  expect(priorities(58)).toEqual([-116000, -174000, 174000, 116000]);
  expect(priorities(59)).toEqual([-131000, -13000, -72000, 216000]);
  expect(priorities(67)).toEqual([-105000, -11000, -78000, 194000]);
});

test("encodings survive decoding", () => {
  for (let h = 1; h <= 66; h++) {
    const { block, commit, params, results } = at(h);
    expect(blockCodec.decode(blockCodec.encode(block))).toEqual(block);
    expect(commitCodec.decode(commitCodec.encode(commit))).toEqual(commit);
    expect(consensusParamsCodec.decode(consensusParamsCodec.encode(params))).toEqual(params);
    const set = states[h - 1]!.validators;
    expect(validatorSetCodec.decode(validatorSetCodec.encode(set))).toEqual(set);
    for (const result of results.txs) expect(txResultCodec.decode(txResultCodec.encode(result))).toEqual(result);
  }
});

test("the bytes of results keep every field of the answer", () => {
  let count = 0;
  for (const { json, height } of recorded) {
    const decoded = height.results.txs.map((result) => txResultCodec.decode(txResultCodec.encode(result)));
    const rendered = decoded.map(({ gasWanted, gasUsed, data, ...rest }) => ({
      ...rest,
      data: data.length === 0 ? null : toBase64(data),
      gas_wanted: String(gasWanted),
      gas_used: String(gasUsed),
    }));
    expect(rendered).toEqual((json.block_results.txs_results ?? []) as never);
    count += rendered.length;
  }
  expect(count).toBeGreaterThan(20);
});

test("times are written as the node wrote them", () => {
  for (const { json, height } of recorded) {
    expect(formatTime(height.block.header.time, "minimal")).toBe(json.block.block.header.time);
  }
});

test("steps between: sizes, leaves and roots", () => {
  expect(blockCodec.encode(at(1).block).length).toBe(343);
  expect(blockCodec.encode(at(7).block).length).toBe(1235);
  expect(commitCodec.encode(at(66).commit).length).toBe(411);
  expect(toHex(commitHash(at(66).commit))).toBe("d41e2354b39ae8f4cdf9f659d5a89bf3b74d1ad24afa941aa58712970a364d71");
  expect(toHex(at(40).block.header.lastResultsHash)).toBe(
    "56ad77288f5a77635d4f9667ef1099d5c0b82783a8d6233054d0fdd5796624df",
  );
});

describe("a changed block is refused", () => {
  const { block } = at(8);
  const state = states[7]!;
  const flipped = (bytes: Uint8Array) =>
    bytes.map((byte, i) => (i === 3 ? byte ^ 1 : byte)) as Block["header"]["appHash"];
  const withHeader = (header: Partial<Block["header"]>): Block => ({
    ...block,
    header: { ...block.header, ...header },
  });
  const withCommit = (lastCommit: Commit): Block => ({
    ...withHeader({ lastCommitHash: commitHash(lastCommit) }),
    lastCommit,
  });
  const later = (time: Time): Time => ({ ...time, nanos: time.nanos + 1 });
  const { header } = block;

  test.each<[string, Block]>([
    ["block protocol", withHeader({ version: { block: 10n, app: 0n } })],
    ["app version", withHeader({ version: { block: 11n, app: 1n } })],
    ["chain id", withHeader({ chainId: "reference-2" })],
    ["height 9, expected 8", withHeader({ height: 9n })],
    ["follows block", withHeader({ lastBlockId: at(6).blockId })],
    ["no last commit", { ...block, lastCommit: null }],
    ["last_commit_hash", withHeader({ lastCommitHash: flipped(header.lastCommitHash) })],
    ["data_hash", { ...block, data: { txs: [new Uint8Array(1)] } }],
    ["evidence_hash", withHeader({ evidenceHash: flipped(header.evidenceHash) })],
    ["validators_hash", withHeader({ validatorsHash: flipped(header.validatorsHash) })],
    ["next_validators_hash", withHeader({ nextValidatorsHash: flipped(header.nextValidatorsHash) })],
    ["consensus_hash", withHeader({ consensusHash: flipped(header.consensusHash) })],
    ["app_hash", withHeader({ appHash: flipped(header.appHash) })],
    ["last_results_hash", withHeader({ lastResultsHash: flipped(header.lastResultsHash) })],
    ["proposer", withHeader({ proposerAddress: flipped(header.proposerAddress) })],
    ["median", withHeader({ time: later(header.time) })],
    ["not later", withHeader({ time: state.lastBlockTime })],
    ["last commit: for block", withCommit({ ...at(8).commit, height: 7n })],
    ["last commit: of height 6", withCommit(at(6).commit)],
  ])("%s", (reason, changed) => {
    expect(() => validateBlock(state, changed)).toThrow(InvalidBlock);
    expect(() => validateBlock(state, changed)).toThrow(reason);
  });

  test("the first block must carry the genesis time and no signatures", () => {
    const first = at(1).block;
    const changed = { ...first, header: { ...first.header, time: later(first.header.time) } };
    expect(() => validateBlock(states[0]!, changed)).toThrow("genesis at");
    const lastCommit = at(6).commit;
    const signed = { ...first, lastCommit, header: { ...first.header, lastCommitHash: commitHash(lastCommit) } };
    expect(() => validateBlock(states[0]!, signed)).toThrow("has signatures");
  });
});
