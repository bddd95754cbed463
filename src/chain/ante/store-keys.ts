// The first transaction of an account brings the key that belongs to its address; it is stored for all later ones.

import { create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { AddressError } from "../../codec/address.ts";
import { type Bytes, equalBytes, toBase64 } from "../../codec/bytes.ts";
import { accountAddressOf, type PubKeyAny } from "../../codec/key-address.ts";
import { flatSignatures } from "../../codec/signature-data.ts";
import { baseOf, putAccount } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { failure, plainFailure, ROOT } from "../errors.ts";
import { event } from "../events.ts";
import { canonicalKey, keyOf, PLACEHOLDER_KEY, signerAccount } from "../signer-account.ts";

export async function storeKeys(context: TxContext): Promise<void> {
  const { rules, tx } = context;
  for (const [i, { publicKey }] of tx.authInfo.signerInfos.entries()) {
    const key = givenKey(publicKey) ?? (rules.needsKeys ? null : PLACEHOLDER_KEY);
    if (key !== null) await storeKey(context, i, key);
  }
  emitSignatures(context);
}

async function storeKey(context: TxContext, index: number, key: PubKeyAny): Promise<void> {
  const signer = context.signer(index);
  if (context.rules.needsKeys && !equalBytes(addressOfKey(key), signer)) {
    const place = `signer address ${context.addressText(signer)} with signer index: ${index}`;
    throw failure(ROOT.invalidPubKey, `pubKey does not match ${place}`);
  }
  const account = await signerAccount(context, signer);
  if (keyOf(account) !== null) return;
  if (account.$typeName === "cosmos.auth.v1beta1.ModuleAccount") {
    throw failure(ROOT.invalidPubKey, "not supported for module accounts");
  }
  baseOf(account).pubKey = create(AnySchema, canonicalKey(key));
  putAccount(context.state, signer, account);
}

/** So that transactions can be found by their signers and signatures. */
function emitSignatures(context: TxContext): void {
  const { signatures, tx } = context;
  for (const [i, data] of signatures.entries()) {
    const sequence = data === null ? 0n : tx.authInfo.signerInfos[i]!.sequence;
    context.emit(event("tx", ["acc_seq", `${context.addressText(context.signer(i))}/${sequence}`]));
    const flat = flatSignatures(data);
    if (flat === null) throw plainFailure("got empty SignatureData");
    for (const signature of flat) context.emit(event("tx", ["signature", toBase64(signature)]));
  }
}

/** A typed object without a type counts as no key. */
function givenKey(key: PubKeyAny | undefined): PubKeyAny | null {
  return key === undefined || key.typeUrl === "" ? null : key;
}

function addressOfKey(key: PubKeyAny): Bytes {
  try {
    return accountAddressOf(key);
  } catch (error) {
    if (error instanceof AddressError) throw failure(ROOT.invalidPubKey, error.message);
    throw error;
  }
}
