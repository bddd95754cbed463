// What the execution of a block gave: from values to the record, and back.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { BlockExecution } from "../codec/block-execution.ts";
import type { Bytes } from "../codec/bytes.ts";
import { consensusParamsUpdateCodec } from "../codec/consensus-params.ts";
import { publicKey } from "../codec/public-key.ts";
import { type TxEvent, txResultCodec } from "../codec/tx-result.ts";
import type { ValidatorUpdate } from "../codec/validator-set.ts";
import type { BlockResultsSchema } from "../gen/orrery/state/v1/state_pb.ts";
import type { Reader } from "../store/store.ts";
import { getBlockResults } from "./block.ts";

/** Of a block that is stored. */
export async function getBlockOutcome(reader: Reader, height: bigint): Promise<BlockExecution> {
  const record = await getBlockResults(reader, height);
  return {
    results: record.txResults.map((result) => txResultCodec.decode(result as Bytes)),
    beginBlockEvents: record.beginBlockEvents,
    endBlockEvents: record.endBlockEvents,
    validatorUpdates: record.validatorUpdates.map(({ ed25519Key, power }) => ({
      publicKey: publicKey("ed25519", ed25519Key as Bytes),
      power,
    })),
    paramUpdates: consensusParamsUpdateCodec.decode(record.consensusParamUpdates as Bytes),
  };
}

export function outcomeRecord(outcome: BlockExecution): MessageInitShape<typeof BlockResultsSchema> {
  return {
    txResults: outcome.results.map(txResultCodec.encode),
    beginBlockEvents: outcome.beginBlockEvents.map(eventRecord),
    endBlockEvents: outcome.endBlockEvents.map(eventRecord),
    validatorUpdates: outcome.validatorUpdates.map(updateRecord),
    consensusParamUpdates: consensusParamsUpdateCodec.encode(outcome.paramUpdates),
  };
}

function eventRecord({ type, attributes }: TxEvent) {
  return { type, attributes: attributes.map((attribute) => ({ ...attribute })) };
}

function updateRecord({ publicKey: { type, key }, power }: ValidatorUpdate) {
  if (type !== "ed25519") throw new Error(`an update of a validator with a key of type ${type} cannot be stored`);
  return { ed25519Key: key, power };
}
