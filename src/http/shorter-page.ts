// An answer that is too large, as a shorter page: fewer entries are asked for until they fit, and `next_key` leads on.

import { create, type Message } from "@bufbuild/protobuf";
import type { Answer } from "../api/operations.ts";
import { DEFAULT_LIMIT, LARGEST_LIMIT } from "../api/page-limits.ts";
import { type PageRequest, PageRequestSchema } from "../gen/cosmos/base/query/v1beta1/pagination_pb.ts";

/** An answer, how many bytes its text has, and how many entries it holds, where that is known. */
export type Sized = { readonly answer: Answer; readonly bytes: number; readonly entries: number | null };

/** Entries differ in size: a little less than the exact share. */
const SHARE = 0.9;

/** One entry is given whatever its size: nothing smaller could be asked for. */
export async function shorterPage(
  message: Message,
  tooLarge: Sized,
  maxAnswer: number,
  ask: (message: Message) => Promise<Sized>,
): Promise<Answer> {
  const { pagination } = message as Message & { readonly pagination?: PageRequest };
  const asked = pagination ?? create(PageRequestSchema);
  let limit = asked.limit === 0n ? DEFAULT_LIMIT : Number(asked.limit < LARGEST_LIMIT ? asked.limit : LARGEST_LIMIT);
  // A request without a limit counts the total: with one it must ask for it.
  const countTotal = asked.countTotal || (asked.limit === 0n && asked.key.length === 0);
  let found = tooLarge;
  while (found.bytes > maxAnswer && limit > 1) {
    const count = Math.min(limit, found.entries ?? limit);
    const share = (count * SHARE * maxAnswer) / found.bytes;
    limit = Math.max(1, Math.floor(Math.min(share, count / 2)));
    const shorter = { ...message, pagination: { ...asked, limit: BigInt(limit), countTotal } };
    found = await ask(shorter as Message);
  }
  return found.answer;
}
