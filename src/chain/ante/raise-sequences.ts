// What was signed once cannot be signed again: every signer's sequence goes up by one.

import { baseOf, putAccount } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { signerAccount } from "../signer-account.ts";

export async function raiseSequences(context: TxContext): Promise<void> {
  for (const signer of context.signers) {
    const account = await signerAccount(context, signer);
    baseOf(account).sequence += 1n;
    putAccount(context.state, signer, account);
  }
}
