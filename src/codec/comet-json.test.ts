import { describe, expect, test } from "bun:test";
import { toHex } from "./bytes.ts";
import { parseBlockAnswer, parseBlockResults, parseRecordedHeight } from "./comet-json.ts";
import { evidenceListHash } from "./evidence.ts";

const fixture = await Bun.file(new URL("../../test/fixtures/rpc/blocks/0057.json", import.meta.url)).json();

/** The recording with one place changed. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(fixture);
  const names = path.split(".");
  const last = names.pop()!;
  const parent = names.reduce((node, name) => node[name], copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

test("updates of validators and parameters are read", () => {
  const { results, params } = parseRecordedHeight(fixture);
  expect(results.validatorUpdates.map(({ power }) => power)).toEqual([106000n]);
  expect(results.paramUpdates).toEqual(params);
  const removal = { ...fixture.block_results.validator_updates[0] };
  delete removal.power;
  const again = parseBlockResults({ ...fixture.block_results, validator_updates: [removal] });
  expect(again.validatorUpdates[0]!.power).toBe(0n);
});

describe("what is not as CometBFT writes it is refused, by name", () => {
  const header = "block.block.header";
  test.each([
    [`${header}.height`, 57, "block answer.block.header.height is not a 64-bit integer in a string"],
    [`${header}.height`, "057", "height is not a 64-bit integer"],
    [`${header}.height`, "9223372036854775808", "height is not a 64-bit integer"],
    [`${header}.height`, undefined, "height is not a 64-bit integer"],
    [`${header}.app_hash`, "xy", "app_hash is not hexadecimal"],
    [`${header}.app_hash`, null, "app_hash is not hexadecimal"],
    [`${header}.time`, "2026-11-15T02:01:09+01:00", "time is not a time"],
    [`${header}.chain_id`, 1, "chain_id is not a string"],
    ["block.block.data.txs", ["%%"], "txs[0] is not base64"],
    ["block.block.data.txs", {}, "txs is not an array"],
    ["block.block.header", [], "header is not an object"],
    ["block.block.last_commit.round", "0", "round is not a 32-bit integer"],
    ["block.block.last_commit.round", 2 ** 31, "round is not a 32-bit integer"],
    ["block.block_id.parts.total", -1, "total is not an unsigned 32-bit integer"],
    ["block_results.txs_results.0.events.0.attributes.0.index", 1, "index is not a boolean"],
    ["block_results.txs_results.0.code", 0.5, "code is not an unsigned"],
    ["validators.validators.0.pub_key.type", "tendermint/PubKeyOther", "type is not a known key type"],
    ["validators.validators.0.pub_key.value", "AA==", "ed25519 key of 1 bytes"],
    ["consensus_params.consensus_params.block", null, "full set of consensus parameters"],
    ["block.block.evidence.evidence", [{ type: "tendermint/Other", value: {} }], "known kind of evidence"],
  ])("%s = %p", (path, value, reason) => {
    expect(() => parseRecordedHeight(changed(path, value))).toThrow(reason);
  });
});

test("evidence is read under its older and newer names", () => {
  const { header, last_commit, ...body } = fixture.block.block;
  const [validator] = fixture.validators.validators;
  const vote = {
    type: 2,
    height: "8",
    round: 0,
    block_id: fixture.block.block_id,
    timestamp: header.time,
    validator_address: validator.address,
    validator_index: 0,
    signature: "AAAA",
  };
  const answer = (evidence: unknown) =>
    parseBlockAnswer({
      block_id: fixture.block.block_id,
      block: { ...body, header, last_commit, evidence: { evidence } },
    }).block.evidence;
  const lightBlock = {
    signed_header: { header, commit: last_commit },
    validator_set: { validators: [validator], proposer: validator },
  };
  const double = { vote_a: vote, vote_b: { ...vote, round: 1 } };
  const older = answer([
    {
      type: "tendermint/DuplicateVoteEvidence",
      value: { ...double, TotalVotingPower: "30", ValidatorPower: "10", Timestamp: header.time },
    },
    {
      type: "tendermint/LightClientAttackEvidence",
      value: {
        ConflictingBlock: lightBlock,
        CommonHeight: "4",
        ByzantineValidators: [validator],
        TotalVotingPower: "40",
        Timestamp: header.time,
      },
    },
  ]);
  const newer = answer([
    {
      type: "tendermint/DuplicateVoteEvidence",
      value: { ...double, total_voting_power: "30", validator_power: "10", timestamp: header.time },
    },
    {
      type: "tendermint/LightClientAttackEvidence",
      value: {
        conflicting_block: lightBlock,
        common_height: "4",
        byzantine_validators: [validator],
        total_voting_power: "40",
        timestamp: header.time,
      },
    },
  ]);
  expect(older.length).toBe(2);
  expect(older).toEqual(newer);
  expect(toHex(evidenceListHash(older))).toBe(toHex(evidenceListHash(newer)));
  expect(older[0]).toMatchObject({ type: "duplicate-vote", value: { validatorPower: 10n, voteB: { round: 1 } } });
  expect(older[1]).toMatchObject({ type: "light-client-attack", value: { commonHeight: 4n } });
});
