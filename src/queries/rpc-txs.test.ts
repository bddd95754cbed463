import { expect, test } from "bun:test";
import { commitBlock } from "../../test/harness/test-chain.ts";
import { type Bytes, utf8Encode } from "../codec/bytes.ts";
import { sha256 } from "../codec/hash.ts";
import { txResultCodec } from "../codec/tx-result.ts";
import { inOneGo } from "../give-way.ts";
import { getBlock, getBlockMeta, getCommit, getConsensusParams, getValidators, putBlock } from "../state/block.ts";
import { indexBlock } from "../state/tx-index.ts";
import { openMemoryStore } from "../store/memory.ts";
import { findTx, searchTxs } from "./rpc-txs.ts";

const TXS = ["first", "second", "third"].map(utf8Encode);
const RESULT = {
  code: 7,
  data: utf8Encode(""),
  log: "",
  info: "",
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
  codespace: "",
};
const NO_RESULT: Bytes = utf8Encode("no result at all");

/** A block of three, of which only the second one's result can be read. */
async function damagedBlock() {
  const store = openMemoryStore();
  await commitBlock(store, { txs: TXS });
  const view = store.at(1n);
  const stored = {
    block: (await getBlock(view, 1n))!.block,
    meta: await getBlockMeta(view, 1n),
    commit: await getCommit(view, 1n),
    results: { txResults: [NO_RESULT, txResultCodec.encode(RESULT), NO_RESULT] },
    validators: await getValidators(view, 1n),
    consensusParams: await getConsensusParams(view, 1n),
  };
  const index = indexBlock({ height: 1n, txs: TXS, results: [RESULT, RESULT, RESULT], blockEvents: [] });
  await store.commit(2n, [...putBlock(1n, stored), ...index]);
  return store.at(2n);
}

test("of a block with many transactions, only the one that is asked for is read", async () => {
  const view = await damagedBlock();
  const found = await findTx(view, sha256(TXS[1]!), false);
  expect(found).toEqual({ hash: sha256(TXS[1]!), height: 1n, index: 1, tx: TXS[1]!, result: RESULT, proof: null });
  await expect(findTx(view, sha256(TXS[0]!), false)).rejects.toThrow();
  const page = { page: 2, perPage: 1, descending: false, prove: false };
  expect(await searchTxs(view, "tx.height=1", page, inOneGo)).toEqual({ txs: [found!], total: 3 });
});

test("a proof is made when it is asked for", async () => {
  const proof = (await findTx(await damagedBlock(), sha256(TXS[1]!), true))?.proof;
  expect(proof?.place).toMatchObject({ index: 1, total: 3 });
  expect(proof?.root).toHaveLength(32);
});
