// What execution tells the world: events in the order of their emission, and the log that repeats those of messages.

import { goJson } from "../codec/amino-json.ts";
import type { TxEvent } from "../codec/tx-result.ts";
import type { GiveWay } from "../give-way.ts";

/** Attributes in their order. */
export type Event = { readonly type: string; readonly attributes: readonly (readonly [key: string, value: string])[] };

export function event(type: string, ...attributes: (readonly [key: string, value: string])[]): Event {
  return { type, attributes };
}

/** So many are written down before others may have their turn. */
const EVENTS_AT_ONCE = 100;

/** As results carry them; `index` says whether the transaction index of a node takes the attributes in. */
export function resultEvents(events: readonly Event[], index: boolean): TxEvent[] {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(([key, value]) => ({ key, value, index })),
  }));
}

/** The log of a transaction whose messages all succeeded: their events, one list for each message. */
export async function messageLog(perMessage: readonly (readonly Event[])[], giveWay: GiveWay): Promise<string> {
  const messages: string[] = [];
  for (const [index, events] of perMessage.entries()) {
    const written: string[] = [];
    for (const [i, event] of events.entries()) {
      if (i % EVENTS_AT_ONCE === 0) await giveWay();
      written.push(goJson(logEvent(event)));
    }
    messages.push(`{"msg_index":${index},"events":[${written.join(",")}]}`);
  }
  return `[${messages.join(",")}]`;
}

/** An empty value is left out, unlike in the events of the result. */
function logEvent({ type, attributes }: Event) {
  return { type, attributes: attributes.map(([key, value]) => (value === "" ? { key } : { key, value })) };
}
