// What the node says of how it is run and how far it is.

import { create, toBinary } from "@bufbuild/protobuf";
import type { Bytes } from "../codec/bytes.ts";
import { type GasPrice, printGasPrices } from "../codec/gas-price.ts";
import { ConfigResponseSchema, StatusResponseSchema } from "../gen/cosmos/base/node/v1beta1/query_pb.ts";
import type { Retention, Snapshot } from "../store/store.ts";
import { readBlock } from "./rpc-blocks.ts";

export type NodeConfig = {
  /** What a transaction must offer for its gas to be let in. */
  readonly minGasPrices: readonly GasPrice[];
  /** How many heights this node leaves in place; a node that only reads removes none. */
  readonly keep: Retention;
};

export function nodeConfigResponse({ minGasPrices, keep }: NodeConfig): Bytes {
  const response = create(ConfigResponseSchema, {
    minimumGasPrice: printGasPrices(minGasPrices),
    // The reference's words for a node that keeps everything; one that does not, prunes in every commit.
    pruningKeepRecent: keep === "all" ? "0" : String(keep),
    pruningInterval: keep === "all" ? "0" : "1",
  });
  return toBinary(ConfigResponseSchema, response) as Bytes;
}

/** `earliest` is the first height that the state can be read at. */
export async function getNodeStatus(view: Snapshot, earliest: bigint): Promise<Bytes> {
  const { header } = (await readBlock(view, view.height)).block;
  const response = create(StatusResponseSchema, {
    earliestStoreHeight: earliest,
    height: view.height,
    timestamp: header.time,
    appHash: header.appHash,
    validatorHash: header.nextValidatorsHash,
  });
  return toBinary(StatusResponseSchema, response) as Bytes;
}
