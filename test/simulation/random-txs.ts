// Transactions at random for one block: most as a wallet would send them, some spoiled in a way that a chain must
// notice. What they are depends on the seed and on the state alone.

import type { Bytes } from "../../src/codec/bytes.ts";
import { baseOf, decodeAccount, getAccount } from "../../src/state/account.ts";
import type { Reader } from "../../src/store/store.ts";
import { DEV_CHAIN_ID } from "../harness/dev-txs.ts";
import { multisigTx } from "../harness/other-signatures.ts";
import type { Random } from "../harness/random-changes.ts";
import { aminoSignedTx, signedTx, type TxDraft, type TxSigner } from "../harness/signed-tx.ts";
import { type Actor, CAST, FOUNDERS, SHARED } from "./cast.ts";
import { MESSAGE_WEIGHTS, MESSAGES, pick, pickWeighted } from "./random-messages.ts";

export type RandomTx = {
  readonly raw: Bytes;
  /** What it is: its messages, and how it is spoiled. For the report of a failure. */
  readonly about: string;
  /** Null for bytes that are no transaction. */
  readonly draft: TxDraft | null;
  /** Whether its only signer is a shared key. */
  readonly isShared: boolean;
};

/** What can be wrong with a transaction that no step of its messages would notice. */
const FLAWS: Readonly<Record<string, number>> = {
  none: 60,
  sequenceAhead: 2,
  sequenceBehind: 2,
  brokenSignature: 2,
  otherChain: 2,
  littleGas: 4,
  fewGas: 2,
  greatFee: 2,
  timedOut: 1,
  longMemo: 1,
  noBytes: 1,
  cutOff: 1,
};

const MOST_TXS = 3;

/** `reader` shows the newest state, whose block had this height and time (seconds). */
export async function randomTxs(random: Random, reader: Reader, height: bigint, now: bigint): Promise<RandomTx[]> {
  const sequences = new Map<string, bigint>();
  const txs: RandomTx[] = [];
  for (let i = random(MOST_TXS + 1); i > 0; i--) txs.push(await randomTx(random, reader, height, now, sequences));
  // A transaction that comes a second time is what a client that heard no answer does.
  if (txs.length > 0 && random(10) === 0) txs.push({ ...pick(random, txs), about: "the same again" });
  return txs;
}

async function randomTx(
  random: Random,
  reader: Reader,
  height: bigint,
  now: bigint,
  sequences: Map<string, bigint>,
): Promise<RandomTx> {
  const actors = await chooseActors(random, reader);
  const signers: TxSigner[] = [];
  for (const actor of actors) {
    const { accountNumber, sequence } = baseOf(decodeAccount((await getAccount(reader, actor.bytes))!));
    const next = sequences.get(actor.address) ?? sequence;
    sequences.set(actor.address, next + 1n);
    signers.push({ ...actor, accountNumber, sequence: next });
  }
  const kinds = actors.flatMap((actor) =>
    Array.from({ length: random(5) === 0 ? 2 : 1 }, () => ({ actor, kind: pickWeighted(random, MESSAGE_WEIGHTS) })),
  );
  const draft: TxDraft = {
    chainId: DEV_CHAIN_ID,
    messages: kinds.map(({ actor, kind }) => MESSAGES[kind]!(random, actor, now)),
    signers,
    gasLimit: 600_000n,
    ...(random(3) > 0 && { fee: [{ denom: "uorr", amount: String(1 + random(900)) }] }),
    ...(random(4) === 0 && { memo: `note ${random(1000)}` }),
  };
  const flaw = pickWeighted(random, FLAWS);
  const flawed = spoilDraft(random, draft, flaw, height);
  const isShared = actors[0]!.multisig !== undefined;
  const signed = random(3) === 0 ? aminoSignedTx : signedTx;
  const raw = isShared ? sharedTx(random, actors[0]!, flawed) : signed(flawed);
  const by = isShared ? "a shared key" : String(signers.length);
  const about = `${kinds.map(({ kind }) => kind).join("+")} of ${by}, ${flaw}`;
  return spoilBytes(random, { raw, about, draft: flawed, isShared }, flaw);
}

/** Signed by as many members as must, seldom by one less, but by none never: that is a signature still to come. */
function sharedTx(random: Random, { multisig }: Actor, draft: TxDraft): Bytes {
  const { threshold, members } = multisig!;
  const first = random(members.length - threshold + 1);
  const count = random(8) === 0 ? Math.max(1, threshold - 1) : threshold;
  return multisigTx(
    draft,
    multisig!,
    Array.from({ length: count }, (_, i) => first + i),
    draft.signers[0]!,
  );
}

/** One or two that have accounts, a shared key alone; mostly founders, who have coins. */
async function chooseActors(random: Random, reader: Reader): Promise<Actor[]> {
  const chosen = new Set<Actor>();
  const wanted = random(6) === 0 ? 2 : 1;
  while (chosen.size < wanted) {
    const actor = pick(random, [CAST, CAST, SHARED, FOUNDERS, FOUNDERS, FOUNDERS][random(6)]!);
    if ((await getAccount(reader, actor.bytes)) === null) continue;
    if (actor.multisig !== undefined) return [actor];
    chosen.add(actor);
  }
  return [...chosen];
}

function spoilDraft(random: Random, draft: TxDraft, flaw: string, height: bigint): TxDraft {
  const shifted = (by: bigint) =>
    draft.signers.map((signer) => ({ ...signer, sequence: BigInt.asUintN(64, signer.sequence + by) }));
  switch (flaw) {
    case "sequenceAhead":
      return { ...draft, signers: shifted(1n + BigInt(random(3))) };
    case "sequenceBehind":
      return { ...draft, signers: shifted(-1n) };
    case "otherChain":
      return { ...draft, chainId: "orrery-2" };
    case "littleGas":
      return { ...draft, gasLimit: 45_000n + BigInt(random(40_000)) };
    case "fewGas":
      return { ...draft, gasLimit: BigInt(random(20_000)) };
    case "greatFee":
      return { ...draft, fee: [{ denom: "uorr", amount: "999999999999999999" }] };
    case "timedOut":
      return { ...draft, timeoutHeight: height - 1n };
    case "longMemo":
      return { ...draft, memo: "long ".repeat(60) };
    default:
      return draft;
  }
}

function spoilBytes(random: Random, tx: RandomTx, flaw: string): RandomTx {
  const raw = tx.raw.slice();
  if (flaw === "brokenSignature") raw[raw.length - 1 - random(60)]! ^= 1 + random(255);
  if (flaw === "noBytes")
    return { ...tx, draft: null, raw: Uint8Array.from({ length: 1 + random(40) }, () => random(256)) };
  if (flaw === "cutOff") return { ...tx, draft: null, raw: raw.slice(0, random(raw.length)) };
  return { ...tx, raw };
}
