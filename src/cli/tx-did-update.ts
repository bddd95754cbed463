// `orrery tx did-update`: another document in the place of the one that a DID has.

import { create } from "@bufbuild/protobuf";
import { packAny } from "../codec/any.ts";
import { MsgUpdateDidDocumentSchema } from "../gen/orrery/identity/v1/tx_pb.ts";
import { defineCall } from "./command.ts";
import { readDocumentFile } from "./document-file.ts";
import { expectedVersion } from "./expected-version.ts";
import type { NeededFlag } from "./flags.ts";
import { sendTx, TX_FLAGS } from "./send-tx.ts";
import { parsePath } from "./values.ts";

const document: NeededFlag<string> = {
  placeholder: "FILE",
  about: "the whole new document in JSON, as the interface shows it",
  fallback: null,
  parse: parsePath,
  variable: false,
  needed: true,
};

export const didUpdateCommand = defineCall({
  name: "tx did-update",
  summary: "Replace an identity document",
  about: `Take the present document with orrery query get-document --did DID --json > FILE, change the file, and send it
with orrery tx did-update --from NAME --document FILE`,
  flags: { document, expectedVersion, ...TX_FLAGS },
  run: (values) => {
    const given = readDocumentFile(values.document);
    return sendTx(values, ({ address }) => {
      const message = { creator: address, document: given, expectedVersion: values.expectedVersion ?? "" };
      return [packAny(MsgUpdateDidDocumentSchema, create(MsgUpdateDidDocumentSchema, message))];
    });
  },
});
