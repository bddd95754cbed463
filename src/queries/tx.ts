// The transactions of a block. A transaction of the block is, on the wire, the transaction of the answer; one that
// cannot be decoded is listed all the same, with its bytes and the reason.

import { invalid } from "../api/errors.ts";
import type { RequestOf } from "../api/operations.ts";
import type { Bytes } from "../codec/bytes.ts";
import { compileJson } from "../codec/transcode.ts";
import { WireReader, WireWriter } from "../codec/wire.ts";
import { TxSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { blockTxs } from "../state/block.ts";
import type { Snapshot } from "../store/store.ts";
import { blockAt, keptBlocks } from "./block.ts";
import { pageOfAll, pageOrder, writePagination } from "./page.ts";

export async function listBlockTxs(view: Snapshot, request: RequestOf<"listBlockTxs">): Promise<Bytes> {
  const order = pageOrder(request.pagination);
  const { height } = request;
  if (height < 1n || height > view.height) {
    const reason = `requested height ${height} but height must not be less than 1 or greater than the current height ${view.height}`;
    throw invalid("height", `${reason}; ${await keptBlocks(view)}`);
  }
  const record = await blockAt(view, height);
  const page = pageOfAll(blockTxs(record.block), order);
  const response = new WireWriter(record.block.length * 2 + 256);
  for (const tx of page.items) response.messageField(1, shownTx(tx));
  response.messageField(2, record.blockId).messageField(3, record.block);
  writePagination(response, 4, page);
  return response.finish();
}

const asJson = compileJson(TxSchema, "ecosystem");

/** Whether a transaction can be shown is found by showing it: there is no second decoder to disagree with. */
export function shownTx(tx: Bytes): Bytes {
  try {
    refuseOtherFields(tx);
    asJson(tx);
    return tx;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new WireWriter(tx.length + 128).messageField(15001, tx).stringField(15002, reason).finish();
  }
}

/** Body, auth info and signatures: a transaction with any other field could pose as one that we call undecodable. */
function refuseOtherFields(tx: Bytes): void {
  const reader = new WireReader(tx);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag >>> 3 > 3) throw new Error(`errUnknownField "*tx.TxRaw": {TagNum: ${tag >>> 3}}: tx parse error`);
    reader.skip(tag & 7);
  }
}
