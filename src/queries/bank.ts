// Tokens, supply and balances. Coins are stored as the denom in the key and the amount as text in the value, so an
// answer is assembled from stored bytes without decoding them.

import type { Body } from "../api/answer-body.ts";
import { invalid, notFound } from "../api/errors.ts";
import type { RequestOf } from "../api/operations.ts";
import { AddressError, parseAddress } from "../codec/address.ts";
import { type Bytes, utf8Decode, utf8Encode } from "../codec/bytes.ts";
import { isDenom } from "../codec/coin.ts";
import { fieldSize, WireWriter } from "../codec/wire.ts";
import type { PageRequest } from "../gen/cosmos/base/query/v1beta1/pagination_pb.ts";
import { accountKey, accounts, decodeAccount, getAccount } from "../state/account.ts";
import { balancesOf, getBalances, getMetadata, metadataKey, supply, tokens } from "../state/bank.ts";
import { getBlockMeta } from "../state/block.ts";
import { entriesOf, type List, listHas } from "../state/list.ts";
import { lockedCoins } from "../state/vesting.ts";
import type { Entry, Snapshot } from "../store/store.ts";
import { type Page, pageBody, readPage, writePagination } from "./page.ts";

export async function listTokens(view: Snapshot, request: RequestOf<"listTokens">): Promise<Body> {
  return pageBody(await readPage(view, tokens, request.pagination, isDenomKey));
}

export async function getToken(view: Snapshot, { denom }: Pick<RequestOf<"getToken">, "denom">): Promise<Bytes> {
  if (!isDenom(denom)) throw invalid("denom", `invalid denom: ${denom}`);
  const metadata = await getMetadata(view, denom);
  if (metadata === null) {
    await listHas(view, tokens, metadataKey(denom));
    throw notFound(`client metadata for denom ${denom}`);
  }
  return new WireWriter(metadata.length + 8).messageField(1, metadata).finish();
}

export async function listSupply(view: Snapshot, request: RequestOf<"listSupply">): Promise<Body> {
  return pageOfCoins(await coinPage(view, supply, request.pagination), supply);
}

export async function listBalances(
  view: Snapshot,
  request: RequestOf<"listBalances">,
  bech32Prefix: string,
): Promise<Body> {
  const list = balancesOf(addressOf(request.address, bech32Prefix));
  return pageOfCoins(await coinPage(view, list, request.pagination), list);
}

/** Pages over the balances; each amount is what is left of it after what the account's vesting still locks. */
export async function listSpendableBalances(
  view: Snapshot,
  request: RequestOf<"listSpendableBalances">,
  bech32Prefix: string,
): Promise<Body> {
  const address = addressOf(request.address, bech32Prefix);
  const list = balancesOf(address);
  const page = await coinPage(view, list, request.pagination);
  const locked = await lockedOf(view, address);
  if (locked.size === 0) return pageOfCoins(page, list);
  const balances = await getBalances(view, address, [...locked.keys()]);
  // The reference subtracts the whole sets: one denom that is locked beyond its balance leaves nothing spendable.
  const overlocked = [...locked].some(([denom, amount]) => amount > (balances.get(denom) ?? 0n));
  const entries = entriesOf(page.runs).map(([key, amount]): Entry => {
    const denom = utf8Decode(key.subarray(list.prefix.length));
    const held = locked.get(denom);
    if (overlocked) return [key, ZERO];
    return held === undefined ? [key, amount] : [key, utf8Encode(String((balances.get(denom) ?? 0n) - held))];
  });
  return coinsResponse(entries, page, list);
}

const ZERO = utf8Encode("0");

export async function lockedOf(view: Snapshot, address: Bytes): Promise<ReadonlyMap<string, bigint>> {
  const stored = await getAccount(view, address);
  if (stored === null) {
    await listHas(view, accounts, accountKey(address));
    return NOTHING;
  }
  const meta = await getBlockMeta(view, view.height);
  return lockedCoins(decodeAccount(stored), meta.time.seconds);
}

const NOTHING: ReadonlyMap<string, bigint> = new Map();

function coinPage(view: Snapshot, list: List, request: PageRequest | undefined): Promise<Page> {
  return readPage(view, list, request, isDenomKey);
}

/** Every coin response of the bank has the coins as field 1 and the pagination as field 2. */
function pageOfCoins(page: Page, { prefix }: List): Body {
  return pageBody(page, (key, amount) => coinOf(key.subarray(prefix.length), amount));
}

function coinsResponse(entries: readonly Entry[], page: Page, { prefix }: List): Bytes {
  const response = new WireWriter(entries.length * 96 + 64);
  for (const [key, amount] of entries) response.messageField(1, coinOf(key.subarray(prefix.length), amount));
  writePagination(response, 2, page);
  return response.finish();
}

/** Chains that began before v0.46 keep whole Coin messages as balances: those begin with a tag, not with a digit. */
function coinOf(denom: Bytes, amount: Bytes): Bytes {
  if (amount[0] === COIN_DENOM_TAG) return amount;
  const size = fieldSize(denom) + fieldSize(amount);
  return new WireWriter(size).messageField(1, denom).messageField(2, amount).finish();
}

const COIN_DENOM_TAG = 0x0a;

export function addressOf(text: string, bech32Prefix: string, parameter = "address"): Bytes {
  try {
    return parseAddress(text, bech32Prefix);
  } catch (error) {
    if (error instanceof AddressError) throw invalid(parameter, `invalid address: ${error.message}`);
    throw error;
  }
}

export function isDenomKey(key: Bytes): boolean {
  try {
    return isDenom(utf8Decode(key));
  } catch {
    return false;
  }
}
