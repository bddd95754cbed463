// A simulation tells what the delivery will cost. Known differences, all of them the reference's:
//
//   it reports no limit of gas, and does not stop at the transaction's own;
//   it does not look at signatures, so one that is wrong passes;
//   it runs on the newest state, without the sweep of fees at the begin of the next block; here that sweep is made first;
//   a signature that is missing is reckoned with: one more read of the account, and 1,120 for a key of secp256k1.

import {
  blockContext,
  type ChainRules,
  createExecuteBlock,
  type ExecutionHeader,
} from "../../src/chain/execute-block.ts";
import { executeTx, type TxOutcome } from "../../src/chain/execute-tx.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import type { TxResult } from "../../src/codec/tx-result.ts";
import { getAccount } from "../../src/state/account.ts";
import { createBranch } from "../../src/store/branch.ts";
import type { Reader } from "../../src/store/store.ts";
import { type TxDraft, type TxSigner, unsignedTx } from "../harness/signed-tx.ts";
import { CAST } from "./cast.ts";
import type { RandomTx } from "./random-txs.ts";

const OUT_OF_GAS = 11;
const UNAUTHORIZED = 4;
const SIGNATURE_GAS = 1_120n;
const GAS_PER_BYTE = 10n;
const KEY_BYTES = 21n;

/** `tx` was the first of the block with this header; `before` shows the state before that block. */
export async function checkSimulation(
  before: Reader,
  rules: ChainRules,
  header: ExecutionHeader,
  { raw, draft }: RandomTx,
  delivered: TxResult,
): Promise<void> {
  if (draft === null) return;
  const state = createBranch(before);
  await createExecuteBlock(rules)(state, header, []);
  const begun = state.changes();
  const simulate = (tx: Bytes) => executeTx(state, blockContext(rules, header), tx, "simulate");
  const signed = await simulate(raw);
  if (isOutOfGas(delivered)) {
    if (isOutOfGas(signed)) throw new Error("a simulation stopped at the limit of the transaction");
    if (signed.gasUsed < delivered.gasUsed)
      throw new Error(`${signed.gasUsed} simulated, ${delivered.gasUsed} delivered`);
  } else if (!isSignatureFault(delivered)) {
    expectSame(signed, delivered);
    if (signed.code === 0) await checkUnsigned(before, raw, draft, signed, await simulate(unsignedTx(draft)));
  }
  if (state.changes().length !== begun.length) throw new Error("a simulation left something behind");
}

function isOutOfGas({ codespace, code }: TxResult | TxOutcome): boolean {
  return codespace === "sdk" && code === OUT_OF_GAS;
}

function isSignatureFault({ codespace, code, log }: TxResult): boolean {
  return codespace === "sdk" && code === UNAUTHORIZED && log.startsWith("signature verification failed");
}

function expectSame(simulated: TxOutcome, delivered: TxResult): void {
  const seen = ({ code, codespace, gasUsed, log }: TxOutcome | TxResult) =>
    `${codespace} ${code}, gas ${gasUsed}: ${log}`;
  if (seen(simulated) !== seen(delivered))
    throw new Error(`simulated: ${seen(simulated)}\ndelivered: ${seen(delivered)}`);
}

async function checkUnsigned(
  before: Reader,
  raw: Bytes,
  draft: TxDraft,
  signed: TxOutcome,
  unsigned: TxOutcome,
): Promise<void> {
  const shorter = raw.length - unsignedTx(draft).length;
  let expected = signed.gasUsed - GAS_PER_BYTE * BigInt(shorter);
  for (const signer of draft.signers) expected += SIGNATURE_GAS + (await accountRead(before, signer));
  if (unsigned.gasUsed !== expected) throw new Error(`unsigned: ${unsigned.gasUsed} simulated, ${expected} expected`);
}

async function accountRead(before: Reader, { publicKey }: TxSigner): Promise<bigint> {
  const { bytes } = CAST.find((actor) => actor.publicKey === publicKey)!;
  const record = (await getAccount(before, bytes))!;
  return 1000n + 3n * (KEY_BYTES + BigInt(record.length));
}
