// A header with the commit that made it final, and the validators behind the commit.

import { type Commit, commitCodec } from "./commit.ts";
import { type Header, headerCodec } from "./header.ts";
import { message, optional } from "./message.ts";
import { type ValidatorSet, validatorSetCodec } from "./validator.ts";

export type SignedHeader = { readonly header: Header | null; readonly commit: Commit | null };
export type LightBlock = { readonly signedHeader: SignedHeader | null; readonly validatorSet: ValidatorSet | null };

const signedHeaderCodec = message<SignedHeader>("SignedHeader", {
  header: optional(1, headerCodec),
  commit: optional(2, commitCodec),
});

export const lightBlockCodec = message<LightBlock>("LightBlock", {
  signedHeader: optional(1, signedHeaderCodec),
  validatorSet: optional(2, validatorSetCodec),
});
