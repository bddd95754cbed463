// Bare names: each belongs to one active document of the chain. Their records are part of the state, so that two
// transactions of one block cannot both take a name; the look-up index follows only when the block is committed.

import type { DidDocument } from "../gen/orrery/identity/v1/did_pb.ts";
import { getNameHolder, putNameHolder, removeNameHolder } from "../state/identity.ts";
import type { MessageContext } from "./context.ts";
import { bareNames, checkNames } from "./identity-validity.ts";

/** Takes the names of `next` and gives back those that only `before` had. Throws IdentityError for a taken one. */
export async function moveNames(
  { state }: MessageContext,
  before: DidDocument | null,
  next: DidDocument,
): Promise<void> {
  const held = new Set(before === null ? [] : bareNames(before));
  const wanted = bareNames(next).filter((name) => !held.delete(name));
  const holders = new Map<string, string>();
  for (const name of wanted) {
    const holder = await getNameHolder(state, name);
    if (holder !== null) holders.set(name, holder);
  }
  checkNames(next, holders);
  for (const name of held) removeNameHolder(state, name);
  for (const name of wanted) putNameHolder(state, name, next.iD);
}

export function releaseNames({ state }: MessageContext, document: DidDocument): void {
  for (const name of bareNames(document)) removeNameHolder(state, name);
}
