// MsgUpdateDidDocument: another document in the place of the one that is stored. DID and creator stay.

import { create, toBinary } from "@bufbuild/protobuf";
import { type Bytes, equalBytes } from "../codec/bytes.ts";
import type { DidDocument } from "../gen/orrery/identity/v1/did_pb.ts";
import { DidVersion_Kind } from "../gen/orrery/identity/v1/state_pb.ts";
import { MsgUpdateDidDocumentResponseSchema, MsgUpdateDidDocumentSchema } from "../gen/orrery/identity/v1/tx_pb.ts";
import { encodeDocument, putDocument } from "../state/identity.ts";
import { identityAmino } from "./identity-amino.ts";
import { checkAuthority } from "./identity-authority.ts";
import { IdentityError, invalidDocument } from "./identity-error.ts";
import { checkVersion, loadActive, writeHistory, writeMark } from "./identity-history.ts";
import { checkGiven, didEvent, documentRules, requireControllers, signerAddress } from "./identity-message.ts";
import { moveNames } from "./identity-names.ts";
import { normaliseDocument } from "./identity-validity.ts";
import { defineMessage } from "./message-type.ts";

export const identityUpdate = defineMessage({
  desc: MsgUpdateDidDocumentSchema,
  response: MsgUpdateDidDocumentResponseSchema,
  signers: ({ creator }) => [creator],

  validateBasic({ creator, document }, prefix) {
    signerAddress(creator, prefix);
    checkGiven(document);
  },

  async handle(context, message) {
    const given = message.document!;
    const rules = await documentRules(context);
    const { document: stored, meta: before } = await loadActive(context, given.iD);
    checkAuthority(stored, signerAddress(message.creator, rules.bech32Prefix), rules);
    checkVersion(before, message.expectedVersion);
    checkSameCreator(given, stored);
    const document = normaliseDocument({ ...given, creator: "" }, stored.creator, rules);
    if (equalBytes(encodeDocument(document), encodeDocument(stored))) {
      throw new IdentityError(1103, "the update changes nothing");
    }
    await requireControllers(context, document);
    await moveNames(context, stored, document);
    const meta = { ...before, updated: writeMark(context), version: before.version + 1n };
    putDocument(context.state, document);
    writeHistory(context, document.iD, meta, DidVersion_Kind.UPDATED, document);
    context.emit(didEvent("did_updated", document.iD, meta));
    const response = create(MsgUpdateDidDocumentResponseSchema, { creator: stored.creator });
    return toBinary(MsgUpdateDidDocumentResponseSchema, response) as Bytes;
  },

  amino: identityAmino(MsgUpdateDidDocumentSchema),
});

/** Bech32 in capitals is the same address. */
function checkSameCreator({ creator }: DidDocument, stored: DidDocument): void {
  if (creator === "" || creator === stored.creator || creator === stored.creator.toUpperCase()) return;
  throw invalidDocument("creator", `must stay ${stored.creator}`);
}
