// A simulation tells what the delivery will cost. It is asked as the doors ask: operation 18 of the node's queries, with
// the gate before it. Known differences, all of them the reference's:
//
//   it reports no limit of gas, and does not stop at the transaction's own;
//   it does not look at signatures, so one that is wrong passes;
//   it runs on a committed state, without the sweep of fees at the begin of the next block, and at the time of the block
//   before; here the state is that of the block itself, once it has begun;
//   a signature that is missing is reckoned with: one more read of the account, and 1,120 for a key of secp256k1.

import { create, fromBinary } from "@bufbuild/protobuf";
import { bodyBytes } from "../../src/api/answer-body.ts";
import { ApiError } from "../../src/api/errors.ts";
import { type ChainRules, createExecuteBlock, type ExecutionHeader } from "../../src/chain/execute-block.ts";
import type { Bytes } from "../../src/codec/bytes.ts";
import type { TxResult } from "../../src/codec/tx-result.ts";
import { SimulateRequestSchema, SimulateResponseSchema } from "../../src/gen/cosmos/tx/v1beta1/service_pb.ts";
import { createQueries } from "../../src/queries/queries.ts";
import { getAccount } from "../../src/state/account.ts";
import { SPACE } from "../../src/state/keys.ts";
import { createBranch } from "../../src/store/branch.ts";
import type { Reader, Snapshot, Store } from "../../src/store/store.ts";
import { DEV_CHAIN_ID } from "../harness/dev-txs.ts";
import { NODE } from "../harness/door.ts";
import { type TxDraft, type TxSigner, unsignedTx } from "../harness/signed-tx.ts";
import { CAST } from "./cast.ts";
import type { RandomTx } from "./random-txs.ts";

const OUT_OF_GAS = 11;
const UNAUTHORIZED = 4;
const SIGNATURE_GAS = 1_120n;
const GAS_PER_BYTE = 10n;
const KEY_BYTES = 21n;

type Simulated = Pick<TxResult, "code" | "codespace" | "gasUsed" | "log">;

/** `tx` was the first of the block with this header, which `store` has as its newest. */
export async function checkSimulation(
  store: Store,
  rules: ChainRules,
  header: ExecutionHeader,
  { raw, draft, isShared }: RandomTx,
  delivered: TxResult,
): Promise<void> {
  if (draft === null) return;
  const begun = await openBegun(store, rules, header);
  const signed = await simulate(begun, raw);
  if (isOutOfGas(delivered)) {
    if (isOutOfGas(signed)) throw new Error("a simulation stopped at the limit of the transaction");
    if (signed.gasUsed < delivered.gasUsed)
      throw new Error(`${signed.gasUsed} simulated, ${delivered.gasUsed} delivered`);
  } else if (!isSignatureFault(delivered)) {
    expectSame(signed, delivered);
    const before = store.at(header.height - 1n);
    if (signed.code === 0 && !isShared) {
      await checkUnsigned(before, raw, draft, signed, await simulate(begun, unsignedTx(draft)));
    }
  }
}

/** A store whose newest state is that of the block when its first transaction came: its header, and the fees swept. */
async function openBegun(store: Store, rules: ChainRules, header: ExecutionHeader): Promise<Store> {
  const { height } = header;
  const state = createBranch(store.at(height - 1n));
  await createExecuteBlock(rules)(state, header, []);
  const after = store.at(height);
  const from = (key: Bytes): Reader => (key[0] === SPACE.block ? after : state);
  const view: Snapshot = {
    height,
    newest: true,
    get: (key) => from(key).get(key),
    getMany: (keys) => Promise.all(keys.map((key) => from(key).get(key))),
    range: (request) => from(request.start).range(request),
    close: () => {},
  };
  return { ...store, keep: "all", head: () => height, earliest: () => 1n, at: () => view };
}

const INFO = { ...NODE, chainId: DEV_CHAIN_ID };

async function simulate(store: Store, txBytes: Bytes): Promise<Simulated> {
  try {
    const request = create(SimulateRequestSchema, { txBytes });
    const { body } = await createQueries({ store, info: INFO }).simulateTx(request, undefined);
    const { gasInfo, result } = fromBinary(SimulateResponseSchema, bodyBytes(body));
    return { code: 0, codespace: "", gasUsed: gasInfo!.gasUsed, log: result!.log };
  } catch (error) {
    const detail = error instanceof ApiError ? error.details[0] : undefined;
    if (detail === undefined) throw error;
    const { code, codespace, gas_used } = detail;
    const log = (error as ApiError).message.replace(/ With gas wanted: '[0-9]+' and gas used: '[0-9]+' $/, "");
    return { code: Number(code), codespace: String(codespace), gasUsed: BigInt(gas_used!), log };
  }
}

function isOutOfGas({ codespace, code }: Simulated): boolean {
  return codespace === "sdk" && code === OUT_OF_GAS;
}

function isSignatureFault({ codespace, code, log }: TxResult): boolean {
  return codespace === "sdk" && code === UNAUTHORIZED && log.startsWith("signature verification failed");
}

function expectSame(simulated: Simulated, delivered: TxResult): void {
  const seen = ({ code, codespace, gasUsed, log }: Simulated) => `${codespace} ${code}, gas ${gasUsed}: ${log}`;
  if (seen(simulated) !== seen(delivered))
    throw new Error(`simulated: ${seen(simulated)}\ndelivered: ${seen(delivered)}`);
}

async function checkUnsigned(
  before: Reader,
  raw: Bytes,
  draft: TxDraft,
  signed: Simulated,
  unsigned: Simulated,
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
