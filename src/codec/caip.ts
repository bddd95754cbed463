// Chain and account ids across chains: CAIP-2 (`cosmos:orrery-1`) and CAIP-10 (`cosmos:orrery-1:cosmos1…`).

import { toHex, utf8Encode } from "./bytes.ts";
import { sha256 } from "./hash.ts";

export type AccountId = { readonly chain: string; readonly namespace: string; readonly address: string };

const CHAIN_ID = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;
const ACCOUNT_ID = /^(([-a-z0-9]{3,8}):[-_a-zA-Z0-9]{1,32}):([-.%a-zA-Z0-9]{1,128})$/;

export function isCaip2(text: string): boolean {
  return CHAIN_ID.test(text);
}

/** Null for a text that is not a CAIP-10 account id. */
export function parseCaip10(text: string): AccountId | null {
  const match = ACCOUNT_ID.exec(text);
  if (match === null) return null;
  return { chain: match[1]!, namespace: match[2]!, address: match[3]! };
}

/**
 * The CAIP-2 id of a chain of this ecosystem. A chain id that does not fit the form, or that could be taken for a
 * hashed one, is named by its hash.
 */
export function cosmosChain(chainId: string): string {
  if (/^[-a-zA-Z0-9]{1,32}$/.test(chainId) && !chainId.startsWith("hashed-")) return `cosmos:${chainId}`;
  return `cosmos:hashed-${toHex(sha256(utf8Encode(chainId))).slice(0, 16)}`;
}
