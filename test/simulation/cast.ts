// Who acts in a random chain: the people and vesting accounts of the development genesis, and newcomers whose keys
// exist before their accounts do, some of them shared keys.

import { pointFromScalar } from "tiny-secp256k1";
import { devAccounts, devVestingAccounts } from "../../src/chain/dev-accounts.ts";
import { encodeAddress, parseAddress } from "../../src/codec/address.ts";
import { type Bytes, toHex, utf8Encode } from "../../src/codec/bytes.ts";
import { hash160, sha256 } from "../../src/codec/hash.ts";
import { type Multisig, multisigAddress } from "../harness/other-signatures.ts";
import type { SigningKey } from "../harness/signed-tx.ts";

/** With `multisig`, the account is that of the shared key, and the key of its own is the first member's. */
export type Actor = SigningKey & { readonly address: string; readonly bytes: Bytes; readonly multisig?: Multisig };

const NEWCOMERS = 60;

function newcomer(n: number): Actor {
  const secret = sha256(utf8Encode(`newcomer ${n}`));
  const publicKey = pointFromScalar(secret, true) as Bytes;
  return actor({ publicKey, privateKeyHex: toHex(secret) });
}

function actor({ publicKey, privateKeyHex }: SigningKey): Actor {
  const bytes = hash160(publicKey);
  return { publicKey, privateKeyHex, bytes, address: encodeAddress("cosmos", bytes) };
}

function shared(multisig: Multisig): Actor {
  const address = multisigAddress(multisig);
  return { ...multisig.members[0]!, address, bytes: parseAddress(address, "cosmos"), multisig };
}

export const FOUNDERS: readonly Actor[] = [...devAccounts("cosmos"), ...devVestingAccounts("cosmos")].map(actor);
/** Two of three, and one of two. */
export const SHARED: readonly Actor[] = [
  { threshold: 2, members: FOUNDERS.slice(0, 3) },
  { threshold: 1, members: FOUNDERS.slice(3, 5) },
].map(shared);
export const CAST: readonly Actor[] = [
  ...FOUNDERS,
  ...SHARED,
  ...Array.from({ length: NEWCOMERS }, (_, n) => newcomer(n)),
];
