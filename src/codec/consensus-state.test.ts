import { expect, test } from "bun:test";
import { ZERO_BLOCK_ID } from "./block-id.ts";
import { EMPTY, fromHex } from "./bytes.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "./consensus-params.ts";
import { advanceState, type BlockOutcome, type ConsensusState, genesisState, nextHeight } from "./consensus-state.ts";
import type { Header } from "./header.ts";
import { ed25519PublicKey } from "./public-key.ts";
import { parseTime } from "./time.ts";
import { newValidator, type ValidatorSet } from "./validator.ts";

const keys = [1, 2, 3, 4].map((byte) => ed25519PublicKey(new Uint8Array(32).fill(byte)));
const NOTHING: BlockOutcome = { results: [], validatorUpdates: [], paramUpdates: {}, appHash: EMPTY };
const genesis = genesisState({
  chainId: "own-4",
  initialHeight: 5n,
  time: parseTime("2024-01-01T00:00:00Z"),
  validators: [{ publicKey: keys[0]!, power: 10n }],
  params: DEFAULT_CONSENSUS_PARAMS,
  appHash: fromHex("e3b0"),
});

function advance(state: ConsensusState, outcome: Partial<BlockOutcome>): ConsensusState {
  const header = { height: nextHeight(state), time: state.lastBlockTime } as Header;
  return advanceState(state, header, ZERO_BLOCK_ID, { ...NOTHING, ...outcome });
}

test("a chain starts at its initial height and then counts by one", () => {
  expect(nextHeight(genesis)).toBe(5n);
  const after = advance(genesis, {});
  expect([after.lastHeight, nextHeight(after)]).toEqual([5n, 6n]);
});

test("updates of validators act two heights later, before the turn moves on", () => {
  const members: [number, bigint, bigint][] = [
    [0, 43n, 47n],
    [1, 37n, -26n],
    [2, 18n, 35n],
    [3, 17n, -56n],
  ];
  const nextValidators: ValidatorSet = {
    validators: members.map(([i, power, priority]) => newValidator(keys[i]!, power, priority)),
    proposer: null,
  };
  const state = { ...genesis, nextValidators };
  const after = advance(state, { validatorUpdates: [{ publicKey: keys[3]!, power: 0n }] });
  expect(after.lastValidators).toBe(state.validators);
  expect(after.validators).toBe(nextValidators);
  expect(after.nextValidators.validators.map((v) => v.proposerPriority)).toEqual([-26n, -7n, 35n]);
});

test("updates of parameters replace whole sections at the next height", () => {
  const after = advance(genesis, { paramUpdates: { block: { maxBytes: 1n, maxGas: 2n }, version: { app: 3n } } });
  expect(after.params.block).toEqual({ maxBytes: 1n, maxGas: 2n });
  expect(after.params.evidence).toEqual(DEFAULT_CONSENSUS_PARAMS.evidence);
  expect(after.version).toEqual({ block: 11n, app: 3n });
});
