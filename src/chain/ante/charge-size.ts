// Gas for the size of the transaction. A simulation usually comes without signatures: it also pays for those to come.

import { AddressError } from "../../codec/address.ts";
import type { Bytes } from "../../codec/bytes.ts";
import { aminoKey } from "../../codec/key-address.ts";
import { isComplete } from "../../codec/signature-data.ts";
import { WireWriter } from "../../codec/wire.ts";
import { decodeAccount, getAccount, getAuthParams } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { failure, ROOT } from "../errors.ts";
import { keyOf, PLACEHOLDER_KEY } from "../signer-account.ts";

const MULTISIG = "/cosmos.crypto.multisig.LegacyAminoPubKey";
/** What the reference adds for the tags around a signature. */
const OVERHEAD = 6;
const SIGNATURE = new Uint8Array(64);

export async function chargeSize(context: TxContext): Promise<void> {
  const { tx, state, gas, rules } = context;
  const params = await getAuthParams(state);
  const perByte = params.txSizeCostPerByte;
  gas.consume(perByte * BigInt(tx.raw.length), "txSize");
  if (rules.needsKeys) return;
  const { signatures } = context;
  for (const [i, signer] of context.signers.entries()) {
    if (isComplete(signatures[i] ?? null)) continue;
    const key = await expectedKey(context, signer);
    // For a multisig key, as many signatures are reckoned with as a transaction may have.
    const count = key.typeUrl === MULTISIG ? params.txSigLimit : 1n;
    gas.consume(perByte * BigInt(signatureSize(key)) * count, "txSize");
  }
}

async function expectedKey({ state }: TxContext, signer: Bytes) {
  const stored = await getAccount(state, signer);
  return (stored === null ? null : keyOf(decodeAccount(stored))) ?? PLACEHOLDER_KEY;
}

/** The length of key and signature together in the older encoding, which is what the reference measures. */
function signatureSize(key: typeof PLACEHOLDER_KEY): number {
  try {
    const whole = new WireWriter().messageField(1, aminoKey(key)).messageField(2, SIGNATURE);
    return whole.finish().length + OVERHEAD;
  } catch (error) {
    if (error instanceof AddressError) throw failure(ROOT.invalidPubKey, error.message);
    throw error;
  }
}
