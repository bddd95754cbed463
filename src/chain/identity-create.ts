// MsgCreateDidDocument: a DID that was never used gets its first document. The signer becomes its creator for good.

import { create } from "@bufbuild/protobuf";
import { DidMetaSchema, DidVersion_Kind } from "../gen/orrery/identity/v1/state_pb.ts";
import { MsgCreateDidDocumentResponseSchema, MsgCreateDidDocumentSchema } from "../gen/orrery/identity/v1/tx_pb.ts";
import { networkOfDid } from "../state/claimed-values.ts";
import { getMeta, putDocument } from "../state/identity.ts";
import { identityAmino } from "./identity-amino.ts";
import { IdentityError } from "./identity-error.ts";
import { writeHistory, writeMark } from "./identity-history.ts";
import { checkGiven, didEvent, documentRules, requireControllers, signerAddress } from "./identity-message.ts";
import { moveNames } from "./identity-names.ts";
import { normaliseDocument } from "./identity-validity.ts";
import { defineMessage } from "./message-type.ts";

export const identityCreate = defineMessage({
  desc: MsgCreateDidDocumentSchema,
  response: MsgCreateDidDocumentResponseSchema,
  signers: ({ creator }) => [creator],

  validateBasic({ creator, document }, prefix) {
    signerAddress(creator, prefix);
    checkGiven(document);
  },

  async handle(context, message) {
    const rules = await documentRules(context);
    const document = normaliseDocument(message.document!, message.creator, rules);
    const did = document.iD;
    const earlier = await getMeta(context.state, did);
    if (earlier !== null) throw new IdentityError(earlier.deactivated ? 1105 : 1101, did);
    await requireControllers(context, document);
    await moveNames(context, null, document);
    const meta = create(DidMetaSchema, {
      created: writeMark(context),
      version: 1n,
      network: networkOfDid(did, rules.params.didNetwork),
      creator: document.creator,
    });
    putDocument(context.state, document);
    writeHistory(context, did, meta, DidVersion_Kind.CREATED, document);
    context.emit(didEvent("did_created", did, meta));
  },

  amino: identityAmino(MsgCreateDidDocumentSchema),
});
