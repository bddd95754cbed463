// The memo has a largest size, in bytes. Without a memo the parameters are not read, and not paid for.

import { utf8Encode } from "../../codec/bytes.ts";
import { getAuthParams } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { failure, ROOT } from "../errors.ts";

export async function checkMemo({ tx, state }: TxContext): Promise<void> {
  const { memo } = tx.body;
  if (memo === "") return;
  const { maxMemoCharacters } = await getAuthParams(state);
  const { length } = utf8Encode(memo);
  if (BigInt(length) > maxMemoCharacters) {
    const counts = `maximum number of characters is ${maxMemoCharacters} but received ${length} characters`;
    throw failure(ROOT.memoTooLarge, counts);
  }
}
