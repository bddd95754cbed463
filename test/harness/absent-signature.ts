// What a commit holds in the place of a validator that did not vote.

import { EMPTY } from "../../src/codec/bytes.ts";
import { ABSENT, type CommitSig } from "../../src/codec/commit.ts";
import { GO_ZERO_TIME } from "../../src/codec/time.ts";

export const ABSENT_SIGNATURE: CommitSig = {
  flag: ABSENT,
  validatorAddress: EMPTY,
  timestamp: GO_ZERO_TIME,
  signature: EMPTY,
};
