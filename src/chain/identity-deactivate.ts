// MsgDeactivateDidDocument: the document goes, its history stays, and the DID is spent for all time.

import { DidVersion_Kind } from "../gen/orrery/identity/v1/state_pb.ts";
import {
  MsgDeactivateDidDocumentResponseSchema,
  MsgDeactivateDidDocumentSchema,
} from "../gen/orrery/identity/v1/tx_pb.ts";
import { removeDocument } from "../state/identity.ts";
import { identityAmino } from "./identity-amino.ts";
import { checkAuthority } from "./identity-authority.ts";
import { checkVersion, loadActive, writeHistory, writeMark } from "./identity-history.ts";
import { checkDidText, didEvent, documentRules, signerAddress } from "./identity-message.ts";
import { releaseNames } from "./identity-names.ts";
import { defineMessage } from "./message-type.ts";

export const identityDeactivate = defineMessage({
  desc: MsgDeactivateDidDocumentSchema,
  response: MsgDeactivateDidDocumentResponseSchema,
  signers: ({ creator }) => [creator],

  validateBasic({ creator, did }, prefix) {
    signerAddress(creator, prefix);
    checkDidText(did, "did");
  },

  async handle(context, { creator, did, expectedVersion }) {
    const rules = await documentRules(context);
    const { document, meta: before } = await loadActive(context, did);
    checkAuthority(document, signerAddress(creator, rules.bech32Prefix), rules);
    checkVersion(before, expectedVersion);
    releaseNames(context, document);
    const meta = { ...before, updated: writeMark(context), version: before.version + 1n, deactivated: true };
    removeDocument(context.state, did);
    writeHistory(context, did, meta, DidVersion_Kind.DEACTIVATED, null);
    context.emit(didEvent("did_deactivated", did, meta));
  },

  amino: identityAmino(MsgDeactivateDidDocumentSchema),
});
