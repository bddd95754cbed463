// What a reader asks again and again while the chain grows: every list and every single thing, by all that can be
// asked at a height.

import { poolAddressText, poolAlias, poolDenom, poolDid, poolKeyId, type Random } from "./random-changes.ts";

const BANK = "/core/bank/v1beta1";
const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";

/** One path for each operation that reads the state, over random things, in a random manner of paging. */
export function stateQuestions(random: Random): string[] {
  const address = poolAddressText(random(99));
  const did = poolDid(random(99));
  const page = randomPage(random);
  return [
    `${DID}?${page}`,
    `${DID}?did=${did}`,
    `${LOOK_UP}?key_id=${encodeURIComponent(poolKeyId(did, random(99)))}`,
    `${LOOK_UP}?service_id=${encodeURIComponent(`${did}#site`)}`,
    `${LOOK_UP}?network_id=devnet`,
    `${LOOK_UP}?method_id=orr`,
    `${LOOK_UP}?aka_id=${poolAlias(random(99))}`,
    `${BANK}/denoms_metadata?${page}`,
    `${BANK}/denoms_metadata?denom=${poolDenom(random(99))}`,
    `${BANK}/supply?${page}`,
    `${BANK}/balances?address=${address}&${page}`,
    `${BANK}/spendable_balances?address=${address}&${page}`,
    `/core/auth/v1beta1/accounts?${page}`,
    "/core/base/consensus/v1beta1/blocks/latest",
  ];
}

export function blockQuestions(height: bigint): string[] {
  return [`/core/base/consensus/v1beta1/blocks?height=${height}`, `/core/tx/v1beta1/txs/block?height=${height}`];
}

function randomPage(random: Random): string {
  const parts = [`pagination.limit=${1 + random(12)}`];
  if (random(2) === 0) parts.push("pagination.count_total=true");
  if (random(2) === 0) parts.push("pagination.reverse=true");
  if (random(3) === 0) parts.push(`pagination.offset=${random(8)}`);
  return parts.join("&");
}
