// Gas for the verification of every signature, by the kind of key that is stored for its account.

import { fromBinary } from "@bufbuild/protobuf";
import { messageOfTypeUrl } from "../../codec/any.ts";
import { goTypeName } from "../../codec/go-name.ts";
import type { PubKeyAny } from "../../codec/key-address.ts";
import type { MemberData, SignatureData } from "../../codec/signature-data.ts";
import type { Params } from "../../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { LegacyAminoPubKeySchema } from "../../gen/cosmos/crypto/multisig/keys_pb.ts";
import { getAuthParams } from "../../state/account.ts";
import type { TxContext } from "../context.ts";
import { failure, plainFailure, ROOT } from "../errors.ts";
import type { GasMeter } from "../gas.ts";
import { keyOf, PLACEHOLDER_KEY, signerAccount } from "../signer-account.ts";

export async function chargeSignatures(context: TxContext): Promise<void> {
  const params = await getAuthParams(context.state);
  for (const [i, data] of context.signatures.entries()) {
    const key = keyOf(await signerAccount(context, context.signer(i)));
    chargeKey(context.gas, params, key ?? (context.rules.needsKeys ? null : PLACEHOLDER_KEY), data);
  }
}

function chargeKey(gas: GasMeter, params: Params, key: PubKeyAny | null, data: MemberData): void {
  switch (key?.typeUrl) {
    case "/cosmos.crypto.secp256k1.PubKey":
      gas.consume(params.sigVerifyCostSecp256k1, "ante verify: secp256k1");
      return;
    case "/cosmos.crypto.secp256r1.PubKey":
      gas.consume(params.sigVerifyCostSecp256k1 / 2n, "ante verify: secp256r1");
      return;
    case "/cosmos.crypto.ed25519.PubKey":
      gas.consume(params.sigVerifyCostEd25519, "ante verify: ed25519");
      throw failure(ROOT.invalidPubKey, "ED25519 public keys are unsupported");
    case "/cosmos.crypto.multisig.LegacyAminoPubKey":
      chargeMembers(gas, params, key, data);
      return;
    default:
      throw failure(ROOT.invalidPubKey, `unrecognized public key type: ${typeName(key)}`);
  }
}

/** Each member whose bit is set, in the order of the keys. */
function chargeMembers(gas: GasMeter, params: Params, key: PubKeyAny, data: MemberData): void {
  if (data?.kind !== "multi") {
    throw plainFailure(`expected *signing.MultiSignatureData, got, ${dataName(data)}`);
  }
  const { publicKeys } = fromBinary(LegacyAminoPubKeySchema, key.value);
  let next = 0;
  for (const [i, signed] of data.signed.entries()) {
    if (!signed) continue;
    const member = publicKeys[i];
    const signature = data.signatures[next++];
    // The reference panics in both cases.
    if (member === undefined)
      throw failure(ROOT.invalidRequest, `bit ${i} is set, but the key has ${publicKeys.length} members`);
    if (signature === undefined) throw failure(ROOT.invalidRequest, `bit ${i} is set, but its signature is missing`);
    chargeKey(gas, params, member, signature);
  }
}

function dataName(data: SignatureData | null): string {
  return data === null ? "<nil>" : "*signing.SingleSignatureData";
}

function typeName(key: PubKeyAny | null): string {
  const desc = key === null ? undefined : messageOfTypeUrl(key.typeUrl);
  return desc === undefined ? "<nil>" : goTypeName(desc);
}
