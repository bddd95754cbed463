// Lists of the bank beside those of the operations: who holds a token, and which tokens may be sent.

import { invalid } from "../api/errors.ts";
import type { NeighbourRequest } from "../api/neighbours.ts";
import { encodeAddress } from "../codec/address.ts";
import { type Bytes, utf8Decode, utf8Encode } from "../codec/bytes.ts";
import { isDenom } from "../codec/coin.ts";
import { WireWriter } from "../codec/wire.ts";
import {
  amountOf,
  balanceKey,
  decodeSendEnabled,
  getSendEnabledOf,
  holdersOf,
  sendEnabled as sendEnabledList,
} from "../state/bank.ts";
import { entriesOf } from "../state/list.ts";
import { DamagedRecord, type Snapshot } from "../store/store.ts";
import { isDenomKey } from "./bank.ts";
import { readPage, writePagination } from "./page.ts";

/** In the order of the addresses' bytes. A token that nobody holds has an empty list, whether it exists or not. */
export async function listHolders(
  view: Snapshot,
  { denom, pagination }: Pick<NeighbourRequest<"listHolders">, "denom" | "pagination">,
  prefix: string,
): Promise<Bytes> {
  if (!isDenom(denom)) throw invalid("denom", `invalid denom: ${denom}`);
  const list = holdersOf(denom);
  const page = await readPage(view, list, pagination, isHolderKey);
  const holders = entriesOf(page.runs).map(([key]) => key.slice(list.prefix.length + 1));
  const balances = await view.getMany(holders.map((address) => balanceKey(address, denom)));
  const response = new WireWriter(holders.length * 160 + 64);
  for (const [i, address] of holders.entries()) {
    const stored = balances[i] ?? null;
    if (stored === null) throw new DamagedRecord(`a holder of ${denom} has no balance of it`);
    const owner = new WireWriter(160).stringField(1, encodeAddress(prefix, address));
    response.messageField(1, owner.messageField(2, coin(denom, amountOf(stored))).finish());
  }
  writePagination(response, 2, page);
  return response.finish();
}

/** Of the denoms asked for, those of which something is said, without paging; else a page of all such denoms. */
export async function listSendEnabled(
  view: Snapshot,
  { denoms, pagination }: NeighbourRequest<"listSendEnabled">,
): Promise<Bytes> {
  const response = new WireWriter(1024);
  const write = (denom: string, enabled: boolean) => {
    const entry = new WireWriter(160).stringField(1, denom).varintField(2, enabled ? 1n : 0n);
    response.messageField(1, entry.finish());
  };
  if (denoms.length > 0) {
    const said = await getSendEnabledOf(view, denoms);
    for (const [i, denom] of denoms.entries()) {
      const enabled = said[i] ?? null;
      if (enabled !== null) write(denom, enabled);
    }
    return response.finish();
  }
  const page = await readPage(view, sendEnabledList, pagination, isDenomKey);
  for (const [key, value] of entriesOf(page.runs)) {
    write(utf8Decode(key.subarray(sendEnabledList.prefix.length)), decodeSendEnabled(value));
  }
  writePagination(response, PAGINATION_OF_SEND_ENABLED, page);
  return response.finish();
}

const PAGINATION_OF_SEND_ENABLED = 99;

function coin(denom: string, amount: bigint): Bytes {
  const written = new WireWriter(64).messageField(1, utf8Encode(denom));
  return written.messageField(2, utf8Encode(String(amount))).finish();
}

/** An address with its length before it. */
function isHolderKey(key: Bytes): boolean {
  return key.length > 1 && key[0] === key.length - 1;
}
