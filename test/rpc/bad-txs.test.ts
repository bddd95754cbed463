// What no node takes, at both doors where transactions come in: the same code and sentence at each, except where the
// table says otherwise; and none of it waits for a block afterwards.

import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { devGenesis } from "../../src/chain/dev-genesis.ts";
import { packAny } from "../../src/codec/any.ts";
import { type Bytes, toBase64 } from "../../src/codec/bytes.ts";
import { decodeTx } from "../../src/codec/tx.ts";
import { MsgSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { createNode, type Node } from "../../src/node.ts";
import { DEV_CHAIN_ID, person, send } from "../harness/dev-txs.ts";
import type { JsonObject } from "../harness/door.ts";
import { rawTx, signedTx, type TxDraft } from "../harness/signed-tx.ts";

const ANYWHERE = { host: "127.0.0.1", port: 0 };
/** Small enough that a transaction which no block can hold still passes both doors' limits for a body. */
const BLOCK_BYTES = 100_000;

const faults: string[] = [];
const log = { debug() {}, info() {}, warn() {}, error: (text: string) => void faults.push(text) };
let node: Node;

beforeAll(async () => {
  const genesis = structuredClone(devGenesis()) as { consensus_params: { block: object; evidence: object } };
  const { block, evidence } = genesis.consensus_params;
  Object.assign(block, { max_bytes: String(BLOCK_BYTES) });
  Object.assign(evidence, { max_bytes: "1000" });
  const options = { mode: "dev", engine: "memory", home: "", manual: true, genesis, log } as const;
  node = await createNode({ ...options, api: ANYWHERE, rpc: ANYWHERE });
});
afterEach(() => {
  expect(node.txEntry.size()).toEqual({ txs: 0, bytes: 0 });
  expect(faults).toEqual([]);
});
afterAll(() => node.close());

const [alice, bob] = [person("alice"), person("bob")];

const draft = (more: Partial<TxDraft> = {}): TxDraft => ({
  chainId: DEV_CHAIN_ID,
  messages: [send(alice.address, bob.address, 5n)],
  signers: [{ ...alice, accountNumber: 0n, sequence: 0n }],
  gasLimit: 200_000n,
  ...more,
});

type Row = readonly [name: string, raw: () => Bytes, verdict: string];

const NOT_SIGNED =
  "sdk 4 signature verification failed; please verify account number (0) and chain-id (orrery-1): unauthorized";

const REFUSED: Row[] = [
  ["no wire format", () => Uint8Array.of(0, 0, 0), "sdk 2 invalid length; proto: invalid field number: tx parse error"],
  ["cut off", () => signedTx(draft()).slice(0, -10), "sdk 2 invalid length; unexpected EOF: tx parse error"],
  [
    "a message of an unknown type",
    () => unknownMessage(),
    "sdk 2 unable to resolve type URL /no.such.Msg: tx parse error",
  ],
  ["no message", () => signedTx(draft({ messages: [] })), "sdk 18 must contain at least one message: invalid request"],
  ["for another chain", () => signedTx(draft({ chainId: "other-1" })), NOT_SIGNED],
  [
    "a sequence too high",
    () => signedTx(draft({ signers: [{ ...alice, accountNumber: 0n, sequence: 7n }] })),
    "sdk 32 account sequence mismatch, expected 0, got 7: incorrect account sequence",
  ],
  [
    "a fee beyond the balance",
    () => signedTx(draft({ fee: [{ denom: "uorr", amount: "1000000000001" }] })),
    "sdk 5 spendable balance 1000000000000uorr is smaller than 1000000000001uorr: insufficient funds: insufficient funds",
  ],
  [
    "more gas than a block has",
    () => signedTx(draft({ gasLimit: 30_000_001n })),
    "sdk 41 tx gas limit 30000001 exceeds block max gas 30000000: invalid gas limit",
  ],
  [
    "less gas than its check takes",
    () => signedTx(draft({ gasLimit: 10_000n })),
    "sdk 11 out of gas in location: ReadFlat; gasWanted: 10000, gasUsed: 10142: out of gas",
  ],
  ["a wrong signature", () => withSignatures([new Uint8Array(64).fill(1)]), NOT_SIGNED],
  ["an empty signature", () => withSignatures([new Uint8Array(0)]), NOT_SIGNED],
  ["no signature", () => withSignatures([]), "sdk 15 no signatures supplied"],
];

test.each(REFUSED)("the same at both doors: %s", async (_name, raw, verdict) => {
  const tx = raw();
  // Twice, because what was refused is not remembered: it may be good later.
  for (let times = 0; times < 2; times++) {
    expect(await rest(tx)).toEqual([200, verdict]);
    expect(await rpc("broadcast_tx_sync", tx)).toEqual([200, verdict]);
    expect(await rpc("check_tx", tx)).toEqual([200, verdict]);
  }
});

test("not even checked: the RPC door answers with an error, the other with a code; check_tx checks", async () => {
  const tx = signedTx(draft({ memo: "x".repeat(BLOCK_BYTES) }));
  const sentence = "tx size is too big: 100306, max: 99158";
  expect(await rest(tx)).toEqual([200, `sdk 21 ${sentence}`]);
  expect(await rpc("broadcast_tx_sync", tx)).toEqual([200, `error -32603 Internal error: ${sentence}`]);
  const memo = "maximum number of characters is 256 but received 100000 characters: memo too large";
  expect(await rpc("check_tx", tx)).toEqual([200, `sdk 12 ${memo}`]);
});

test("empty: one door misses a parameter, the other finds no message", async () => {
  const tx = new Uint8Array(0);
  expect(await rest(tx)).toEqual([400, "status 3 tx_bytes: invalid empty tx"]);
  const verdict = "sdk 18 must contain at least one message: invalid request";
  expect(await rpc("broadcast_tx_sync", tx)).toEqual([200, verdict]);
  expect(await rpc("check_tx", tx)).toEqual([200, verdict]);
});

test("above the limit for a body, which each door has its own of", async () => {
  expect(await rest(new Uint8Array(200_000))).toEqual([413, "status 8 body: larger than 262144 bytes"]);
  const tooLarge = "error -32600 Invalid Request: error reading request body: http: request body too large";
  for (const method of ["broadcast_tx_sync", "check_tx"]) {
    expect(await rpc(method, new Uint8Array(800_000))).toEqual([400, tooLarge]);
  }
});

test("a duplicate, while the first waits and when it is in a block", async () => {
  const signers = [{ ...bob, accountNumber: 1n, sequence: 0n }];
  const tx = signedTx(draft({ messages: [send(bob.address, alice.address, 1n)], signers }));
  expect(await rest(tx)).toEqual([200, " 0 []"]);
  const refuseAgain = async () => {
    expect(await rest(tx)).toEqual([200, "sdk 19 tx already exists in cache"]);
    expect(await rpc("broadcast_tx_sync", tx)).toEqual([
      200,
      "error -32603 Internal error: tx already exists in cache",
    ]);
    // It asks the state that the first one left behind.
    const used = "sdk 32 account sequence mismatch, expected 1, got 0: incorrect account sequence";
    expect(await rpc("check_tx", tx)).toEqual([200, used]);
  };
  await refuseAgain();
  expect(node.txEntry.size().txs).toBe(1);
  await node.produceBlock();
  await refuseAgain();
});

function unknownMessage(): Bytes {
  const message = packAny(MsgSendSchema, create(MsgSendSchema));
  return signedTx(draft({ messages: [{ ...message, typeUrl: "/no.such.Msg" }] }));
}

function withSignatures(signatures: Uint8Array[]): Bytes {
  const { bodyBytes, authInfoBytes } = decodeTx(signedTx(draft()));
  return rawTx(bodyBytes, authInfoBytes, signatures);
}

/** The HTTP status, and `codespace code sentence` or `status code sentence`. */
async function rest(raw: Bytes): Promise<[number, string]> {
  const response = await fetch(`${node.url}/cosmos/tx/v1beta1/txs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tx_bytes: toBase64(raw), mode: "BROADCAST_MODE_SYNC" }),
  });
  const { tx_response: checked, code, message } = (await response.json()) as JsonObject;
  if (checked === undefined) return [response.status, `status ${code} ${message}`];
  const { codespace, code: verdict, raw_log } = checked as JsonObject;
  return [response.status, `${codespace} ${verdict} ${raw_log}`];
}

/** The HTTP status, and `codespace code sentence` or `error code name: sentence`. */
async function rpc(method: string, raw: Bytes): Promise<[number, string]> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { tx: toBase64(raw) } });
  const response = await fetch(node.rpcUrl!, { method: "POST", body });
  const { result, error } = (await response.json()) as { result?: JsonObject; error?: JsonObject };
  if (result === undefined) return [response.status, `error ${error?.code} ${error?.message}: ${error?.data}`];
  return [response.status, `${result.codespace} ${result.code} ${result.log}`];
}
