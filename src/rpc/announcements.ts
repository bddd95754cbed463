// What a new block has to tell to subscribers: the block, its header, and each of its transactions.

import type { NewBlock } from "../api/rpc-queries.ts";
import { toBase64 } from "../codec/bytes.ts";
import { blockJson, headerJson, type Json, upperHex } from "../codec/comet-block-json-writer.ts";
import { eventJson, paramUpdatesJson, shortTxResultJson, validatorUpdateJson } from "../codec/comet-json-writer.ts";
import { sha256 } from "../codec/hash.ts";
import type { TxEvent } from "../codec/tx-result.ts";

/** The values of every attribute, by `type.attribute`. Queries are matched against these. */
export type EventValues = { readonly [name: string]: readonly string[] };

export type Announcement = { readonly data: Json; readonly events: EventValues };

export function announcementsOf({ block, results }: NewBlock): Announcement[] {
  const { header, data } = block;
  const { beginBlockEvents, endBlockEvents } = results;
  const blockEvents = [...beginBlockEvents, ...endBlockEvents];
  const outcome = {
    result_begin_block: { events: beginBlockEvents.map(eventJson) },
    result_end_block: endBlockJson(results),
  };
  const height = String(header.height);
  return [
    announcement("NewBlock", { block: blockJson(block), ...outcome }, blockEvents),
    announcement(
      "NewBlockHeader",
      { header: headerJson(header), num_txs: String(data.txs.length), ...outcome },
      blockEvents,
    ),
    ...data.txs.map((tx, index) => {
      const result = results.results[index]!;
      const place = { height, ...(index !== 0 && { index }) };
      const value = { TxResult: { ...place, tx: toBase64(tx), result: shortTxResultJson(result) } };
      const own = { "tx.hash": [upperHex(sha256(tx))], "tx.height": [height] };
      return announcement("Tx", value, result.events, own);
    }),
  ];
}

function announcement(
  kind: "NewBlock" | "NewBlockHeader" | "Tx",
  value: Json,
  events: readonly TxEvent[],
  own: EventValues = {},
): Announcement {
  const named = { type: `tendermint/event/${kind}`, value };
  return { data: named, events: { ...valuesOf(events), ...own, "tm.event": [kind] } };
}

function endBlockJson({ validatorUpdates, paramUpdates, endBlockEvents }: NewBlock["results"]): Json {
  const updates = paramUpdatesJson(paramUpdates);
  return {
    validator_updates: validatorUpdates.map(validatorUpdateJson),
    ...(updates !== null && { consensus_param_updates: updates }),
    events: endBlockEvents.map(eventJson),
  };
}

function valuesOf(events: readonly TxEvent[]): EventValues {
  const values = new Map<string, string[]>();
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes) {
      if (type === "" || key === "") continue;
      const name = `${type}.${key}`;
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
  }
  return Object.fromEntries(values);
}
