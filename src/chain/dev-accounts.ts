// The cast of the development chain. Every key here derives from a mnemonic that the whole world knows: whatever these
// accounts hold on a public chain is lost.

import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { encodeAddress } from "../codec/address.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import { hash160 } from "../codec/hash.ts";

/** PUBLIC: the first test vector of BIP-39. Never use it for anything of value. */
export const DEV_MNEMONIC =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

export type DevAccount = {
  readonly name: string;
  readonly address: string;
  /** Compressed secp256k1. */
  readonly publicKey: Bytes;
  readonly privateKeyHex: string;
  readonly path: string;
};

const NAMES = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy"];
const VESTING_NAMES = ["continuous", "delayed", "periodic", "locked"];

/** Ten people, at the first ten addresses that a wallet derives from the mnemonic. */
export function devAccounts(prefix: string): DevAccount[] {
  return derived(prefix).slice(0, NAMES.length);
}

/** One account of each vesting kind, named after it, at the four addresses that follow. */
export function devVestingAccounts(prefix: string): DevAccount[] {
  return derived(prefix).slice(NAMES.length);
}

type DevKey = Omit<DevAccount, "address">;

let keys: DevKey[] | null = null;

function derived(prefix: string): DevAccount[] {
  keys ??= deriveKeys();
  return keys.map((key) => ({ ...key, address: encodeAddress(prefix, hash160(key.publicKey)) }));
}

/** Takes some 100 ms, most of it for the seed, so it is done once. */
function deriveKeys(): DevKey[] {
  const branch = "m/44'/118'/0'/0";
  const parent = HDKey.fromMasterSeed(mnemonicToSeedSync(DEV_MNEMONIC)).derive(branch);
  return [...NAMES, ...VESTING_NAMES].map((name, i) => {
    const { publicKey, privateKey } = parent.deriveChild(i);
    return {
      name,
      publicKey: publicKey as Bytes,
      privateKeyHex: toHex(privateKey!),
      path: `${branch}/${i}`,
    };
  });
}
