// What the three identity messages have in common: their signer, the rules in force, and the documents they lean on.

import { AddressError, parseAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import { isDid } from "../codec/did.ts";
import type { DidDocument } from "../gen/orrery/identity/v1/did_pb.ts";
import type { DidMeta } from "../gen/orrery/identity/v1/state_pb.ts";
import { documentKey, getIdentityParams } from "../state/identity.ts";
import type { MessageContext } from "./context.ts";
import { failure, ROOT } from "./errors.ts";
import { type Event, event } from "./events.ts";
import { IdentityError, invalidDocument } from "./identity-error.ts";
import { checkControllers, type DocumentRules, otherControllers } from "./identity-validity.ts";

/** The address of the signer. */
export function signerAddress(creator: string, bech32Prefix: string): Bytes {
  try {
    return parseAddress(creator, bech32Prefix);
  } catch (error) {
    if (error instanceof AddressError) throw failure(ROOT.invalidAddress, `invalid creator address (${error.message})`);
    throw error;
  }
}

/** What can be said without a look at the chain; the rest is checked in execution, where the rules are known. */
export function checkGiven(document: DidDocument | undefined): void {
  if (document === undefined) throw invalidDocument("document", "missing");
  checkDidText(document.iD, "iD");
}

export function checkDidText(did: string, field: string): void {
  if (!isDid(did)) throw new IdentityError(1102, `${field}: ${JSON.stringify(did.slice(0, 255))} is not a DID`);
}

export async function documentRules({ state, block }: MessageContext): Promise<DocumentRules> {
  return { chainId: block.chainId, bech32Prefix: block.bech32Prefix, params: await getIdentityParams(state) };
}

/** Throws for a controller whose document does not exist or is deactivated. */
export async function requireControllers({ state }: MessageContext, document: DidDocument): Promise<void> {
  const active = new Set<string>();
  for (const did of otherControllers(document)) if (await state.has(documentKey(did))) active.add(did);
  checkControllers(document, active);
}

/** `creator` is the document's, whoever signed; the signer is the sender of the message's own event. */
export function didEvent(type: "did_created" | "did_updated" | "did_deactivated", did: string, meta: DidMeta): Event {
  return event(type, ["did", did], ["creator", meta.creator], ["version_id", meta.version.toString()]);
}
