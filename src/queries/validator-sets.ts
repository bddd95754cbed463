// Validator sets as the SDK shows them: addresses as text, keys as typed objects.

import { create, toBinary } from "@bufbuild/protobuf";
import { invalid } from "../api/errors.ts";
import type { NeighbourRequest } from "../api/neighbours.ts";
import { encodeAddress } from "../codec/address.ts";
import { packAny } from "../codec/any.ts";
import { type Bytes, EMPTY } from "../codec/bytes.ts";
import type { Validator } from "../codec/validator.ts";
import type { PageRequest } from "../gen/cosmos/base/query/v1beta1/pagination_pb.ts";
import { GetValidatorSetByHeightResponseSchema } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import { PubKeySchema as Ed25519Schema } from "../gen/cosmos/crypto/ed25519/keys_pb.ts";
import { PubKeySchema as Secp256k1Schema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { firstBlockHeight } from "../state/block.ts";
import type { Snapshot } from "../store/store.ts";
import { pageOfAll, pageOrder } from "./page.ts";
import { validatorsAt } from "./rpc-blocks.ts";

/** Of the next block: that is what the reference calls the latest set. */
export function getLatestValidators(
  view: Snapshot,
  { pagination }: NeighbourRequest<"getLatestValidators">,
  prefix: string,
): Promise<Bytes> {
  return validatorsResponse(view, view.height + 1n, pagination, prefix);
}

export async function getValidators(
  view: Snapshot,
  { height, pagination }: NeighbourRequest<"getValidators">,
  prefix: string,
): Promise<Bytes> {
  if (height < (await firstBlockHeight(view)) || height > view.height + 1n) {
    throw invalid("height", `requested block height is bigger then the chain length: ${height}`);
  }
  return validatorsResponse(view, height, pagination, prefix);
}

async function validatorsResponse(
  view: Snapshot,
  height: bigint,
  request: PageRequest | undefined,
  prefix: string,
): Promise<Bytes> {
  const order = pageOrder(request);
  const { items, nextKey, total } = pageOfAll((await validatorsAt(view, height)).validators, order);
  // The two responses of the service are the same message under two names.
  const response = create(GetValidatorSetByHeightResponseSchema, {
    blockHeight: height,
    validators: items.map((validator) => shown(validator, prefix)),
    pagination: { nextKey: nextKey ?? EMPTY, total },
  });
  return toBinary(GetValidatorSetByHeightResponseSchema, response) as Bytes;
}

function shown({ address, publicKey: { type, key }, votingPower, proposerPriority }: Validator, prefix: string) {
  const schema = type === "ed25519" ? Ed25519Schema : Secp256k1Schema;
  return {
    address: encodeAddress(`${prefix}valcons`, address),
    pubKey: packAny(schema, create(schema, { key })),
    votingPower,
    proposerPriority,
  };
}
