// The messages that may stand in a google.protobuf.Any: accounts, public keys, transaction messages and their
// responses, and a transaction itself where one is looked up.
// One table, for printing, for reading JSON, and for the type URLs that are refused.

import {
  create,
  createRegistry,
  type DescMessage,
  type MessageShape,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import * as auth from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import * as bank from "../gen/cosmos/bank/v1beta1/tx_pb.ts";
import * as ed25519 from "../gen/cosmos/crypto/ed25519/keys_pb.ts";
import * as multisig from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import * as secp256k1 from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import * as secp256r1 from "../gen/cosmos/crypto/secp256r1/keys_pb.ts";
import * as staking from "../gen/cosmos/staking/v1beta1/tx_pb.ts";
import * as tx from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import * as vestingTx from "../gen/cosmos/vesting/v1beta1/tx_pb.ts";
import * as vesting from "../gen/cosmos/vesting/v1beta1/vesting_pb.ts";
import * as identity from "../gen/orrery/identity/v1/tx_pb.ts";

/** Every message that the node knows inside an Any. */
export const anyMessages: readonly DescMessage[] = [
  auth.BaseAccountSchema,
  auth.ModuleAccountSchema,
  vesting.BaseVestingAccountSchema,
  vesting.ContinuousVestingAccountSchema,
  vesting.DelayedVestingAccountSchema,
  vesting.PeriodicVestingAccountSchema,
  vesting.PermanentLockedAccountSchema,

  secp256k1.PubKeySchema,
  ed25519.PubKeySchema,
  secp256r1.PubKeySchema,
  multisig.LegacyAminoPubKeySchema,
  auth.ModuleCredentialSchema,

  bank.MsgSendSchema,
  bank.MsgSendResponseSchema,
  bank.MsgMultiSendSchema,
  bank.MsgMultiSendResponseSchema,
  vestingTx.MsgCreateVestingAccountSchema,
  vestingTx.MsgCreateVestingAccountResponseSchema,
  vestingTx.MsgCreatePermanentLockedAccountSchema,
  vestingTx.MsgCreatePermanentLockedAccountResponseSchema,
  vestingTx.MsgCreatePeriodicVestingAccountSchema,
  vestingTx.MsgCreatePeriodicVestingAccountResponseSchema,
  identity.MsgCreateDidDocumentSchema,
  identity.MsgCreateDidDocumentResponseSchema,
  identity.MsgUpdateDidDocumentSchema,
  identity.MsgUpdateDidDocumentResponseSchema,
  identity.MsgDeactivateDidDocumentSchema,
  identity.MsgDeactivateDidDocumentResponseSchema,
  staking.MsgDelegateSchema,

  tx.TxSchema,
];

/** The same table as protobuf's own functions want it. */
export const anyRegistry: Registry = createRegistry(...anyMessages);

const byTypeUrl = new Map(anyMessages.map((desc) => [typeUrlOf(desc), desc]));

/** The ecosystem's form: a slash and the full name, without a host. */
export function typeUrlOf(desc: DescMessage): string {
  return `/${desc.typeName}`;
}

export function messageOfTypeUrl(typeUrl: string): DescMessage | undefined {
  return byTypeUrl.get(typeUrl);
}

export function packAny<D extends DescMessage>(desc: D, message: MessageShape<D>): Any {
  return create(AnySchema, { typeUrl: typeUrlOf(desc), value: toBinary(desc, message) });
}
