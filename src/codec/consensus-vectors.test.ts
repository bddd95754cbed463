// Published vectors of encodings and hashes, and a small chain derived from fixed keys.

import { describe, expect, test } from "bun:test";
import { ABSENT_SIGNATURE } from "../../test/harness/absent-signature.ts";
import { type Block, blockCodec, blockIdOf, dataHash } from "./block.ts";
import { type BlockId, blockIdCodec, ZERO_BLOCK_ID } from "./block-id.ts";
import { type Bytes, EMPTY, fromBase64, fromHex, toHex, utf8Encode } from "./bytes.ts";
import { COMMIT, type Commit, commitHash, EMPTY_COMMIT } from "./commit.ts";
import { consensusHash, DEFAULT_CONSENSUS_PARAMS } from "./consensus-params.ts";
import { type Evidence, evidenceListCodec, evidenceListHash } from "./evidence.ts";
import { sha256, sha256Truncated } from "./hash.ts";
import { type Header, headerHash } from "./header.ts";
import { merkleRoot } from "./merkle.ts";
import { consensusAddress, ed25519PublicKey, publicKey, verifySignature } from "./public-key.ts";
import { GO_ZERO_TIME, parseTime } from "./time.ts";
import { resultsHash } from "./tx-result.ts";
import { newValidator, validatorsHash } from "./validator.ts";
import { PRECOMMIT, signVote, type Vote, voteCodec, voteSignBytes } from "./vote.ts";

/** Orrery makes precommits only. */
const PREVOTE = 1;

const S = (word: string): Bytes => sha256(utf8Encode(word));
const A = (word: string): Bytes => sha256Truncated(utf8Encode(word));
const EMPTY_ROOT = merkleRoot([]);
const BID: BlockId = {
  hash: S("blockID_hash"),
  partSetHeader: { total: 1000000, hash: S("blockID_part_set_header_hash") },
};
const KEY = publicKey("ed25519", fromHex("D9838D11F68AE4679BD91BC2693CDF62FAABAEA7B4290A70ED5F200B4B67881C"));

const zeroHeader: Header = {
  version: { block: 11n, app: 0n },
  chainId: "",
  height: 0n,
  time: GO_ZERO_TIME,
  lastBlockId: ZERO_BLOCK_ID,
  lastCommitHash: EMPTY,
  dataHash: EMPTY,
  validatorsHash: EMPTY,
  nextValidatorsHash: EMPTY,
  consensusHash: EMPTY,
  appHash: EMPTY,
  lastResultsHash: EMPTY,
  evidenceHash: EMPTY,
  proposerAddress: EMPTY,
};

test("header hash", () => {
  const zeros = new Uint8Array(32);
  const header: Header = {
    version: { block: 1n, app: 2n },
    chainId: "chainId",
    height: 3n,
    time: parseTime("2019-10-13T16:14:44Z"),
    lastBlockId: { hash: zeros, partSetHeader: { total: 6, hash: zeros } },
    lastCommitHash: S("last_commit_hash"),
    dataHash: S("data_hash"),
    validatorsHash: S("validators_hash"),
    nextValidatorsHash: S("next_validators_hash"),
    consensusHash: S("consensus_hash"),
    appHash: S("app_hash"),
    lastResultsHash: S("last_results_hash"),
    evidenceHash: S("evidence_hash"),
    proposerAddress: A("proposer_address"),
  };
  expect(toHex(headerHash(header))).toBe("f740121f553b5418c3efbd343c2dbfe9e007bb67b0d020a0741374bab65242a4");
});

describe("sign bytes", () => {
  const one = "110100000000000000190100000000000000";
  const zeroTime = "2a0b088092b8c398feffffff01";
  test.each([
    [0, 0n, 0, "", `0d${zeroTime}`],
    [PRECOMMIT, 1n, 1, "", `210802${one}${zeroTime}`],
    [PREVOTE, 1n, 1, "", `210801${one}${zeroTime}`],
    [0, 1n, 1, "", `1f${one}${zeroTime}`],
    [0, 1n, 1, "test_chain_id", `2e${one}${zeroTime}320d746573745f636861696e5f6964`],
  ])("type %p, height %p, round %p, chain %p", (type, height, round, chainId, expected) => {
    const vote = { type, height, round, blockId: ZERO_BLOCK_ID, timestamp: GO_ZERO_TIME };
    expect(toHex(voteSignBytes(chainId, vote))).toBe(expected);
  });
});

test("hashes of small things", () => {
  expect(toHex(blockIdCodec.encode(BID))).toBe(
    "0a208b01023386c371778ecb6368573e539afc3cc860ec3a2f614e54fe5652f4fc80122608c0843d122072db3d959635dff1bb567bedaa70573392c5159666a3f8caf11e413aac52207a",
  );
  expect(toHex(validatorsHash([newValidator(KEY, 1n)]))).toBe(
    "3a372bdcb3b9418f55e13237c6f2801a20f79fbe5f46c7f3db778013d93ae9d4",
  );
  const signature = {
    flag: COMMIT,
    validatorAddress: A("validator_address"),
    timestamp: { seconds: 1515151515n, nanos: 0 },
    signature: new Uint8Array(64),
  };
  expect(toHex(commitHash({ ...EMPTY_COMMIT, signatures: [ABSENT_SIGNATURE, signature] }))).toBe(
    "08badcd5363f2eb5479100c00aea5c200b5b81020627e92277ff82c3011ebab5",
  );
  expect(toHex(consensusHash(DEFAULT_CONSENSUS_PARAMS))).toBe(
    "048091bc7ddc283f77bfbf91d73c44da58c3df8a9cbc867405d8b7f3daada22f",
  );
  const newer = { ...DEFAULT_CONSENSUS_PARAMS, block: { maxBytes: 4194304n, maxGas: 10000000n } };
  expect(toHex(consensusHash(newer))).toBe("68ecd6f333119ce43751ece583b981f23508aeaf4221ff582b1bb33be42bcefa");
  expect(toHex(dataHash([fromHex("010203")]))).toBe("17fd0425d02bac411c7583d6a9fa7580379a2691629e9c1ce6c67f8953190b99");
});

test("addresses of keys", () => {
  const ed25519 = fromHex("14253D61EF42D166D02E68D540D07FDF8D65A9AF0ACAA46302688E788A8521E2");
  const secp256k1 = fromHex("02950E1CDFCB133D6024109FD489F734EEB4502418E538C28481F22BCE276F248C");
  expect(toHex(consensusAddress(publicKey("ed25519", ed25519)))).toBe("0cda3f47ef3c4906693b170ef650eb968c5f4b2c");
  expect(toHex(consensusAddress(publicKey("secp256k1", secp256k1)))).toBe("7c2bb42a8be69791ec763e51f5a49bcd41e82237");
  expect(() => publicKey("secp256k1", ed25519)).toThrow("32 bytes");
});

describe("evidence", () => {
  const vote = (type: number, validatorAddress: Bytes): Vote => ({
    type,
    height: 3n,
    round: 2,
    blockId: BID,
    timestamp: parseTime("2017-12-25T03:00:01.234Z"),
    validatorAddress,
    validatorIndex: 56789,
    signature: EMPTY,
  });
  const twice = (address: Bytes, power: bigint): Evidence => ({
    type: "duplicate-vote",
    value: {
      voteA: vote(PRECOMMIT, address),
      voteB: vote(PREVOTE, address),
      totalVotingPower: power,
      validatorPower: power,
      timestamp: parseTime("2019-01-01T00:00:00Z"),
    },
  });
  const validator = newValidator(KEY, 1n);
  const attack: Evidence = {
    type: "light-client-attack",
    value: {
      conflictingBlock: {
        signedHeader: { header: null, commit: null },
        validatorSet: { validators: [validator], proposer: validator },
      },
      commonHeight: 1n,
      byzantineValidators: [validator],
      totalVotingPower: 100n,
      timestamp: parseTime("2019-01-01T00:00:00Z"),
    },
  };

  test("hash of a list", () => {
    expect(toHex(evidenceListHash([twice(consensusAddress(KEY), 1n), attack]))).toBe(
      "e667a9d08da1fbffc4844fc1abb4ec32d3326fff5a708911d104778c9311963e",
    );
  });

  test("bytes of a list", () => {
    const list = { evidence: [twice(A("validator_address"), 10n)] };
    const rest = `10031802224a${toHex(blockIdCodec.encode(BID))}2a0b08b1d381d20510809dca6f32146af1f4111082efb388211bc72c55bcd61e9ac3d538d5bb03`;
    expect(toHex(evidenceListCodec.encode(list))).toBe(
      `0a85020a82020a790802${rest}12790801${rest}180a200a2a060880dbaae105`,
    );
    const both = { evidence: [...list.evidence, attack] };
    expect(evidenceListCodec.decode(evidenceListCodec.encode(both))).toEqual(both);
  });
});

test("bytes of a block without a last commit", () => {
  const txs = [utf8Encode("Hello World")];
  const header = { ...zeroHeader, height: 3n, dataHash: dataHash(txs), evidenceHash: EMPTY_ROOT };
  expect(toHex(blockCodec.encode({ header, data: { txs }, evidence: [], lastCommit: null }))).toBe(
    "0a5b0a02080b1803220b088092b8c398feffffff012a0212003a20c4da88e876062aa1543400d50d0eaa0dac88096057949cfb7bca7f3a48c04bf96a20e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855120d0a0b48656c6c6f20576f726c641a00",
  );
});

test("bytes of a zero vote", () => {
  const zero = { type: 0, height: 0n, round: 0, blockId: ZERO_BLOCK_ID, timestamp: GO_ZERO_TIME };
  const vote = { ...zero, validatorAddress: EMPTY, validatorIndex: 0, signature: EMPTY };
  expect(toHex(voteCodec.encode(vote))).toBe("220212002a0b088092b8c398feffffff01");
});

describe("a node with one validator", () => {
  const key = publicKey("ed25519", fromBase64("OYpM2RXHEO1/R3jJRhAbjY8JhvjTBbiNJKBStEKu12s="));
  const hash = validatorsHash([newValidator(key, 10n)]);
  const header: Header = {
    ...zeroHeader,
    version: { block: 11n, app: 1n },
    chainId: "dockerchain",
    lastCommitHash: EMPTY_ROOT,
    dataHash: EMPTY_ROOT,
    validatorsHash: hash,
    nextValidatorsHash: hash,
    consensusHash: consensusHash(DEFAULT_CONSENSUS_PARAMS),
    lastResultsHash: EMPTY_ROOT,
    evidenceHash: EMPTY_ROOT,
    proposerAddress: consensusAddress(key),
  };

  test("validator", () => {
    expect(toHex(consensusAddress(key))).toBe("dd8a65495b6240145764a74e78cf203d51510371");
    expect(toHex(hash)).toBe("9815dd28abeb04863ffc577af32cf331adea96dc1bfd8eccd1768ba36c15b362");
  });

  test("block 1", () => {
    const first = { ...header, height: 1n, time: parseTime("2023-02-27T07:13:03.391799721Z") };
    const id = blockIdOf({ header: first, data: { txs: [] }, evidence: [], lastCommit: EMPTY_COMMIT });
    expect(toHex(id.hash)).toBe("d55cd72165688be21f2df8c9ae46fa2bca423223e99fc665dd2e621066f443c5");
    expect(toHex(id.partSetHeader.hash)).toBe("372520f1b93cd0ec3901006de2e3cd752c9141628a7b430088df912171355dda");
  });

  test("block 10 and its commit", () => {
    const lastBlockId: BlockId = {
      hash: fromHex("9D9521F13DCA0C63C395F943F5A68B270A053B608145577F32907A70D8332E56"),
      partSetHeader: {
        total: 1,
        hash: fromHex("6760DBDF3B785148DB885DA08143118C6C30850995FF3C99E0A3303650E2430D"),
      },
    };
    const time = parseTime("2023-02-27T07:13:08.140032018Z");
    const signature = fromBase64(
      "HZvchSiSLgqdRmsZ+KIpkztV7ZbEBhRU5CKHUy0enSHoma8jTk9BC69s4fPvHHLiAtSNausFd83g0KR08bQhCw==",
    );
    const lastCommit: Commit = {
      height: 9n,
      round: 0,
      blockId: lastBlockId,
      signatures: [{ flag: COMMIT, validatorAddress: consensusAddress(key), timestamp: time, signature }],
    };
    const lastCommitHash = commitHash(lastCommit);
    expect(toHex(lastCommitHash)).toBe("e8de5f9749fa5785b9b9f106c82233c910c75ae8a0903d1fab146c1dd4e7a0ec");
    const tenth = { ...header, height: 10n, time, lastBlockId, lastCommitHash, appHash: new Uint8Array(8) };
    const block: Block = { header: tenth, data: { txs: [] }, evidence: [], lastCommit };
    const id = blockIdOf(block);
    expect(toHex(id.hash)).toBe("fcf9c2537fc3534ca71001fe1f14c4f769090948c1a521682f612e7cf73ae639");
    expect(toHex(id.partSetHeader.hash)).toBe("e16edcb0ec135191f5c017fdf232967f50919e06b0f2f419fa93d006e606cf05");
    expect(blockCodec.encode(block).length).toBe(569);
    const timestamp = parseTime("2023-02-27T07:13:08.658439642Z");
    const signed = voteSignBytes("dockerchain", { type: PRECOMMIT, height: 10n, round: 0, blockId: id, timestamp });
    const tenthSignature = fromBase64(
      "qJblJeAl6OtGRKkOa91+HLzX3ZGl/Nlnl5K9RiT2gRSPgPSjxq+95mSQSJ3b3I38mdZvYLUML6kEGvC/zjlJCQ==",
    );
    expect(verifySignature(key, signed, tenthSignature)).toBe(true);
  });
});

describe("chain own-1 of one validator", () => {
  const seed = new Uint8Array(32).fill(1);
  const key = ed25519PublicKey(seed);
  const hash = validatorsHash([newValidator(key, 10n)]);
  const header: Header = {
    ...zeroHeader,
    chainId: "own-1",
    height: 1n,
    time: parseTime("2024-01-01T00:00:00Z"),
    lastCommitHash: EMPTY_ROOT,
    dataHash: EMPTY_ROOT,
    validatorsHash: hash,
    nextValidatorsHash: hash,
    consensusHash: consensusHash(DEFAULT_CONSENSUS_PARAMS),
    lastResultsHash: EMPTY_ROOT,
    evidenceHash: EMPTY_ROOT,
    proposerAddress: consensusAddress(key),
  };
  const first: Block = { header, data: { txs: [] }, evidence: [], lastCommit: EMPTY_COMMIT };
  const id = blockIdOf(first);
  const timestamp = parseTime("2024-01-01T00:00:01.5Z");
  const vote = { type: PRECOMMIT, height: 1n, round: 0, blockId: id, timestamp };
  const signature = signVote(seed, "own-1", vote);

  test("block 1", () => {
    const e3 = toHex(EMPTY_ROOT);
    const v = "a8da5bcd937a7538b5a3e9a67ba734655705ab2a805e3b97255e90644747b497";
    const p = "048091bc7ddc283f77bfbf91d73c44da58c3df8a9cbc867405d8b7f3daada22f";
    const a = "34750f98bd59fcfc946da45aaabe933be154a4b5";
    expect(toHex(blockCodec.encode(first))).toBe(
      `0a9d020a02080b12056f776e2d3118012206088081c8ac062a0212003220${e3}3a20${e3}4220${v}4a20${v}5220${p}6220${e3}6a20${e3}7214${a}12001a0022041a021200`,
    );
    expect(toHex(id.hash)).toBe("db2eecf24bdcbd6eec1bc4e182e92011409ee304c6f555693cd75fda3c0202df");
    expect(toHex(id.partSetHeader.hash)).toBe("8f3e9ce385beaef13e5e3ea9912d448581f858dd9f8e41e347e765ef5694d85f");
  });

  test("its commit", () => {
    expect(toHex(voteSignBytes("own-1", vote))).toBe(
      "6a080211010000000000000022480a20db2eecf24bdcbd6eec1bc4e182e92011409ee304c6f555693cd75fda3c0202df1224080112208f3e9ce385beaef13e5e3ea9912d448581f858dd9f8e41e347e765ef5694d85f2a0c088181c8ac061080cab5ee0132056f776e2d31",
    );
    expect(toHex(signature)).toBe(
      "b281fdd04a2e427c8b1b6c9ab9c359feebc25228d98a11ec72971185357a037daa800883fd83d3c29a43fbc37f8d9895afd5f74b2d79eb7424ead72336a84d05",
    );
    expect(toHex(voteSignBytes("own-1", { ...vote, blockId: ZERO_BLOCK_ID }))).toBe(
      "2008021101000000000000002a0c088181c8ac061080cab5ee0132056f776e2d31",
    );
  });

  test("block 2", () => {
    const validatorAddress = consensusAddress(key);
    const signatures = [{ flag: COMMIT, validatorAddress, timestamp, signature }];
    const lastCommit: Commit = { height: 1n, round: 0, blockId: id, signatures };
    const txs = [utf8Encode("hello")];
    const second: Header = {
      ...header,
      height: 2n,
      time: timestamp,
      lastBlockId: id,
      lastCommitHash: commitHash(lastCommit),
      dataHash: dataHash(txs),
      appHash: new Uint8Array(32).fill(0xab),
    };
    expect(toHex(second.lastCommitHash)).toBe("1ce05e6f01e9138dd1094fc14d1f809f5f5e9194926d79e196172e1ae2d53676");
    expect(toHex(second.dataHash)).toBe("07636ca803346b2298b02d2c35146d6f18fb848e06b873d3367a51fa4c89b8a1");
    const block: Block = { header: second, data: { txs }, evidence: [], lastCommit };
    const secondId = blockIdOf(block);
    expect(toHex(secondId.hash)).toBe("d3936ec7cebc213aa92a258a29ad56179707fc24d869e711a12db0883ba841e3");
    expect(toHex(secondId.partSetHeader.hash)).toBe("16b752b5969d9316b9a5cff7a15fde8b51441bf0a28eefc34bb159918138698e");
    expect(blockCodec.encode(block).length).toBe(594);
  });

  test("results", () => {
    const results = [
      { code: 0, data: fromHex("0a0b"), gasWanted: 200000n, gasUsed: 54321n },
      { code: 5, data: EMPTY, gasWanted: 100000n, gasUsed: 40000n },
    ];
    expect(toHex(resultsHash(results))).toBe("2be257dc1a03fb102fc08c3a3d6ce32a35ceef5150eba2e8338064f52081b13e");
  });
});

test("a precommit for no block of another real network", () => {
  const key = publicKey("ed25519", fromBase64("nTJgJQSUwTeuq1eazqHvFxlLGeJebL1ZkgeOiSc8H2o="));
  const signed = fromHex("2508021144000000000000002a0c08a7b4e4d70610ac8ee5d502320a646f63636865636b2d34");
  const signature = fromBase64(
    "JZ2Ofq327qKr1ckZf8bWqfTzofjIO9lNp8VJMuneOfftAkSfZHpl5oHo23HHbJyw4SWFyPBzJjBSp6AqZL54Bw==",
  );
  expect(verifySignature(key, signed, signature)).toBe(true);
  const timestamp = { seconds: 1794710055n, nanos: 716785452 };
  const vote = { type: PRECOMMIT, height: 68n, round: 0, blockId: ZERO_BLOCK_ID, timestamp };
  expect(toHex(voteSignBytes("doccheck-4", vote))).toBe(toHex(signed));
});
