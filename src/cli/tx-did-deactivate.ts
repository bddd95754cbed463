// `orrery tx did-deactivate`: the end of a DID, for all time.

import { create } from "@bufbuild/protobuf";
import { packAny } from "../codec/any.ts";
import { MsgDeactivateDidDocumentSchema } from "../gen/orrery/identity/v1/tx_pb.ts";
import { defineCall } from "./command.ts";
import { expectedVersion } from "./expected-version.ts";
import type { NeededFlag } from "./flags.ts";
import { sendTx, TX_FLAGS } from "./send-tx.ts";
import { parseText } from "./values.ts";

const did: NeededFlag<string> = {
  placeholder: "DID",
  about: "which one",
  fallback: null,
  parse: parseText,
  variable: false,
  needed: true,
};

export const didDeactivateCommand = defineCall({
  name: "tx did-deactivate",
  summary: "Deactivate a DID, for all time",
  about: "Its document goes, its history stays, and the DID cannot be created again.",
  flags: { did, expectedVersion, ...TX_FLAGS },
  run: (values) =>
    sendTx(values, ({ address }) => {
      const message = { creator: address, did: values.did, expectedVersion: values.expectedVersion ?? "" };
      return [packAny(MsgDeactivateDidDocumentSchema, create(MsgDeactivateDidDocumentSchema, message))];
    }),
});
