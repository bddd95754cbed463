// Who wants to hear of what: the subscriptions of all connections, and their limits.

import type { NewBlock } from "../api/rpc-queries.ts";
import { RpcRefusal } from "../api/rpc-queries.ts";
import { type Condition, EventQueryError, matchesEvents, parseEventQuery } from "../codec/event-query.ts";
import { announcementsOf } from "./announcements.ts";
import type { Answer, Id } from "./call.ts";
import { answerTo } from "./call.ts";
import { SERVER_ERROR } from "./errors.ts";

/** The reference's limits. */
const MOST_SUBSCRIPTIONS = 5;
const MOST_SUBSCRIBERS = 100;

/** One connection. `send` returns false when its reader does not keep up. */
export type Subscriber = { send(answer: Answer): boolean };

type Subscription = { readonly id: Id; readonly query: string; readonly conditions: readonly Condition[] };

export class Subscriptions {
  readonly #byConnection = new Map<Subscriber, Map<string, Subscription>>();

  /** Events come under the id of the request that asked for them. */
  add(subscriber: Subscriber, id: Id, query: string): void {
    const own = this.#byConnection.get(subscriber) ?? new Map<string, Subscription>();
    if (own.size === 0 && this.#byConnection.size >= MOST_SUBSCRIBERS) {
      throw new RpcRefusal(`max_subscription_clients ${MOST_SUBSCRIBERS} reached`);
    }
    if (own.size >= MOST_SUBSCRIPTIONS) {
      throw new RpcRefusal(`max_subscriptions_per_client ${MOST_SUBSCRIPTIONS} reached`);
    }
    const conditions = parse(query);
    if (own.has(query)) throw new RpcRefusal("already subscribed");
    own.set(query, { id, query, conditions });
    this.#byConnection.set(subscriber, own);
  }

  remove(subscriber: Subscriber, query: string): void {
    const own = this.#byConnection.get(subscriber);
    parse(query);
    if (own === undefined || !own.delete(query)) throw new RpcRefusal("subscription not found");
    if (own.size === 0) this.#byConnection.delete(subscriber);
  }

  /** Throws when there is nothing to remove, as the reference does. */
  removeAll(subscriber: Subscriber): void {
    if (!this.#byConnection.delete(subscriber)) throw new RpcRefusal("subscription not found");
  }

  /** The connection is gone. */
  forget(subscriber: Subscriber): void {
    this.#byConnection.delete(subscriber);
  }

  announce(block: NewBlock): void {
    if (this.#byConnection.size === 0) return;
    for (const { data, events } of announcementsOf(block)) {
      for (const [subscriber, own] of this.#byConnection) {
        for (const { id, query, conditions } of own.values()) {
          if (!matchesEvents(conditions, events)) continue;
          if (!subscriber.send(answerTo(id, { result: { query, data, events } }))) this.#cancel(subscriber, own);
        }
      }
    }
  }

  /** A reader that does not keep up loses its subscriptions, and is told so; nobody else waits for it. */
  #cancel(subscriber: Subscriber, own: Map<string, Subscription>): void {
    this.#byConnection.delete(subscriber);
    const reason = "subscription was canceled (reason: client is not pulling messages fast enough)";
    for (const { id } of own.values()) subscriber.send(answerTo(id, { error: { ...SERVER_ERROR, data: reason } }));
    own.clear();
  }
}

function parse(query: string): Condition[] {
  try {
    return parseEventQuery(query);
  } catch (error) {
    if (error instanceof EventQueryError) throw new RpcRefusal(`failed to parse query: ${error.message}`);
    throw error;
  }
}
