// The account list: each stored record is the typed object that the answer carries.

import type { Body } from "../api/answer-body.ts";
import type { RequestOf } from "../api/operations.ts";
import type { Bytes } from "../codec/bytes.ts";
import { accounts } from "../state/account.ts";
import type { Snapshot } from "../store/store.ts";
import { pageBody, readPage } from "./page.ts";

export async function listAccounts(view: Snapshot, request: RequestOf<"listAccounts">): Promise<Body> {
  return pageBody(await readPage(view, accounts, request.pagination, isAddressKey));
}

/** Addresses of keys and modules have 20 bytes, derived ones 32. */
function isAddressKey(key: Bytes): boolean {
  return key.length === 20 || key.length === 32;
}
