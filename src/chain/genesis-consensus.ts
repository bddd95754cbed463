// The consensus parameters of a genesis, with CometBFT's rules for them.

import { type ConsensusParams, DEFAULT_CONSENSUS_PARAMS } from "../codec/consensus-params.ts";
import type { GenesisValue } from "./genesis-json.ts";

const MAX_BLOCK_BYTES = 104857600n;
const KEY_TYPES = ["ed25519", "secp256k1"];

/** A genesis without them has the defaults. */
export function readConsensusParams(json: GenesisValue): ConsensusParams {
  if (json.isNull) return DEFAULT_CONSENSUS_PARAMS;
  const evidence = json.get("evidence");
  const block = readBlock(json.get("block"));
  const keyTypes = json.get("validator").get("pub_key_types");
  const version = json.get("version");
  const params: ConsensusParams = {
    block,
    evidence: {
      maxAgeNumBlocks: positive(evidence.get("max_age_num_blocks")),
      maxAgeDuration: positive(evidence.get("max_age_duration")),
      maxBytes: evidence.get("max_bytes").int64(),
    },
    validator: { pubKeyTypes: keyTypes.list().map(readKeyType) },
    version: { app: version.isNull ? 0n : readAppVersion(version) },
  };
  const { maxBytes } = params.evidence;
  if (maxBytes < 0n || maxBytes > block.maxBytes) {
    throw evidence.get("max_bytes").error(`must lie between 0 and block.max_bytes, which is ${block.maxBytes}`);
  }
  if (params.validator.pubKeyTypes.length === 0) throw keyTypes.error("must name at least one type of key");
  return params;
}

function readBlock(json: GenesisValue): ConsensusParams["block"] {
  const maxBytes = json.get("max_bytes").int64();
  if (maxBytes <= 0n || maxBytes > MAX_BLOCK_BYTES) {
    throw json.get("max_bytes").error(`must lie between 1 and ${MAX_BLOCK_BYTES}`);
  }
  const maxGas = json.get("max_gas").int64();
  if (maxGas < -1n) throw json.get("max_gas").error("must be -1, for no limit, or more");
  return { maxBytes, maxGas };
}

/** Newer versions write `app`, older ones `app_version`. */
function readAppVersion(json: GenesisValue): bigint {
  const app = json.get("app");
  return (app.isNull ? json.get("app_version") : app).uint64();
}

function readKeyType(json: GenesisValue): string {
  const type = json.string();
  if (!KEY_TYPES.includes(type)) throw json.error(`unknown type of key ${JSON.stringify(type)}`);
  return type;
}

function positive(json: GenesisValue): bigint {
  const number = json.int64();
  if (number <= 0n) throw json.error("must be greater than 0");
  return number;
}
