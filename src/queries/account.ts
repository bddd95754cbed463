// The account list: each stored record is the typed object that the answer carries.

import type { RequestOf } from "../api/operations.ts";
import type { Bytes } from "../codec/bytes.ts";
import { WireWriter } from "../codec/wire.ts";
import { accounts } from "../state/account.ts";
import type { Snapshot } from "../store/store.ts";
import { readPage, writePagination } from "./page.ts";

export async function listAccounts(view: Snapshot, request: RequestOf<"listAccounts">): Promise<Bytes> {
  const page = await readPage(view, accounts, request.pagination, isAddressKey);
  const response = new WireWriter(page.entries.length * 160 + 64);
  for (const [, account] of page.entries) response.messageField(1, account);
  writePagination(response, 2, page);
  return response.finish();
}

/** Addresses of keys and modules have 20 bytes, derived ones 32. */
function isAddressKey(key: Bytes): boolean {
  return key.length === 20 || key.length === 32;
}
