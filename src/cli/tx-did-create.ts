// `orrery tx did-create`: the first document of a DID.

import { create } from "@bufbuild/protobuf";
import { packAny } from "../codec/any.ts";
import { MsgCreateDidDocumentSchema } from "../gen/orrery/identity/v1/tx_pb.ts";
import { defineCall } from "./command.ts";
import { readDocumentFile } from "./document-file.ts";
import { type Flag, UsageError } from "./flags.ts";
import { sampleDocument } from "./sample-document.ts";
import { sendTx, TX_FLAGS } from "./send-tx.ts";
import { parsePath, parseSwitch } from "./values.ts";

const document: Flag<string, null> = {
  placeholder: "FILE",
  about: "the document in JSON, as the interface shows it",
  fallback: null,
  parse: parsePath,
  variable: false,
};

const sample: Flag<boolean> = {
  placeholder: null,
  about: "in place of --document: a small document for the sender's own DID",
  fallback: "false",
  parse: parseSwitch,
  variable: false,
};

export const didCreateCommand = defineCall({
  name: "tx did-create",
  summary: "Create an identity document",
  about: "For example: orrery tx did-create --from ivan --sample",
  flags: { document, sample, ...TX_FLAGS },
  run: (values) => {
    if ((values.document === undefined) !== values.sample) {
      throw new UsageError("did-create takes exactly one of --document and --sample");
    }
    const given = values.document === undefined ? null : readDocumentFile(values.document);
    return sendTx(values, (sender) => {
      const message = { creator: sender.address, document: given ?? sampleDocument(sender) };
      return [packAny(MsgCreateDidDocumentSchema, create(MsgCreateDidDocumentSchema, message))];
    });
  },
});
