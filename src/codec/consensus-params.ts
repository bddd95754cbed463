// The parameters of consensus: limits of blocks and evidence, and which keys validators may have.

import type { Bytes } from "./bytes.ts";
import { sha256 } from "./hash.ts";
import { always, type Codec, int32, int64, listOfStrings, message, optional, uint64 } from "./message.ts";

export type BlockParams = { readonly maxBytes: bigint; readonly maxGas: bigint };
export type EvidenceParams = {
  readonly maxAgeNumBlocks: bigint;
  /** Nanoseconds. */
  readonly maxAgeDuration: bigint;
  readonly maxBytes: bigint;
};
export type ConsensusParams = {
  readonly block: BlockParams;
  readonly evidence: EvidenceParams;
  readonly validator: { readonly pubKeyTypes: readonly string[] };
  readonly version: { readonly app: bigint };
};

/** What an application may change after a block: whole sections. */
export type ConsensusParamsUpdate = Partial<ConsensusParams>;

/** The defaults of the reference's 0.37 and 0.38 lines. */
export const DEFAULT_CONSENSUS_PARAMS: ConsensusParams = {
  block: { maxBytes: 22020096n, maxGas: -1n },
  evidence: { maxAgeNumBlocks: 100000n, maxAgeDuration: 48n * 3600n * 1_000_000_000n, maxBytes: 1048576n },
  validator: { pubKeyTypes: ["ed25519"] },
  version: { app: 0n },
};

const NANOS = 1_000_000_000n;
const secondsAndNanos = message<{ seconds: bigint; nanos: number }>("Duration", { seconds: int64(1), nanos: int32(2) });

const durationCodec: Codec<bigint> = {
  encode: (nanos) => secondsAndNanos.encode({ seconds: nanos / NANOS, nanos: Number(nanos % NANOS) }),
  decode(bytes) {
    const { seconds, nanos } = secondsAndNanos.decode(bytes);
    return seconds * NANOS + BigInt(nanos);
  },
};

const blockParamsCodec = message<BlockParams>("BlockParams", { maxBytes: int64(1), maxGas: int64(2) });
const evidenceParamsCodec = message<EvidenceParams>("EvidenceParams", {
  maxAgeNumBlocks: int64(1),
  maxAgeDuration: always(2, durationCodec),
  maxBytes: int64(3),
});
const validatorParamsCodec = message<ConsensusParams["validator"]>("ValidatorParams", {
  pubKeyTypes: listOfStrings(1),
});
const versionParamsCodec = message<ConsensusParams["version"]>("VersionParams", { app: uint64(1) });

export const consensusParamsCodec = message<ConsensusParams>("ConsensusParams", {
  block: always(1, blockParamsCodec),
  evidence: always(2, evidenceParamsCodec),
  validator: always(3, validatorParamsCodec),
  version: always(4, versionParamsCodec),
});

type Sections = { readonly [K in keyof ConsensusParams]: ConsensusParams[K] | null };

const sectionsCodec = message<Sections>("ConsensusParams", {
  block: optional(1, blockParamsCodec),
  evidence: optional(2, evidenceParamsCodec),
  validator: optional(3, validatorParamsCodec),
  version: optional(4, versionParamsCodec),
});

/** The same message with only the sections that an update sets; no bytes for an update that sets none. */
export const consensusParamsUpdateCodec: Codec<ConsensusParamsUpdate> = {
  encode: ({ block = null, evidence = null, validator = null, version = null }) =>
    sectionsCodec.encode({ block, evidence, validator, version }),
  decode(bytes) {
    const { block, evidence, validator, version } = sectionsCodec.decode(bytes);
    return {
      ...(block && { block }),
      ...(evidence && { evidence }),
      ...(validator && { validator }),
      ...(version && { version }),
    };
  },
};

/** Covers the limits of blocks only, as a plain hash: their message has the same two fields as the hashed one. */
export function consensusHash(params: ConsensusParams): Bytes {
  return sha256(blockParamsCodec.encode(params.block));
}
