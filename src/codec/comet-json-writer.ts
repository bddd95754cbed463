// What belongs to blocks, written as the JSON of CometBFT's RPC: results, events, parameters, and proofs of
// transactions. The inverse of comet-json.ts.

import { toBase64 } from "./bytes.ts";
import { base64OrNull, type Json } from "./comet-block-json-writer.ts";
import type { ConsensusParams, ConsensusParamsUpdate } from "./consensus-params.ts";
import type { MerkleProof } from "./merkle.ts";
import type { TxEvent, TxResult } from "./tx-result.ts";
import type { ValidatorUpdate } from "./validator-set.ts";

/** Every member is there, also when it is zero: clients insist on `"code": 0`. */
export function txResultJson(result: TxResult): { readonly [name: string]: Json } {
  return {
    code: result.code,
    data: base64OrNull(result.data),
    log: result.log,
    info: result.info,
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: result.events.map(eventJson),
    codespace: result.codespace,
  };
}

/** The form inside a subscription's event: what is zero is left out. */
export function shortTxResultJson(result: TxResult): Json {
  return {
    ...(result.code !== 0 && { code: result.code }),
    ...(result.data.length > 0 && { data: toBase64(result.data) }),
    ...(result.log !== "" && { log: result.log }),
    ...(result.info !== "" && { info: result.info }),
    ...(result.gasWanted !== 0n && { gas_wanted: String(result.gasWanted) }),
    ...(result.gasUsed !== 0n && { gas_used: String(result.gasUsed) }),
    ...(result.events.length > 0 && { events: result.events.map(eventJson) }),
    ...(result.codespace !== "" && { codespace: result.codespace }),
  };
}

export function eventJson({ type, attributes }: TxEvent): Json {
  if (attributes.length === 0) return { type };
  return { type, attributes: attributes.map(({ key, value, index }) => ({ key, value, index })) };
}

/** Power zero, which removes the validator, is left out. */
export function validatorUpdateJson({ publicKey: { type, key }, power }: ValidatorUpdate): Json {
  const kind = type === "ed25519" ? "Ed25519" : "Secp256K1";
  const sum = { type: `tendermint.crypto.PublicKey_${kind}`, value: { [type]: toBase64(key) } };
  return { pub_key: { Sum: sum }, ...(power !== 0n && { power: String(power) }) };
}

export function consensusParamsJson(params: ConsensusParams): Json {
  const { block, evidence, validator } = params;
  return { ...sectionsJson({ block, evidence, validator }), version: { app: String(params.version.app) } };
}

/** Null for an update that sets nothing; app version zero is left out here, though not in the parameters themselves. */
export function paramUpdatesJson(update: ConsensusParamsUpdate): Json {
  if (Object.keys(update).length === 0) return null;
  const { version, ...rest } = update;
  const app = version?.app ?? 0n;
  return { ...sectionsJson(rest), ...(version && { version: app === 0n ? {} : { app: String(app) } }) };
}

export function merkleProofJson({ total, index, leafHash, aunts }: MerkleProof): Json {
  return { total: String(total), index: String(index), leaf_hash: toBase64(leafHash), aunts: aunts.map(toBase64) };
}

function sectionsJson({ block, evidence, validator }: ConsensusParamsUpdate): { readonly [name: string]: Json } {
  return {
    ...(block && { block: { max_bytes: String(block.maxBytes), max_gas: String(block.maxGas) } }),
    ...(evidence && {
      evidence: {
        max_age_num_blocks: String(evidence.maxAgeNumBlocks),
        max_age_duration: String(evidence.maxAgeDuration),
        max_bytes: String(evidence.maxBytes),
      },
    }),
    ...(validator && { validator: { pub_key_types: validator.pubKeyTypes } }),
  };
}
