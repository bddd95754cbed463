// Who acts in a random chain: the people and vesting accounts of the development genesis, and newcomers whose keys
// exist before their accounts do.

import { pointFromScalar } from "tiny-secp256k1";
import { devAccounts, devVestingAccounts } from "../../src/chain/dev-accounts.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { type Bytes, toHex, utf8Encode } from "../../src/codec/bytes.ts";
import { hash160, sha256 } from "../../src/codec/hash.ts";
import type { SigningKey } from "../harness/signed-tx.ts";

export type Actor = SigningKey & { readonly address: string; readonly bytes: Bytes };

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

export const FOUNDERS: readonly Actor[] = [...devAccounts("cosmos"), ...devVestingAccounts("cosmos")].map(actor);
export const CAST: readonly Actor[] = [...FOUNDERS, ...Array.from({ length: NEWCOMERS }, (_, n) => newcomer(n))];
