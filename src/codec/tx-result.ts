// What the execution of a transaction gave, as the node keeps it, and the part of it that the next header hashes.

import type { Bytes } from "./bytes.ts";
import { merkleRoot } from "./merkle.ts";
import { bool, bytes, int64, listOf, message, string, uint32 } from "./message.ts";

export type EventAttribute = { readonly key: string; readonly value: string; readonly index: boolean };
export type TxEvent = { readonly type: string; readonly attributes: readonly EventAttribute[] };

/** tendermint.abci.ResponseDeliverTx. */
export type TxResult = {
  readonly code: number;
  readonly data: Bytes;
  readonly log: string;
  readonly info: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly TxEvent[];
  readonly codespace: string;
};

const eventCodec = message<TxEvent>("Event", {
  type: string(1),
  attributes: listOf(
    2,
    message<EventAttribute>("EventAttribute", { key: string(1), value: string(2), index: bool(3) }),
  ),
});

export const txResultCodec = message<TxResult>("ResponseDeliverTx", {
  code: uint32(1),
  data: bytes(2),
  log: string(3),
  info: string(4),
  gasWanted: int64(5),
  gasUsed: int64(6),
  events: listOf(7, eventCodec),
  codespace: string(8),
});

/** Code, data and gas are what all nodes agree on; logs and events are not covered. */
export type DeterministicResult = Pick<TxResult, "code" | "data" | "gasWanted" | "gasUsed">;

const NOT_COVERED = { log: "", info: "", events: [], codespace: "" } as const;

export function resultsHash(results: readonly DeterministicResult[]): Bytes {
  return merkleRoot(results.map((result) => txResultCodec.encode({ ...result, ...NOT_COVERED })));
}
