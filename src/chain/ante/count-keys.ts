// A transaction has at most so many keys, those inside multisig keys counted one by one.

import { fromBinary } from "@bufbuild/protobuf";
import type { PubKeyAny } from "../../codec/key-address.ts";
import { LegacyAminoPubKeySchema } from "../../gen/cosmos/crypto/multisig/keys_pb.ts";
import { getAuthParams } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { failure, ROOT } from "../errors.ts";

const MULTISIG = `/${LegacyAminoPubKeySchema.typeName}`;

export async function countKeys({ state, tx }: TxContext): Promise<void> {
  const { txSigLimit } = await getAuthParams(state);
  let count = 0;
  for (const { publicKey } of tx.authInfo.signerInfos) {
    count += publicKey === undefined ? 1 : leavesOf(publicKey);
    if (BigInt(count) > txSigLimit) {
      throw failure(ROOT.tooManySignatures, `signatures: ${count}, limit: ${txSigLimit}`);
    }
  }
}

function leavesOf({ typeUrl, value }: PubKeyAny): number {
  if (typeUrl !== MULTISIG) return 1;
  const { publicKeys } = fromBinary(LegacyAminoPubKeySchema, value);
  return publicKeys.reduce((count, member) => count + leavesOf(member), 0);
}
