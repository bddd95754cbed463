import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Block, blockCodec } from "./block.ts";
import { type BlockId, partSetHeaderCodec } from "./block-id.ts";
import { type Bytes, concatBytes, fromHex } from "./bytes.ts";
import type { Commit } from "./commit.ts";
import { type ConsensusParams, consensusParamsCodec } from "./consensus-params.ts";
import type { Evidence } from "./evidence.ts";
import type { Header } from "./header.ts";
import { always, bytes, type Codec, int64, listOf, listOfBytes, message, optional, string } from "./message.ts";
import { publicKeyCodec } from "./public-key.ts";
import type { Time } from "./time.ts";
import { type TxResult, txResultCodec } from "./tx-result.ts";
import { type Validator, type ValidatorSet, validatorSetCodec } from "./validator.ts";
import type { Vote } from "./vote.ts";

const blob = (options: fc.IntArrayConstraints) => fc.uint8Array(options) as fc.Arbitrary<Bytes>;
const anyBytes = blob({ maxLength: 40 });
const int64s = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
const int32s = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uint32s = fc.nat({ max: 2 ** 32 - 1 });
const words = fc.string({ unit: "binary", maxLength: 12 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const few = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });

const time: fc.Arbitrary<Time> = fc.record({
  seconds: fc.bigInt({ min: -62135596800n, max: 253402300799n }),
  nanos: fc.nat({ max: 999_999_999 }),
});
const blockId: fc.Arbitrary<BlockId> = fc.record({
  hash: anyBytes,
  partSetHeader: fc.record({ total: uint32s, hash: anyBytes }),
});
const header: fc.Arbitrary<Header> = fc.record({
  version: fc.record({ block: fc.bigInt(0n, (1n << 64n) - 1n), app: fc.bigInt(0n, (1n << 64n) - 1n) }),
  chainId: words,
  height: int64s,
  time,
  lastBlockId: blockId,
  lastCommitHash: anyBytes,
  dataHash: anyBytes,
  validatorsHash: anyBytes,
  nextValidatorsHash: anyBytes,
  consensusHash: anyBytes,
  appHash: anyBytes,
  lastResultsHash: anyBytes,
  evidenceHash: anyBytes,
  proposerAddress: anyBytes,
});
const commit: fc.Arbitrary<Commit> = fc.record({
  height: int64s,
  round: int32s,
  blockId,
  signatures: few(fc.record({ flag: int32s, validatorAddress: anyBytes, timestamp: time, signature: anyBytes })),
});
const validator: fc.Arbitrary<Validator> = fc.record({
  address: anyBytes,
  publicKey: fc.oneof(
    fc.record({ type: fc.constant("ed25519" as const), key: blob({ minLength: 32, maxLength: 32 }) }),
    fc.record({ type: fc.constant("secp256k1" as const), key: blob({ minLength: 33, maxLength: 33 }) }),
  ),
  votingPower: int64s,
  proposerPriority: int64s,
});
const validatorSet: fc.Arbitrary<ValidatorSet> = fc.record({ validators: few(validator), proposer: maybe(validator) });
const vote: fc.Arbitrary<Vote> = fc.record({
  type: int32s,
  height: int64s,
  round: int32s,
  blockId,
  timestamp: time,
  validatorAddress: anyBytes,
  validatorIndex: int32s,
  signature: anyBytes,
});
const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({
    type: fc.constant("duplicate-vote" as const),
    value: fc.record({
      voteA: maybe(vote),
      voteB: maybe(vote),
      totalVotingPower: int64s,
      validatorPower: int64s,
      timestamp: time,
    }),
  }),
  fc.record({
    type: fc.constant("light-client-attack" as const),
    value: fc.record({
      conflictingBlock: maybe(
        fc.record({
          signedHeader: maybe(fc.record({ header: maybe(header), commit: maybe(commit) })),
          validatorSet: maybe(validatorSet),
        }),
      ),
      commonHeight: int64s,
      byzantineValidators: few(validator),
      totalVotingPower: int64s,
      timestamp: time,
    }),
  }),
);
const block: fc.Arbitrary<Block> = fc.record({
  header,
  data: fc.record({ txs: few(anyBytes) }),
  evidence: few(evidence),
  lastCommit: maybe(commit),
});
const txResult: fc.Arbitrary<TxResult> = fc.record({
  code: uint32s,
  data: anyBytes,
  log: words,
  info: words,
  gasWanted: int64s,
  gasUsed: int64s,
  events: few(
    fc.record({ type: words, attributes: few(fc.record({ key: words, value: words, index: fc.boolean() })) }),
  ),
  codespace: words,
});
const params: fc.Arbitrary<ConsensusParams> = fc.record({
  block: fc.record({ maxBytes: int64s, maxGas: int64s }),
  evidence: fc.record({ maxAgeNumBlocks: int64s, maxAgeDuration: int64s, maxBytes: int64s }),
  validator: fc.record({ pubKeyTypes: few(words) }),
  version: fc.record({ app: fc.bigInt(0n, (1n << 64n) - 1n) }),
});

describe("what is encoded decodes to the same", () => {
  const survives = <T>(name: string, codec: Codec<T>, values: fc.Arbitrary<T>) =>
    test(name, () => {
      fc.assert(fc.property(values, (value) => expect(codec.decode(codec.encode(value))).toEqual(value)));
    });
  survives("blocks", blockCodec, block);
  survives("results", txResultCodec, txResult);
  survives("validator sets", validatorSetCodec, validatorSet);
  survives("parameters", consensusParamsCodec, params);
});

test("damaged bytes decode to something else or not at all, but never crash", () => {
  fc.assert(
    fc.property(block, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, place, mask) => {
      const encoded = blockCodec.encode(value);
      const damaged = encoded.slice();
      damaged[place % damaged.length]! ^= mask;
      try {
        expect(blockCodec.decode(damaged)).not.toEqual(value);
      } catch (error) {
        if (error instanceof Error && error.constructor.name === "Error") return;
        if (error instanceof TypeError && /UTF-8|decode|encod/i.test(error.message)) return;
        throw error;
      }
    }),
  );
});

describe("a table", () => {
  type Inner = { readonly id: bigint };
  type Outer = {
    readonly name: string;
    readonly inner: Inner;
    readonly extra: Inner | null;
    readonly many: readonly Inner[];
    readonly blobs: readonly Bytes[];
    readonly data: Bytes;
  };
  const inner = message<Inner>("Inner", { id: int64(1) });
  const outer = message<Outer>("Outer", {
    name: string(1),
    inner: always(2, inner),
    extra: optional(3, inner),
    many: listOf(4, inner),
    blobs: listOfBytes(5),
    data: bytes(6),
  });

  test("gives every missing field its zero", () => {
    const zero = { name: "", inner: { id: 0n }, extra: null, many: [], blobs: [], data: new Uint8Array() };
    expect(outer.decode(fromHex(""))).toEqual(zero);
    expect(outer.encode(zero)).toEqual(fromHex("1200"));
  });

  test("does not share lists between decodings", () => {
    const [first, second] = [outer.decode(fromHex("2200")), outer.decode(fromHex("22002200"))];
    expect([first.many.length, second.many.length]).toEqual([1, 2]);
  });

  test("refuses what it does not know", () => {
    expect(() => outer.decode(fromHex("3800"))).toThrow("Outer: unexpected field 7 of wire type 0");
    expect(() => outer.decode(fromHex("0800"))).toThrow("Outer: unexpected field 1 of wire type 0");
    expect(() => outer.decode(fromHex("0a01610a0162"))).toThrow("Outer: name occurs twice");
    expect(() => outer.decode(fromHex("1a0012"))).toThrow("ends");
    expect(partSetHeaderCodec.decode(fromHex("08ffffffff0f")).total).toBe(2 ** 32 - 1);
    expect(() => partSetHeaderCodec.decode(fromHex("088080808010"))).toThrow("4294967296 is not between");
    const twoKeys = concatBytes(fromHex("0a20"), new Uint8Array(32), fromHex("0a20"), new Uint8Array(32));
    expect(() => publicKeyCodec.decode(twoKeys)).toThrow("more than one key");
    expect(() => publicKeyCodec.decode(fromHex(""))).toThrow("no key");
    expect(() => publicKeyCodec.decode(fromHex("0a0101"))).toThrow("ed25519 key of 1 bytes");
  });
});
