// 50,000 damaged transactions in every mode: each is refused in words or executed as it says. Never an exception, never
// a coin more or less, and nothing is delivered that was not signed.

import { expect, test } from "bun:test";
import { create } from "@bufbuild/protobuf";
import { executeTx, type Mode, type TxOutcome } from "../../src/chain/execute-tx.ts";
import { packAny } from "../../src/codec/any.ts";
import { type Bytes, concatBytes, toHex } from "../../src/codec/bytes.ts";
import { decodeTx } from "../../src/codec/tx.ts";
import { MsgMultiSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import {
  MsgCreatePeriodicVestingAccountSchema,
  MsgCreatePermanentLockedAccountSchema,
  MsgCreateVestingAccountSchema,
} from "../../src/gen/cosmos/vesting/v1beta1/tx_pb.ts";
import { amountOf, denomOfBalanceKey } from "../../src/state/bank.ts";
import { SPACE } from "../../src/state/keys.ts";
import type { Reader } from "../../src/store/store.ts";
import { DEV_BLOCK, devState } from "../harness/dev-state.ts";
import { DEV_CHAIN_ID, person, send, signerOf } from "../harness/dev-txs.ts";
import { aminoSignedTx, multisigAddress, multisigTx } from "../harness/other-signatures.ts";
import { type Random, seededRandom } from "../harness/random-changes.ts";
import { rawTx, signedTx, type TxDraft, unsignedTx } from "../harness/signed-tx.ts";

const CASES = 50_000;
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
  const { bodyBytes, authInfoBytes, signatures } = decodeTx(raw);
  return [bodyBytes, authInfoBytes, ...signatures].map(toHex).join("/");
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
      messages: [vesting(MsgCreateVestingAccountSchema, { ...from, amount: coins, endTime: 1_900_000_000n })],
    },
    { ...common, messages: [vesting(MsgCreatePermanentLockedAccountSchema, { ...from, amount: coins })] },
    {
      ...common,
      messages: [
        vesting(MsgCreatePeriodicVestingAccountSchema, {
          ...from,
          startTime: 1_800_000_000n,
          vestingPeriods: [{ length: 60n, amount: coins }],
        }),
      ],
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

function vesting<D extends Parameters<typeof packAny>[0]>(desc: D, init: Parameters<typeof create<D>>[1]) {
  return packAny(desc, create(desc, init));
}
