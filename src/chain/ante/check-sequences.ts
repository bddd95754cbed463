// Each signer signs its next sequence, and the signature is its own.

import { type Bytes, equalBytes } from "../../codec/bytes.ts";
import { type Signer, signBytes } from "../../codec/sign-doc.ts";
import { isAllAmino, type SignatureData } from "../../codec/signature-data.ts";
import { verifySignatures } from "../../codec/verify-signature.ts";
import { baseOf } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { failure, ROOT } from "../errors.ts";
import { keyOf, signerAccount } from "../signer-account.ts";

export async function checkSequences(context: TxContext): Promise<void> {
  const { signatures, signers, tx, rules } = context;
  if (signatures.length !== signers.length) {
    // Two spaces, as the reference has it.
    const counts = `expected: ${signers.length}, got ${signatures.length}`;
    throw failure(ROOT.unauthorized, `invalid number of signer;  ${counts}`);
  }
  for (const [i, data] of signatures.entries()) {
    const address = context.signer(i);
    const account = await signerAccount(context, address);
    const { sequence } = baseOf(account);
    const given = data === null ? 0n : tx.authInfo.signerInfos[i]!.sequence;
    if (rules.checksSequence && given !== sequence) {
      const difference = `account sequence mismatch, expected ${sequence}, got ${given}`;
      throw failure(ROOT.wrongSequence, difference, { expectedSequence: sequence });
    }
    if (rules.verifiesSignatures) verify(context, address, account, data);
  }
}

function verify(
  context: TxContext,
  address: Bytes,
  account: Parameters<typeof baseOf>[0],
  data: SignatureData | null,
): void {
  const { block, tx, messages } = context;
  const { accountNumber, sequence } = baseOf(account);
  const publicKey = keyOf(account);
  if (publicKey === null) throw failure(ROOT.invalidPubKey, "pubkey on account is not set");
  const signer: Signer = {
    chainId: block.chainId,
    accountNumber,
    sequence,
    address: context.addressText(address),
    isFeePayer: equalBytes(address, context.feePayer),
    publicKey,
  };
  const amino = () =>
    messages.map(({ type, message }) =>
      type.amino === null ? null : { type: type.amino.type, value: type.amino.value(message) },
    );
  const bytesOf = (mode: number) => signBytes(mode, tx, signer, amino);
  if (verifySignatures(publicKey, data, bytesOf, block.verify)) return;
  const parts = isAllAmino(data)
    ? `account number (${accountNumber}), sequence (${sequence}) and chain-id (${block.chainId})`
    : `account number (${accountNumber}) and chain-id (${block.chainId})`;
  throw failure(ROOT.unauthorized, `signature verification failed; please verify ${parts}`);
}
