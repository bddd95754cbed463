// Transactions from bytes to JSON and back, for clients that cannot do it themselves.

import { invalid } from "../api/errors.ts";
import type { NeighbourRequest } from "../api/neighbours.ts";
import type { Bytes } from "../codec/bytes.ts";
import { encodeMessage } from "../codec/reference-form.ts";
import { decodeTx as refuseBadTx, TxDecodeError } from "../codec/tx.ts";
import { WireWriter } from "../codec/wire.ts";
import { TxSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { shownTx } from "./tx.ts";

/** Refuses what a block would refuse, in the same words: the bytes of a transaction are then its message. */
export function decodeTx(request: NeighbourRequest<"decodeTx">): Bytes {
  const tx = request.txBytes as Bytes;
  if (tx.length === 0) throw invalid("tx_bytes", "invalid empty tx bytes");
  try {
    refuseBadTx(tx);
  } catch (error) {
    if (error instanceof TxDecodeError) throw invalid("tx_bytes", error.message);
    throw error;
  }
  return new WireWriter(tx.length + 8).messageField(1, shownTx(tx)).finish();
}

export function encodeTx({ tx }: NeighbourRequest<"encodeTx">): Bytes {
  if (tx === undefined) throw invalid("tx", "invalid empty tx");
  const bytes = encodeMessage(TxSchema, tx);
  return new WireWriter(bytes.length + 8).bytesField(1, bytes).finish();
}
