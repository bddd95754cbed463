// 50,000 damaged transactions in every mode: each is refused in words or executed as it says. Never an exception, never
// a coin more or less, and nothing is delivered that was not signed.

import { expect, test } from "bun:test";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { DevAccount } from "../../src/chain/dev-accounts.ts";
import { accountMultikey } from "../../src/chain/dev-keys.ts";
import { executeTx, type Mode, type TxOutcome } from "../../src/chain/execute-tx.ts";
import { packAny } from "../../src/codec/any.ts";
import { type Bytes, concatBytes, toBase64, toHex } from "../../src/codec/bytes.ts";
import { decodeTx } from "../../src/codec/tx.ts";
import { MsgMultiSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import { type AuthInfo, AuthInfoSchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import {
  MsgCreatePeriodicVestingAccountSchema,
  MsgCreatePermanentLockedAccountSchema,
  MsgCreateVestingAccountSchema,
} from "../../src/gen/cosmos/vesting/v1beta1/tx_pb.ts";
import { type DidDocumentSchema, KeyType } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import {
  MsgCreateDidDocumentSchema,
  MsgDeactivateDidDocumentSchema,
  MsgUpdateDidDocumentSchema,
} from "../../src/gen/orrery/identity/v1/tx_pb.ts";
import { createNode, type Node } from "../../src/node.ts";
import { amountOf, denomOfBalanceKey } from "../../src/state/bank.ts";
import { SPACE } from "../../src/state/keys.ts";
import type { Reader } from "../../src/store/store.ts";
import { DEV_BLOCK, devState } from "../harness/dev-state.ts";
import { DEV_CHAIN_ID, person, send, sendTx, signerOf } from "../harness/dev-txs.ts";
import { aminoSignedTx, multisigAddress, multisigTx } from "../harness/other-signatures.ts";
import { type Random, seededRandom } from "../harness/random-changes.ts";
import { rawTx, signedTx, type TxDraft, unsignedTx } from "../harness/signed-tx.ts";

const CASES = 50_000;
const SENT = 1_000;
const MODES: readonly Mode[] = ["deliver", "check", "recheck", "simulate"];
const NEW_ADDRESS = "cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu";

test(`${CASES} mutated transactions`, async () => {
  const state = await devState();
  const originals = await corpus(state);
  for (const raw of originals) {
    const { code, log } = await executeTx(state, DEV_BLOCK, raw, "simulate");
    expect([code, code === 0 ? "" : log]).toEqual([0, ""]);
  }
  const signed = new Set(originals.map(contentOf));
  const counts = { refused: 0, executed: 0, failedInside: 0 };
  const random = seededRandom(20_260_115);
  for (let i = 0; i < CASES; i++) {
    const raw = mutate(originals, random);
    const mode = MODES[i % MODES.length]!;
    const outcome = await execute(state, raw, mode);
    if (outcome.code === 0) counts.executed++;
    else if (outcome.changes.length > 0) counts.failedInside++;
    else counts.refused++;
    if (outcome.code !== 0 && outcome.log === "") throw new Error(`no reason is given for ${toHex(raw)}`);
    await refuseNewCoins(state, outcome, raw);
    const delivers = mode === "deliver" && outcome.changes.length > 0;
    if (delivers && !signed.has(contentOf(raw))) throw new Error(`delivered, but never signed: ${toHex(raw)}`);
  }
  // The mutations reach every depth: most are refused, some do all that a transaction does, some fail half way.
  expect(counts.refused).toBeGreaterThan(CASES / 2);
  expect(counts.executed).toBeGreaterThan(CASES / 50);
  expect(counts.failedInside).toBeGreaterThan(10);
}, 120_000);

test(`${SENT} mutated transactions at each door of a node`, async () => {
  const faults: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (text: string) => void faults.push(text) };
  const anywhere = { host: "127.0.0.1", port: 0 };
  const options = { mode: "dev", engine: "memory", home: "", manual: true, log } as const;
  const node = await createNode({ ...options, api: anywhere, rpc: anywhere });
  try {
    const originals = await corpus(await devState());
    const before = await supplyOf(node);
    const random = seededRandom(20_260_116);
    const verdicts = new Set<number>();
    for (let i = 0; i < SENT; i++) {
      // Now and then one as it was signed, so that blocks are made of some, and damage meets a state that moves.
      const raw = i % 50 === 49 ? originals[random(originals.length)]! : mutate(originals, random);
      verdicts.add(await sendToAllDoors(node, raw));
      if (i % 100 === 99) await node.produceBlock();
      if (faults.length > 0) throw new Error(`${faults[0]}: ${toHex(raw)}`);
    }
    // Some waited for a block, and the others were refused for various reasons.
    expect([...verdicts]).toContain(0);
    expect(verdicts.size).toBeGreaterThan(5);
    expect(node.txEntry.size()).toEqual({ txs: 0, bytes: 0 });
    expect(node.failure()).toBeNull();
    expect(await supplyOf(node)).toEqual(before);
    expect(await isTakenAndExecuted(node)).toBe(true);
  } finally {
    await node.close();
  }
}, 60_000);

/** Returns the code of its check. */
async function sendToAllDoors(node: Node, raw: Bytes): Promise<number> {
  const tx = toBase64(raw);
  const simulated = await post(`${node.url}/cosmos/tx/v1beta1/simulate`, { tx_bytes: tx });
  const sent = await post(`${node.url}/cosmos/tx/v1beta1/txs`, { tx_bytes: tx, mode: "BROADCAST_MODE_SYNC" });
  const rpc = await post(node.rpcUrl!, { jsonrpc: "2.0", id: 1, method: "broadcast_tx_sync", params: { tx } });
  for (const { status, text } of [simulated, sent, rpc]) {
    if (status >= 500) throw new Error(`${status} ${text}: ${toHex(raw)}`);
  }
  const { result, error } = JSON.parse(rpc.text) as { result?: { code: number }; error?: { data: string } };
  // Good ones wait since the other door took them.
  if (result === undefined && error?.data !== "tx already exists in cache") {
    throw new Error(`${rpc.text}: ${toHex(raw)}`);
  }
  return result?.code ?? 0;
}

async function post(url: string, body: object): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

async function supplyOf(node: Node): Promise<unknown> {
  const { supply } = (await (await fetch(`${node.url}/cosmos/bank/v1beta1/supply`)).json()) as { supply: unknown[] };
  expect(supply.length).toBeGreaterThan(1);
  return supply;
}

/** By someone who signed none of the others. */
async function isTakenAndExecuted(node: Node): Promise<boolean> {
  const carol = await signerOf(await devState(), person("carol"));
  const { text } = await post(`${node.url}/cosmos/tx/v1beta1/txs`, {
    tx_bytes: toBase64(sendTx(carol, person("bob"), 1n)),
    mode: "BROADCAST_MODE_SYNC",
  });
  const { txhash } = (JSON.parse(text) as { tx_response: { txhash: string } }).tx_response;
  await node.produceBlock();
  const found = await fetch(`${node.url}/cosmos/tx/v1beta1/txs/${txhash}`);
  return found.status === 200 && ((await found.json()) as { tx_response: { code: number } }).tx_response.code === 0;
}

async function execute(state: Reader, raw: Bytes, mode: Mode): Promise<TxOutcome> {
  try {
    return await executeTx(state, DEV_BLOCK, raw, mode);
  } catch (error) {
    throw new Error(`${mode} of ${toHex(raw)}`, { cause: error });
  }
}

/** What balances gain and lose comes to nothing for each denom, none is negative, and no supply is written. */
async function refuseNewCoins(state: Reader, { changes }: TxOutcome, raw: Bytes): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const [key, value] of changes) {
    if (key[0] !== SPACE.bank) continue;
    if (key[1] === 0x00) throw new Error(`writes a supply: ${toHex(raw)}`);
    if (key[1] !== 0x02) continue;
    const denom = denomOfBalanceKey(key);
    const gained = amountOf(value) - amountOf(await state.get(key));
    sums.set(denom, (sums.get(denom) ?? 0n) + gained);
  }
  for (const [denom, sum] of sums) if (sum !== 0n) throw new Error(`${sum} more of ${denom}: ${toHex(raw)}`);
}

/** What the signatures cover, and they themselves: the same for two forms of one transaction. */
function contentOf(raw: Bytes): string {
  const { bodyBytes, authInfoBytes, authInfo, signatures } = decodeTx(raw);
  const counted = hasStrayBits(authInfo) ? toBinary(AuthInfoSchema, authInfo) : authInfoBytes;
  return [bodyBytes, counted as Bytes, ...signatures].map(toHex).join("/");
}

/**
 * Amino JSON does not cover the bits that tell who of a multisig key signed, and those behind the last member stand for
 * nobody: the reference does not look at them either. Clears them, and returns whether there were any.
 */
function hasStrayBits({ signerInfos }: AuthInfo): boolean {
  let found = false;
  for (const { modeInfo } of signerInfos) {
    if (modeInfo?.sum.case !== "multi") continue;
    const { elems, extraBitsStored = 0 } = modeInfo.sum.value.bitarray ?? {};
    if (elems === undefined || elems.length === 0 || extraBitsStored === 0) continue;
    const last = elems.length - 1;
    const counted = elems[last]! & (0xff00 >> extraBitsStored);
    found ||= counted !== elems[last];
    elems[last] = counted;
  }
  return found;
}

function mutate(originals: readonly Bytes[], random: Random): Bytes {
  const pick = () => originals[random(originals.length)]!;
  const raw = pick();
  // Half of them keep the frame of a transaction, so that the damage is met further in.
  if (random(2) === 0) return damage(raw, pick(), random);
  const { bodyBytes, authInfoBytes, signatures } = decodeTx(raw);
  const other = decodeTx(pick());
  switch (random(4)) {
    case 0:
      return rawTx(damage(bodyBytes, other.bodyBytes, random), authInfoBytes, signatures);
    case 1:
      return rawTx(bodyBytes, damage(authInfoBytes, other.authInfoBytes, random), signatures);
    case 2:
      return rawTx(bodyBytes, authInfoBytes, [damage(signatures[0]!, other.signatures[0]!, random)]);
    default:
      return rawTx(bodyBytes, other.authInfoBytes, random(2) === 0 ? signatures : other.signatures);
  }
}

function damage(bytes: Bytes, other: Bytes, random: Random): Bytes {
  const at = random(bytes.length + 1);
  switch (random(6)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return concatBytes(bytes.subarray(0, at), other.subarray(random(other.length + 1)));
    case 2: {
      const from = random(bytes.length + 1);
      return concatBytes(bytes.subarray(0, at), bytes.subarray(from, from + 1 + random(40)), bytes.subarray(at));
    }
    case 3:
      return concatBytes(bytes.subarray(0, at), Uint8Array.of(random(256)), bytes.subarray(at));
    default: {
      const flipped = bytes.slice();
      for (let flips = 1 + random(3); flips > 0 && flipped.length > 0; flips--) {
        flipped[random(flipped.length)]! ^= 1 << random(8);
      }
      return flipped;
    }
  }
}

/** One of each kind of message and of signature; none of them fails as it is. */
async function corpus(state: Reader): Promise<Bytes[]> {
  const alice = await signerOf(state, person("alice"));
  const bob = await signerOf(state, person("bob"));
  const dave = await signerOf(state, person("dave"));
  /** Has no document yet; the others have. */
  const judy = await signerOf(state, person("judy"));
  const fee = [{ denom: "uorr", amount: "500" }];
  const coins = [{ denom: "uorr", amount: "7" }];
  const common = {
    chainId: DEV_CHAIN_ID,
    signers: [alice],
    gasLimit: 200_000n,
    fee,
    memo: "a memo",
    timeoutHeight: 99n,
  };
  const from = { fromAddress: alice.address, toAddress: NEW_ADDRESS };
  const drafts: TxDraft[] = [
    { ...common, messages: [send(alice.address, bob.address, 5n)] },
    {
      ...common,
      messages: [send(alice.address, NEW_ADDRESS, 5n), send(bob.address, alice.address, 1n)],
      signers: [alice, bob],
    },
    { ...common, signers: [dave], messages: [send(dave.address, alice.address, 5n)] },
    {
      ...common,
      messages: [
        packAny(
          MsgMultiSendSchema,
          create(MsgMultiSendSchema, {
            inputs: [{ address: alice.address, coins: [{ denom: "uorr", amount: "14" }] }],
            outputs: [bob.address, NEW_ADDRESS].map((address) => ({ address, coins })),
          }),
        ),
      ],
    },
    {
      ...common,
      messages: [packed(MsgCreateVestingAccountSchema, { ...from, amount: coins, endTime: 1_900_000_000n })],
    },
    { ...common, messages: [packed(MsgCreatePermanentLockedAccountSchema, { ...from, amount: coins })] },
    {
      ...common,
      messages: [
        packed(MsgCreatePeriodicVestingAccountSchema, {
          ...from,
          startTime: 1_800_000_000n,
          vestingPeriods: [{ length: 60n, amount: coins }],
        }),
      ],
    },
    {
      ...common,
      signers: [judy],
      messages: [packed(MsgCreateDidDocumentSchema, { creator: judy.address, document: documentOf(judy) })],
    },
    {
      ...common,
      messages: [packed(MsgUpdateDidDocumentSchema, { creator: alice.address, document: documentOf(alice) })],
    },
    {
      ...common,
      signers: [bob],
      messages: [packed(MsgDeactivateDidDocumentSchema, { creator: bob.address, did: `did:orr:${bob.address}` })],
    },
  ];
  const multisig = { threshold: 2, members: ["alice", "bob", "carol"].map(person) };
  const ours = { ...person("alice"), address: multisigAddress(multisig) };
  const account = await signerOf(state, ours);
  const fromMultisig = { ...common, messages: [send(ours.address, bob.address, 3n)] };
  return [
    ...drafts.map(signedTx),
    ...drafts.map(unsignedTx),
    aminoSignedTx(drafts[0]!),
    multisigTx(fromMultisig, multisig, [0, 2], account),
  ];
}

function packed<D extends Parameters<typeof packAny>[0]>(desc: D, init: Parameters<typeof create<D>>[1]) {
  return packAny(desc, create(desc, init));
}

function documentOf({ address, publicKey }: DevAccount): MessageInitShape<typeof DidDocumentSchema> {
  const did = `did:orr:${address}`;
  const method = {
    iD: `${did}#key`,
    controller: did,
    type: KeyType.KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019,
    publicKeyMultibase: accountMultikey(publicKey),
    blockchainAccountId: address,
  };
  return {
    iD: did,
    controller: [did],
    verificationMethod: { data: [method] },
    authentication: { data: [{ reference: "#key" }] },
    service: { data: [{ iD: "#hub", type: "LinkedDomains", serviceEndpoint: "https://hub.example/1" }] },
    alsoKnownAs: ["https://example.org/1"],
  };
}
