// The accounts of signers, and the keys they sign with.

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { messageOfTypeUrl } from "../codec/any.ts";
import { type Bytes, fromHex } from "../codec/bytes.ts";
import type { PubKeyAny } from "../codec/key-address.ts";
import { WireWriter } from "../codec/wire.ts";
import { type Account, baseOf, decodeAccount, getAccount } from "../state/account.ts";
import type { TxContext } from "./context.ts";
import { failure, ROOT } from "./errors.ts";

/** Stands in for a key that is not known yet, so that a simulation pays for one of its size. */
export const PLACEHOLDER_KEY: PubKeyAny = {
  typeUrl: "/cosmos.crypto.secp256k1.PubKey",
  value: new WireWriter()
    .bytesField(1, fromHex("035ad6810a47f073553ff30d2fcc7e0d3b1c0b74b61a1aaa2582344037151e143a"))
    .finish(),
};

/** One charged read. */
export async function signerAccount(context: TxContext, address: Bytes): Promise<Account> {
  const stored = await getAccount(context.state, address);
  if (stored === null) {
    throw failure(ROOT.unknownAddress, `account ${context.addressText(address)} does not exist`);
  }
  return decodeAccount(stored);
}

/** Null for an account that has not signed anything yet. */
export function keyOf(account: Account): PubKeyAny | null {
  return baseOf(account).pubKey ?? null;
}

/** Decoded and encoded again, as the reference stores it: one key, one form. */
export function canonicalKey({ typeUrl, value }: PubKeyAny): PubKeyAny {
  const desc = messageOfTypeUrl(typeUrl)!;
  return { typeUrl, value: toBinary(desc, fromBinary(desc, value)) as Bytes };
}
