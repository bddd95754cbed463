// What execution tells the world: events in the order of their emission, and the log that repeats those of messages.

import { goJson } from "../codec/amino-json.ts";
import type { TxEvent } from "../codec/tx-result.ts";

/** Attributes in their order. */
export type Event = { readonly type: string; readonly attributes: readonly (readonly [key: string, value: string])[] };

export function event(type: string, ...attributes: (readonly [key: string, value: string])[]): Event {
  return { type, attributes };
}

/** As results carry them; `index` says whether the transaction index of a node takes the attributes in. */
export function resultEvents(events: readonly Event[], index: boolean): TxEvent[] {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(([key, value]) => ({ key, value, index })),
  }));
}

/** The log of a transaction whose messages all succeeded: their events, one list for each message. */
export function messageLog(perMessage: readonly (readonly Event[])[]): string {
  return goJson(
    perMessage.map((events, index) => ({
      msg_index: index,
      events: events.map(({ type, attributes }) => ({ type, attributes: attributes.map(logAttribute) })),
    })),
  );
}

/** An empty value is left out, unlike in the events of the result. */
function logAttribute([key, value]: readonly [string, string]) {
  return value === "" ? { key } : { key, value };
}
